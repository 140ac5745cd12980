"""`vetbox run` on the shell: the same answers as over MCP, and exit codes."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from vetbox.cli import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project, which is where the shell is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["run", *arguments], input=stdin)


def test_code_is_run_and_its_value_printed(project: Path) -> None:
    result = run("-c", "```python\nx = 20\nx + 22\n```")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "42\n", "")


def test_a_file_or_standard_input_is_run(project: Path) -> None:
    (project / "program.py").write_text("import sys\nsys.platform")
    assert run("program.py").stdout == "wasi\n"
    assert run("-", stdin="[1, 2]").stdout == "[1,2]\n"


def test_a_failed_program_exits_1(project: Path) -> None:
    result = run("-c", "\n1 / 0")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "ZeroDivisionError: division by zero (line 2)\n"


def test_refused_code_exits_1(project: Path) -> None:
    result = run("-c", "eval('1')")
    assert result.exit_code == 1
    assert "line 1: Dangerous call: eval() not allowed" in result.stderr


@pytest.mark.parametrize("arguments", [[], ["-c", "1", "program.py"], ["missing.py"]])
def test_misuse_exits_2(project: Path, arguments: list[str]) -> None:
    (project / "program.py").touch()
    assert run(*arguments).exit_code == 2


def test_explain_shows_the_stages_and_the_verdict(project: Path) -> None:
    result = run("--explain", "-c", "`  exec('1')`")
    assert result.exit_code == 1
    assert (
        "── without fences\n  exec('1')\n── expanded: unchanged\n── indented\nexec" in result.stdout
    )
    assert "── verdict\nNot executed: 1 problem found." in result.stdout


def test_the_project_can_be_elsewhere(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "note.txt").write_text("found")
    assert run("-C", str(elsewhere), "-c", "fs.read('note.txt')").stdout == "found\n"


def test_a_configuration_that_has_no_effect_is_said(project: Path) -> None:
    (project / ".onetool").mkdir()
    (project / ".onetool/onetool.yaml").write_text("alias: {r: fs.read}\n")
    assert "run `vetbox trust" in run("-c", "1").stderr


def test_the_log_that_vetbox_writes_is_no_configuration(project: Path) -> None:
    run("-c", "1")
    assert run("-c", "1").stderr == ""


@pytest.mark.parametrize("code", ["foo.bar()", "1 / 0", "$nosnippet"])
def test_how_to_trust_is_said_once(project: Path, code: str) -> None:
    (project / ".onetool").mkdir()
    (project / ".onetool" / "onetool.yaml").write_text("schema: 1\n")
    result = run("-c", code)
    assert result.exit_code == 1
    assert result.stderr.count("vetbox trust") == 1
