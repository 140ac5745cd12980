"""run_static_analysis, scenarios A-1 to A-24."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.analyzers.workshop import lay_out
from tests.processes import is_idle
from tests.waiting import until
from vetbox.app import App
from vetbox.process import Cancelled
from vetbox.static_analysis import (
    AnalysisReport,
    StaticAnalysisParams,
    ToolResult,
    report_text,
    run_static_analysis,
)

EVIL = "import os, lib\neval(lib.text)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    lay_out(root, {"src/a.py": EVIL, "src/clean.py": "x = 1\n"})
    return root


def report(project: Path, *targets: str, **given: object) -> AnalysisReport:
    arguments = {"target_paths": list(targets) or ["."], **given}
    params = StaticAnalysisParams.model_validate(arguments, context={"project": project})
    return run_static_analysis(params, project)


def refused(project: Path, **given: object) -> str:
    """The field of the only problem with the parameters."""
    with pytest.raises(ValidationError) as error:
        report(project, **given)
    return ".".join(map(str, error.value.errors()[0]["loc"]))


def result(answer: AnalysisReport, tool: str) -> ToolResult:
    return next(each for each in answer.tool_results if each.tool_name == tool)


def lines(found: ToolResult) -> list[str]:
    return [f"{issue.file_path}:{issue.line_number} {issue.code}" for issue in found.issues]


def test_a1_the_tool_is_called_run_static_analysis(project: Path) -> None:
    endpoint = App.open(project, trust_folder=project).endpoints["run_static_analysis"]
    assert endpoint.params is StaticAnalysisParams
    assert endpoint.result is AnalysisReport


@pytest.mark.parametrize("target", ["src/a.py", "src", "src/", "."])
def test_a2_targets_are_files_or_folders_of_the_project(project: Path, target: str) -> None:
    assert lines(result(report(project, target, tools=["ruff"]), "ruff")) == ["src/a.py:2 S307"]


def test_a2_targets_are_required(project: Path) -> None:
    assert refused(project, target_paths=[]) == "target_paths"


def test_a3_by_default_the_primary_tools_run(project: Path) -> None:
    names = [each.tool_name for each in report(project).tool_results]
    assert names == ["rules", "ruff", "bandit"]


def test_a3_only_the_named_tools_run_each_once(project: Path) -> None:
    answer = report(project, tools=["bandit", "ruff", "bandit"])
    assert [each.tool_name for each in answer.tool_results] == ["bandit", "ruff"]


def test_a4_python_is_the_language(project: Path) -> None:
    assert report(project, tools=["ruff"], language="python").status == "completed_with_issues"
    assert refused(project, language="javascript") == "language"


def test_a5_a_configuration_file_chooses_checks(project: Path) -> None:
    (project / "my.toml").write_text("[tool.ruff.lint]\nselect = ['F401']\n")
    answer = report(project, tools=["ruff"], config_file="my.toml")
    assert lines(result(answer, "ruff")) == ["src/a.py:1 F401"]


def test_a6_options_by_tool_and_over_the_configuration_file(project: Path) -> None:
    (project / "my.toml").write_text("[tool.ruff.lint]\nselect = ['F401']\n")
    given = {"tools": ["ruff"], "config_file": "my.toml", "options": {"ruff": {"select": ["S"]}}}
    assert lines(result(report(project, **given), "ruff")) == ["src/a.py:2 S307"]


def test_a6_the_examples_of_the_specification_are_accepted(project: Path) -> None:
    for options in ({"pylint": {"disable": "C0114"}}, {"pylint": {"jobs": "2"}}):
        answer = report(project, "src/clean.py", tools=["pylint"], options=options)
        assert result(answer, "pylint").issue_count >= 0


def test_a6_options_for_a_tool_that_does_not_run_are_said_to_have_no_effect(project: Path) -> None:
    answer = report(project, tools=["ruff"], options={"pylint": {"disable": "C0114"}})
    assert answer.summary.endswith("Options for pylint had no effect.")


def test_a7_clean_is_success_and_findings_are_not(project: Path) -> None:
    assert report(project, "src/clean.py").status == "success"
    assert report(project, "src/a.py").status == "completed_with_issues"


def test_a8_the_summary_counts(project: Path) -> None:
    assert report(project, "src/a.py", tools=["ruff", "bandit"]).summary == (
        "Analysis complete. 2 issues found across 2 tools. Ruff found 1 issue. "
        "Bandit found 1 medium severity issue."
    )


def test_a9_a24_one_result_for_each_tool_with_its_own_count(project: Path) -> None:
    answer = report(project, tools=["rules", "ruff", "bandit", "radon", "flake8"])
    counts = {each.tool_name: each.issue_count for each in answer.tool_results}
    assert counts == {"rules": 1, "ruff": 1, "bandit": 1, "radon": 0, "flake8": 2}


def test_a10_without_an_error_the_message_is_null(project: Path) -> None:
    assert json.loads(report(project).model_dump_json())["error_message"] is None


def test_a11_a13_the_shape_of_results_and_issues(project: Path) -> None:
    (found,) = json.loads(report(project, tools=["bandit"]).model_dump_json())["tool_results"]
    assert {"tool_name", "issue_count", "issues", "raw_output", "report_path", "error"} <= set(
        found
    )
    (issue,) = found["issues"]
    assert issue | {"message": ""} == {
        "file_path": "src/a.py",
        "line_number": 2,
        "column_number": 1,
        "end_line_number": 2,
        "end_column_number": 15,
        "code": "B307",
        "message": "",
        "severity": "warning",
        "native_severity": "MEDIUM",
        "confidence": "high",
        "cwe": [78],
        "also_reported_by": [],
    }


def test_a12_a14_a_missing_tool_is_an_error_and_the_others_are_kept(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "pylint" else real(name)
    )
    answer = report(project, tools=["pylint", "bandit"])
    assert answer.status == "error"
    assert answer.error_message == "Pylint tool not found or configuration error."
    assert [each.issue_count for each in answer.tool_results] == [-1, 1]
    assert answer.summary.startswith("Analysis incomplete. 1 issue found across 1 tool.")


@pytest.mark.parametrize(
    ("tool", "options"),
    [
        ("ruff", {"select": ["ZZZ"]}),
        ("bandit", {"tests": ["B999"]}),
        ("pylint", {"disable": ["no-such-message"]}),
        ("pylint", {"enable": ["C9999"]}),
    ],
)
def test_a14_a_tool_that_does_not_know_what_it_is_told_to_check_is_misconfigured(
    project: Path, tool: str, options: dict[str, object]
) -> None:
    answer = report(project, "src/a.py", tools=[tool, "radon"], options={tool: options})
    assert answer.status == "error"
    said = f"{tool.capitalize()} tool not found or configuration error."
    assert answer.error_message == said
    assert [(each.issue_count, each.error) for each in answer.tool_results] == [
        (-1, said),
        (0, None),
    ]


@pytest.mark.parametrize("tool", ["rules", "ruff", "bandit", "pylint", "flake8", "radon"])
def test_a15_a_file_that_cannot_be_analysed_is_never_clean(project: Path, tool: str) -> None:
    lay_out(project, {"bad/syntax.py": "def (:\n", "bad/codec.py": b"# coding: utf-7\nx = 1\n"})
    answer = report(project, "bad", tools=[tool])
    found = result(answer, tool)
    assert answer.status == "completed_with_issues"
    assert [failure.file_path for failure in found.failures] == ["bad/codec.py", "bad/syntax.py"]
    assert found.error is not None
    assert found.error.startswith("2 files could not be analysed, the first is bad/codec.py: ")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"select": ["exec", "shel-true"]}, "'shel-true' names no rule or pack; did you mean"),
        ({"select": ["q9"]}, "'q9' names no rule or pack; `vetbox rules list` shows all."),
        ({"ignore": "x/*"}, "'x/*' names no rule or pack; `vetbox rules list` shows all."),
    ],
)
def test_a14_a_word_that_names_no_rule_is_named(
    project: Path, options: dict[str, object], reason: str
) -> None:
    answer = report(project, "src/a.py", tools=["rules", "radon"], options={"rules": options})
    assert answer.status == "error"
    said = f"Rules tool not found or configuration error. {reason}"
    assert answer.error_message is not None
    assert answer.error_message.startswith(said)
    assert answer.error_message[-1] in ".?"
    assert answer.error_message[-2] not in ".?"
    assert [(each.issue_count, each.error) for each in answer.tool_results] == [
        (-1, answer.error_message),
        (0, None),
    ]


def notebook(*lines: str) -> str:
    cell = {"cell_type": "code", "source": list(lines), "metadata": {}, "outputs": []}
    return json.dumps({"cells": [cell], "nbformat": 4, "metadata": {}}, ensure_ascii=False)


def test_a2_a_folder_is_read_with_its_notebooks(project: Path) -> None:
    lay_out(project, {"lab/n.ipynb": notebook("# é\n", EVIL), "lab/a.py": "x = 1\n"})
    answer = report(project, "lab", tools=["rules", "ruff", "bandit"])
    assert [each.file_path for each in result(answer, "rules").issues] == ["lab/n.ipynb"]
    for tool in ("ruff", "bandit"):  # passed over: the rules have read it
        assert (result(answer, tool).error, result(answer, tool).failures) == (None, ())
    assert answer.files_analyzed == 2


def test_a15_a_notebook_of_a_folder_that_nobody_reads_is_not_clean(project: Path) -> None:
    lay_out(project, {"lab/n.ipynb": notebook("x = 1\n"), "lab/a.py": "x = 1\n"})
    answer = report(project, "lab", tools=["ruff"])
    assert [each.file_path for each in result(answer, "ruff").failures] == ["lab/n.ipynb"]
    assert (answer.status, answer.files_analyzed) == ("completed_with_issues", 1)


def test_a2_a_notebook_may_hold_pictures(project: Path) -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 1_500_000}}
    cell = {"cell_type": "code", "source": [EVIL], "metadata": {}, "outputs": [picture]}
    lay_out(project, {"lab/n.ipynb": json.dumps({"cells": [cell], "nbformat": 4, "metadata": {}})})
    answer = report(project, "lab", tools=["rules"])
    assert [each.file_path for each in result(answer, "rules").issues] == ["lab/n.ipynb"]


@pytest.mark.parametrize("tool", ["ruff", "bandit", "pylint", "flake8", "radon", "lizard"])
def test_a15_a_notebook_that_only_the_rules_read_is_clean_to_no_other_tool(
    project: Path, tool: str
) -> None:
    lay_out(project, {"n.ipynb": notebook(EVIL)})
    answer = report(project, "n.ipynb", "src/a.py", tools=["rules", tool])
    assert [each.file_path for each in result(answer, "rules").issues] == ["n.ipynb", "src/a.py"]
    other = result(answer, tool)
    assert {each.file_path for each in other.issues} <= {"src/a.py"}
    assert [(each.file_path, each.kind) for each in other.failures] == [("n.ipynb", "unsupported")]
    assert other.error == (
        "1 file could not be analysed, the first is n.ipynb: a notebook, which only rules reads"
    )
    assert answer.status == "completed_with_issues"


def test_a16_the_same_input_gives_the_same_bytes(project: Path) -> None:
    shutil.copytree(project / "src", project / "more")
    first, second = (report(project).model_dump_json() for _ in range(2))
    assert first == second


def test_a16_order_is_by_path_line_and_column(project: Path) -> None:
    lay_out(project, {"b.py": "exec(x)\neval(y); eval(z)\n", "a/z.py": EVIL})
    issues = result(report(project), "rules").issues
    places = [(each.file_path, each.line_number, each.column_number) for each in issues]
    assert places == [
        ("a/z.py", 2, 1),
        ("b.py", 1, 1),
        ("b.py", 2, 1),
        ("b.py", 2, 10),
        ("src/a.py", 2, 1),
    ]


@pytest.mark.parametrize("target", ["../x", "/etc", "nope.py", "-c", "@args", "", "a\0b"])
def test_a17_targets_stay_inside_the_project(project: Path, target: str) -> None:
    assert refused(project, target_paths=[target]).startswith("target_paths.0")


def test_too_many_targets_are_counted_before_any_is_resolved(project: Path) -> None:
    many = ["src/a.py"] * 1_001
    words = "target_paths"
    assert refused(project, target_paths=many) == words
    started = time.process_time()
    assert refused(project, target_paths=["nope.py"] * 500_000) == words
    assert time.process_time() - started < 1


@pytest.mark.parametrize("tool", ["rm", "/bin/sh", "mypy", "../ruff"])
def test_a18_tools_come_from_an_allow_list(project: Path, tool: str) -> None:
    assert refused(project, tools=[tool]).startswith("tools")


@pytest.mark.parametrize(
    ("name", "text", "tools"),
    [
        ("evil.toml", "extend = '/etc/passwd'\n", ["ruff"]),
        ("fix.toml", "fix = true\n", ["ruff"]),
        ("rc", "[MAIN]\ninit-hook=import os\n", ["pylint"]),
        ("f8", "[flake8]\nextend-exclude = a.py\n", ["flake8"]),
        ("b.yaml", "exclude_dirs: [src]\n", ["bandit"]),
    ],
)
def test_a19_the_content_of_a_configuration_file_is_checked(
    project: Path, name: str, text: str, tools: list[str]
) -> None:
    (project / name).write_text(text)
    assert refused(project, tools=tools, config_file=name) == "config_file"


def test_a19_the_path_of_a_configuration_file_is_checked(project: Path) -> None:
    for path in ("../x.toml", "/etc/passwd", "nope.toml", "-c"):
        assert refused(project, config_file=path) == "config_file"


def test_a20_a_file_that_is_too_much_for_a_tool_is_that_files_failure(project: Path) -> None:
    lay_out(project, {"src/bomb.py": "x = " + "(" * 5_000 + "1" + ")" * 5_000 + "\n"})
    answer = report(project)
    for tool in ("rules", "bandit"):
        assert [each.file_path for each in result(answer, tool).failures] == ["src/bomb.py"]
        assert result(answer, tool).issue_count == 1


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a20_cancel_frees_the_processor(project: Path) -> None:
    lay_out(project, {f"many/m{n}.py": EVIL * 500 for n in range(60)})
    params = StaticAnalysisParams.model_validate(
        {"target_paths": ["."]}, context={"project": project}
    )
    cancel = threading.Event()
    with pytest.raises(Cancelled):
        run_static_analysis(
            params, project, cancel=cancel, progress=lambda done, total, message: cancel.set()
        )
    until(lambda: is_idle(os.getpid()))


def test_a21_reports_hold_no_source_code(project: Path) -> None:
    lay_out(project, {"src/s.py": "token = eval(SUPER_SECRET_EXPRESSION)\n"})
    answer = report(project, options={"rules": {"report": "json"}})
    path = result(answer, "rules").report_path
    assert path is not None
    assert "SUPER_SECRET" not in answer.model_dump_json() + report_text(answer)
    assert "SUPER_SECRET" not in (project / path).read_text()


def test_a22_the_arguments_of_the_example_are_accepted(project: Path) -> None:
    arguments = {"target_paths": ["src/a.py"], "tools": ["pylint", "bandit"], "language": "python"}
    params = StaticAnalysisParams.model_validate(arguments, context={"project": project})
    assert params.chosen == ("pylint", "bandit")


def test_a23_a_report_file_is_written_when_asked_for_and_named_by_its_content(
    project: Path,
) -> None:
    given = {"tools": ["ruff", "bandit"], "options": {"bandit": {"report": "txt"}}}
    answers = [report(project, "src", **given) for _ in range(2)]
    first, second = (result(answer, "bandit").report_path for answer in answers)
    assert first == second
    assert str(first).startswith("./output/static_analysis/bandit_report_")
    assert "src/a.py:2:1: warning B307" in (project / str(first)).read_text()
    assert result(answers[0], "ruff").report_path is None


def test_a23_a_report_is_never_written_through_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (project / "output").symlink_to(tmp_path / "outside")
    answer = report(project, "src", tools=["ruff"], options={"ruff": {"report": "txt"}})
    assert result(answer, "ruff").report_path is None
    assert list((tmp_path / "outside").iterdir()) == []


def test_a23_a_report_that_cannot_be_written_costs_no_result(project: Path) -> None:
    (project / "output").write_text("a file")
    options = {"rules": {"report": "json"}, "ruff": {"report": "txt"}}
    answer = report(project, "src", tools=["rules", "ruff"], options=options)
    assert result(answer, "rules").issue_count > 0
    assert (answer.status, answer.error_message) == ("completed_with_issues", None)
    for tool in ("rules", "ruff"):
        said = result(answer, tool)
        assert said.report_path is None
        assert str(said.error).startswith("the report could not be written: output is not a folder")
    clean = report(project, "src/clean.py", tools=["rules"], options={"rules": {"report": "txt"}})
    assert clean.status == "completed_with_issues"


# What several tools say together ----------------------------------------------------------------


def test_tools_that_mean_the_same_name_each_other(project: Path) -> None:
    answer = report(project)
    assert result(answer, "rules").issues[0].also_reported_by == ("bandit:B307", "ruff:S307")
    assert result(answer, "ruff").issues[0].also_reported_by == ("bandit:B307", "rules:eval-call")


def test_what_a_comment_hides_is_listed_and_counted(project: Path) -> None:
    lay_out(project, {"src/a.py": "eval(text)  # nosec B307 - a constant\n"})
    answer = report(project, "src/a.py")
    counts = [(each.issue_count, each.suppressed_count) for each in answer.tool_results]
    assert counts == [(0, 1), (0, 1), (0, 1)]
    assert result(answer, "ruff").suppressed[0].suppressed_by == "# nosec B307"
    assert answer.summary.endswith("3 issues suppressed by comments.")


def test_in_the_agent_profile_no_comment_hides_anything(project: Path) -> None:
    lay_out(project, {"src/a.py": "eval(text)  # nosec\n"})
    answer = report(project, "src/a.py", options={"rules": {"profile": "agent"}})
    assert [each.issue_count for each in answer.tool_results] == [1, 1, 1]
    assert [each.suppressed_count for each in answer.tool_results] == [0, 0, 0]


def test_what_was_skipped_is_said_with_a_count(project: Path) -> None:
    lay_out(
        project, {"node_modules/x.py": EVIL, "node_modules/y.py": EVIL, "__pycache__/a.pyc": b""}
    )
    skipped = [(each.path, each.reason, each.count) for each in report(project).skipped]
    assert skipped == [
        ("__pycache__", "excluded by default", 0),
        ("node_modules", "excluded by default", 2),
    ]


# A hostile repository ---------------------------------------------------------------------------


def hostile(root: Path) -> dict[str, str]:
    """Files of a repository that would switch tools off or run code in them."""
    bomb = f"open({str(root.parent / 'PWNED')!r}, 'w')\n"
    names = ("bandit", "ruff", "json", "typing", "sitecustomize", "evil", "conftest")
    return {
        **{f"{name}.py": bomb for name in names},
        "ruff.toml": "fix = true\nexclude = ['*.py']\nforce-exclude = true\n",
        "pyproject.toml": f'[tool.pylint.main]\ninit-hook="""{bomb}"""\n',
        ".pylintrc": f"[MAIN]\ninit-hook={bomb}",
        ".flake8": "[flake8]\nexclude = *\n[flake8:local-plugins]\nextension = X = evil:f\n",
        ".bandit": "[bandit]\nskips=B307\nexclude=/\n",
        "src/.bandit": "[bandit]\nskips=B307\n",
        ".gitignore": "*.py\n",
        ".ignore": "*.py\n",
        ".git/HEAD": "ref: refs/heads/main\n",
        "pytest.ini": "[pytest]\naddopts = -p evil\n",
        "evil-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n",
        "evil-1.0.dist-info/entry_points.txt": "[bandit.plugins]\nx = evil:f\n",
        "@args": "--version\n",
    }


def test_a_hostile_repository_changes_no_verdict_and_runs_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = ["rules", "ruff", "bandit", "pylint", "flake8", "radon", "lizard"]
    before = report(project, "src/a.py", tools=tools)
    lay_out(project, hostile(project))
    monkeypatch.chdir(project)
    for name, value in (("PYTHONPATH", "."), ("RUFF_CONFIG", "ruff.toml"), ("PATH", ".:/bin")):
        monkeypatch.setenv(name, value)
    assert report(project, "src/a.py", tools=tools) == before
    assert (project / "src" / "a.py").read_text() == EVIL
    assert not (project.parent / "PWNED").exists()


def test_a_hostile_repository_is_read_inside_only_and_twice_the_same(project: Path) -> None:
    import os

    (project.parent / "secret.py").write_text("KEY = eval('CANARY')\n")
    (project / "src" / "out.py").symlink_to("../../secret.py")
    (project / "src" / "up").symlink_to("..")
    os.mkfifo(project / "src" / "pipe.py")
    lay_out(project, {"src/-c": "", "src/-c.py": EVIL, "src/@x.py": EVIL})
    first, second = report(project, "src"), report(project, "src")
    assert first == second
    assert "CANARY" not in first.model_dump_json()
    assert [each.path for each in first.skipped] == ["src/out.py", "src/pipe.py", "src/up"]
    assert lines(result(first, "ruff")) == [
        "src/-c.py:2 S307",
        "src/@x.py:2 S307",
        "src/a.py:2 S307",
    ]


# Counts equal to the tools' own -----------------------------------------------------------------


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real package from the registry, as it is installed."""
    source = importlib.metadata.distribution("click").locate_file("click")
    root = tmp_path_factory.mktemp("real")
    shutil.copytree(str(source), root / "click", ignore=shutil.ignore_patterns("__pycache__"))
    return root


def test_on_a_real_package_ruff_finds_what_ruff_finds(package: Path) -> None:
    command = ["ruff", "check", "--isolated", "--no-cache", "--ignore-noqa", "--exit-zero"]
    command += ["--select", "S", "--target-version", "py314", "--output-format", "json", "."]
    own = json.loads(subprocess.check_output([sys.executable, "-m", *command], cwd=package))
    found = result(report(package, tools=["ruff"]), "ruff")
    assert found.issue_count + found.suppressed_count == len(own) > 0


def test_on_a_real_package_bandit_finds_what_bandit_finds(package: Path) -> None:
    command = ["bandit", "-q", "-f", "json", "--ignore-nosec", "--exit-zero", "-r", "click"]
    said = subprocess.check_output([sys.executable, "-m", *command], cwd=package)
    own = json.loads(said)["results"]
    found = result(report(package, tools=["bandit"]), "bandit")
    assert found.issue_count + found.suppressed_count == len(own) > 0
    assert {each.file_path for each in found.issues} <= {each["filename"] for each in own}
