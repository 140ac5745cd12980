"""`vetbox check` as a person or a pipeline sees it: exit codes, formats, settings, baselines."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from vetbox.cli import main

EVAL = "print(eval(text))\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(EVAL)
    (tmp_path / "clean.py").write_text("print('hello')\n")
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "--no-cache", "--jobs", "1", *arguments])


def codes(result: Result) -> list[str]:
    return [finding["code"] for finding in json.loads(result.stdout)["findings"]]


def test_a_clean_file_exits_0(project: Path) -> None:
    result = check("clean.py")
    assert (result.exit_code, result.stdout) == (0, "✓ No findings in 1 file.\n")


def test_findings_exit_1_and_show_their_code(project: Path) -> None:
    result = check("app.py")
    assert result.exit_code == 1
    assert "app.py:1:7" in result.stdout
    assert "print(eval(text))\n   │       ━━━━━━━━━━" in result.stdout


def test_a_file_that_changed_is_shown_as_it_is_now(project: Path) -> None:
    check("app.py")
    (project / "app.py").write_text("# moved\n" + EVAL)
    assert " 2 │ print(eval(text))" in check("app.py").stdout


def test_no_path_means_this_folder(project: Path) -> None:
    assert codes(check("--format", "json")) == ["eval-call"]


@pytest.mark.parametrize(
    "arguments",
    [["no-such-file"], ["--no-such-option"], ["--select", "no-such-rule", "."], ["--jobs", "0"]],
)
def test_misuse_exits_2(project: Path, arguments: list[str]) -> None:
    assert check(*arguments).exit_code == 2


def test_a_report_that_cannot_be_written_is_a_sentence(project: Path) -> None:
    result = check("clean.py", "--output", "/dev/null/report.json")
    assert result.exit_code == 2
    said = "vetbox: cannot use /dev/null/report.json: Not a directory; "
    assert result.stderr.startswith(said)


def test_a_file_that_cannot_be_parsed_exits_1_in_every_format(project: Path) -> None:
    (project / "clean.py").write_text("def broken(:\n")
    for form in ("text", "json", "sarif", "github", "junit", "html"):
        result = check("clean.py", "--format", form)
        assert result.exit_code == 1
        assert "clean.py" in result.stdout, form


def test_exit_zero_is_0_whatever_is_found(project: Path) -> None:
    assert check("app.py", "--exit-zero").exit_code == 0


def test_error_on_ignores_milder_findings_in_the_exit_code(project: Path) -> None:
    (project / "app.py").write_text("import hashlib\nassert hashlib\n")
    result = check("app.py", "--error-on", "error", "--format", "json")
    assert codes(result) == ["assert-used"]
    assert result.exit_code == 0


def test_select_and_ignore_name_rules(project: Path) -> None:
    assert codes(check("app.py", "--ignore", "eval-call", "--format", "json")) == []
    assert codes(check("app.py", "--select", "eval-call", "--format", "json")) == ["eval-call"]


def test_output_goes_to_a_file(project: Path) -> None:
    result = check("app.py", "--format", "sarif", "--output", "out.sarif")
    assert result.stdout == ""
    assert json.loads((project / "out.sarif").read_text())["version"] == "2.1.0"


def test_statistics_count_per_rule_beside_a_machines_format(project: Path) -> None:
    result = check("app.py", "--statistics", "--format", "json")
    assert "     1  eval-call\n" in result.stderr
    assert codes(result) == ["eval-call"]


def test_a_baseline_accepts_what_there_is_and_reports_what_is_new(project: Path) -> None:
    assert check("--baseline", "known.json", "--write-baseline").exit_code == 0
    (project / "app.py").write_text("\n\n" + EVAL)
    assert check("--baseline", "known.json").exit_code == 0
    (project / "app.py").write_text(EVAL * 2)
    result = check("--baseline", "known.json", "--format", "json")
    assert (result.exit_code, codes(result)) == (1, ["eval-call"])


@pytest.mark.parametrize("place", ["", "deep"])
@pytest.mark.parametrize("absolute", [True, False])
def test_settings_hold_wherever_in_the_project_a_check_is_called(
    project: Path, monkeypatch: pytest.MonkeyPatch, place: str, absolute: bool
) -> None:
    table = '[tool.vetbox]\nbaseline = "known.json"\nexclude = ["deep/made/**", "app.py"]\n'
    (project / "pyproject.toml").write_text(table)
    (project / "deep/made").mkdir(parents=True)
    for name in ("deep/known.py", "deep/made/new.py"):
        (project / name).write_text(EVAL)
    assert check("--write-baseline").exit_code == 0
    assert '"file_path": "deep/known.py"' in (project / "known.json").read_text()
    here = project / place
    monkeypatch.chdir(here)
    result = check("--format", "json", str(here) if absolute else ".")
    summary = json.loads(result.stdout)["summary"]
    assert (codes(result), summary["accepted"]) == ([], 1)
    (project / "deep/later.py").write_text(EVAL)
    assert codes(check("--format", "json", str(here) if absolute else ".")) == ["eval-call"]


def test_rules_of_the_settings_that_are_not_there_are_told_with_their_place(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.vetbox]\nrules = [\n  "own",\n]\n')
    result = check("app.py")
    place = f"{project}/pyproject.toml:3:3: [tool.vetbox] rules"
    assert (result.exit_code, result.stderr) == (
        2,
        f"vetbox: {place}: 'own': no such file or folder\n",
    )


def test_settings_hold_unless_an_option_says_otherwise(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.vetbox]\nignore = ["eval-call"]\n')
    assert check("app.py").exit_code == 0
    assert check("app.py", "--ignore", "assert-used").exit_code == 1


def test_a_suppressed_finding_is_listed_with_its_reason(project: Path) -> None:
    (project / "app.py").write_text("eval(x)  # vetbox: ignore[eval-call] -- a calculator\n")
    result = check("app.py")
    assert result.exit_code == 0
    assert "app.py:1:1 eval-call -- a calculator" in result.stdout


def test_the_agent_profile_ignores_suppressions(project: Path) -> None:
    (project / "app.py").write_text("eval(x)  # vetbox: ignore[eval-call] -- a calculator\n")
    assert check("app.py", "--profile", "agent").exit_code == 1


def test_gitignored_files_are_skipped_counted_and_included_on_request(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".gitignore").write_text("app.py\n")
    result = check(".")
    assert result.exit_code == 0
    assert "1 file skipped" in result.stdout
    assert check(".", "--no-ignore").exit_code == 1


def test_rules_of_ones_own_join_the_shipped_ones(project: Path) -> None:
    (project / "mine").mkdir()
    (project / "mine" / "no-print.yaml").write_text(
        "id: no-print\nmessage: '{callee}() in library code'\nseverity: info\nconfidence: high\n"
        "match:\n  call: {name: print}\nwhy: noise\ninstead: logging\n"
    )
    assert sorted(codes(check("app.py", "--rules", "mine", "--format", "json"))) == [
        "eval-call",
        "no-print",
    ]


def test_a_broken_rule_is_one_sentence_with_its_place(project: Path) -> None:
    (project / "bad.yaml").write_text("id: bad\nmessage: m\nseverity: eror\nmatch: {call: {}}\n")
    result = check("app.py", "--rules", "bad.yaml")
    assert result.exit_code == 2
    assert "bad.yaml:3:" in result.stderr
    assert "did you mean 'error'?" in result.stderr


def test_colour_comes_only_when_asked_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in check("app.py").stdout
    monkeypatch.setitem(os.environ, "FORCE_COLOR", "1")
    assert "\x1b[" in check("app.py").stdout


def test_parse_all_finds_the_syntax_error_that_a_large_scan_passes_by(project: Path) -> None:
    for number in range(205):
        (project / f"m{number}.py").write_text("x = 1\n")
    (project / "broken.py").write_text("x = = 1\n")
    failures = json.loads(check("--parse-all", "--format", "json").stdout)["failures"]
    assert [failure["file_path"] for failure in failures] == ["broken.py"]
