"""`vetbox check --tools`: several tools, each problem once."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from vetbox.cli import main


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text("print(eval(text))\nassert text\n")
    return tmp_path


def found(*arguments: str) -> list[tuple[str, list[str]]]:
    command = ["check", "--no-cache", "--jobs", "1", "--format", "json", *arguments]
    result = CliRunner().invoke(main, command)
    findings = json.loads(result.stdout)["findings"]
    return [(each["code"], each.get("also_reported_by", [])) for each in findings]


def test_what_several_tools_report_is_shown_once(project: Path) -> None:
    shown = found("--tools", "rules,ruff,bandit", "--select", "eval-call", ".")
    assert shown == [("eval-call", ["bandit:B307", "ruff:S307"]), ("S101", ["bandit:B101"])]


def test_the_text_shows_it_once_and_names_the_others(project: Path) -> None:
    options = ["--no-cache", "--jobs", "1", "--tools", "rules,ruff,bandit", "--select", "eval-call"]
    text = CliRunner().invoke(main, ["check", *options, "."]).stdout
    heads = [line for line in text.splitlines() if "app.py:" in line]
    assert [line.partition("─ ")[2] for line in heads] == [
        "app.py:1:7 · CWE-95 · also bandit:B307, ruff:S307",
        "app.py:2:1 · CWE-703 · ruff · also bandit:B101",
    ]


def test_without_rules_the_other_tools_speak_alone(project: Path) -> None:
    assert found("--tools", "ruff", "app.py") == [("S307", []), ("S101", [])]


def test_the_settings_may_name_the_tools(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.vetbox]\ntools = ["bandit"]\n')
    assert [code for code, _ in found("app.py")] == ["B307", "B101"]


def test_a_comment_accepts_for_all_tools(project: Path) -> None:
    (project / "app.py").write_text("print(eval(text))  # nosec B307\n")
    assert found("--tools", "rules,ruff,bandit", ".") == []


def test_a_file_whose_name_is_no_text_is_one_file_to_all(project: Path) -> None:
    name = os.fsdecode(b"bad\xff.py")
    (project / name).write_text("eval(x)  # nosec B307\nexec(y)\n")
    shown = found("--tools", "rules,ruff,bandit", "--select", "eval-call,exec-call", name)
    assert shown == [("exec-call", ["bandit:B102", "ruff:S102"])]


def test_a_tool_that_does_not_exist_is_misuse(project: Path) -> None:
    result = CliRunner().invoke(main, ["check", "--tools", "mypy", "app.py"])
    assert result.exit_code == 2
    assert "no tool is called 'mypy'" in result.stderr
