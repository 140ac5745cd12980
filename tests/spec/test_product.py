"""The product's frame, E-1 to E-10: the parts that it is made of, and that they are one."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from tests.server.services import Pipes, over_stdio
from vetbox.audit import AuditLog
from vetbox.code.source import Source
from vetbox.config import Config
from vetbox.documents import read_yaml
from vetbox.findings import Finding
from vetbox.rules import Profile, check, load_rules, shipped_rules_dir
from vetbox.rules.matching import formulas
from vetbox.run.runner import Runner
from vetbox.sandbox import PythonSandbox
from vetbox.static_analysis import StaticAnalysisParams, ToolResult, run_static_analysis
from vetbox.validation import validate_python_code

ROOT = Path(__file__).parents[2]
SERVE = (sys.executable, "-m", "vetbox", "serve", "--project")
BAD = "import lib\neval(lib.text)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text(BAD)
    return root


@pytest.fixture
def client(project: Path, tmp_path: Path) -> Iterator[Pipes]:
    (tmp_path / "user").mkdir()
    with over_stdio(project, tmp_path / "user", command=SERVE) as pipes:
        pipes.start()
        yield pipes


def result(project: Path, tool: str) -> ToolResult:
    given = {"target_paths": ["."], "tools": [tool]}
    params = StaticAnalysisParams.model_validate(given, context={"project": project})
    (only,) = run_static_analysis(params, project).tool_results
    return only


def test_e1_the_engine_judges_nodes_of_libcst(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a look at the tree of `ast` settles needs no judge; what takes one is libcst's."""
    judged: list[object] = []
    real = formulas.match_one

    def recording(formula: object, node: cst.CSTNode, facts: object) -> object:
        judged.append(node)
        return real(formula, node, facts)

    monkeypatch.setattr(formulas, "match_one", recording)
    code = Source.from_text("import lib\ncompute = [print, eval][1]\ncompute(lib.text)\n")
    (found,) = check(code, load_rules().select(select=["eval-call"]), **AGENT)
    assert (found.location.line, found.location.column) == (3, 1)
    assert judged
    assert all(isinstance(node, cst.CSTNode) for node in judged)


AGENT = {"profile": Profile.AGENT}


def test_e2_every_rule_is_a_yaml_file_and_no_rule_is_code() -> None:
    files = [p for p in shipped_rules_dir().rglob("*") if p.is_file() and "models" not in p.parts]
    rules = [path for path in files if path.suffix == ".yaml"]
    assert not [path for path in files if path.suffix == ".py"]
    assert {read_yaml(p.read_text(), str(p)).data["id"] for p in rules} == set(load_rules().rules)
    assert len(rules) >= 200


def test_e2_a_rule_is_added_by_writing_a_file(tmp_path: Path) -> None:
    (tmp_path / "no-launch.yaml").write_text(
        "id: no-launch\nmessage: 'no launch'\nseverity: error\nmatch: launch(...)\n"
    )
    rules = load_rules(tmp_path, shipped=False)
    (found,) = check(Source.from_text("launch(1)\n"), rules, **AGENT)
    assert (found.code, found.severity) == ("no-launch", "error")


@pytest.mark.parametrize(
    ("claim", "tool", "code"), [("e3", "ruff", "S307"), ("e4", "bandit", "B307")]
)
def test_e3_e4_adapters_answer_in_the_schema_of_tool_results(
    project: Path, claim: str, tool: str, code: str
) -> None:
    answer = json.loads(result(project, tool).model_dump_json())
    assert (answer["tool_name"], answer["issue_count"]) == (tool, len(answer["issues"]))
    (issue,) = (each for each in answer["issues"] if each["code"] == code)
    assert (issue["file_path"], issue["line_number"]) == ("a.py", 2)
    assert issue["severity"] in ("error", "warning", "info")


def test_e5_run_static_analysis_is_a_tool_of_the_service(client: Pipes) -> None:
    answer = client.call(1, "run_static_analysis", target_paths=["a.py"])["result"]
    names = [each["tool_name"] for each in answer["structuredContent"]["tool_results"]]
    assert names == ["rules", "ruff", "bandit"]


def test_e6_run_is_a_tool_of_the_service(client: Pipes) -> None:
    answer = client.call(1, "run", command="sum(range(10))")["result"]
    assert (answer["isError"], answer["content"][0]["text"]) == (False, "45")
    refused = client.call(2, "run", command=BAD)["result"]
    assert refused["isError"] is True
    assert "Dangerous call: eval() not allowed" in refused["content"][0]["text"]


def test_e7_programs_run_in_cpython_on_wasmtime(tmp_path: Path) -> None:
    code = "import sys; print(sys.implementation.name, sys.platform)"
    assert PythonSandbox(workspace=tmp_path).execute(code).stdout == "cpython wasi\n"


def test_e8_ci_gates_on_rule_fixtures(tmp_path: Path) -> None:
    assert "bin/check" in (ROOT / ".ci/run").read_text()
    assert "step vetbox rules test --mutate" in (ROOT / "bin/check").read_text()
    for folder in ("rules", "fixtures"):
        (tmp_path / folder / "exec").mkdir(parents=True)
    rule, fixture = "rules/exec/fork-bomb.yaml", "fixtures/exec/fork-bomb.py"
    (tmp_path / rule).write_text((ROOT / rule).read_text())
    held = (ROOT / fixture).read_text()
    (tmp_path / fixture).write_text(held)
    assert gate(tmp_path / "rules").returncode == 0
    (tmp_path / fixture).write_text(held.replace("# expect: fork-bomb", "# ok: fork-bomb (no)", 1))
    failed = gate(tmp_path / "rules")
    assert (failed.returncode, failed.stdout.count("0 of 1 rules")) == (1, 1)


def gate(rules: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "vetbox", "rules", "test", "--jobs", "1", str(rules)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_e9_one_finding_wherever_the_question_is_asked(project: Path) -> None:
    """Validation, analysis and the check before a run: the same rule, line, column and CWE."""
    (judged,) = validate_python_code(BAD).findings
    (issue,) = (each for each in result(project, "rules").issues if each.code == "eval-call")
    runner = Runner(project, Config(), trusted=False, audit=AuditLog(project))
    (refusal,) = runner.run(BAD).findings
    runner.close()
    assert isinstance(judged, Finding)
    assert type(refusal) is Finding
    places = {
        (judged.code, judged.location.line, judged.location.column, judged.cwe),
        (refusal.code, refusal.location.line, refusal.location.column, refusal.cwe),
        (issue.code, issue.line_number, issue.column_number, issue.cwe),
    }
    assert places == {("eval-call", 2, 1, (95,))}


def test_e10_the_rules_are_a_tool_among_the_tools(project: Path) -> None:
    found = result(project, "rules")
    assert (found.tool_name, found.error) == ("rules", None)
    assert [(each.code, each.line_number) for each in found.issues] == [("eval-call", 2)]
