"""What a flow says of a place is said once: not by who saw less, nor at a sink around it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from vetbox.findings import Finding
from vetbox.rules import Profile, check, load_rules
from vetbox.source import Source

RULES = load_rules()
FIXTURES = Path(__file__).parents[3] / "fixtures"
TOLD = [(rule.id, flow) for rule in RULES.rules.values() for flow in rule.told_by]
RANKS = ("info", "warning", "error")


def found(code: str, *names: str, profile: Profile = Profile.REPO) -> list[Finding]:
    rules = RULES.select(select=names)
    return [*check(Source.from_text(code), rules, profile=profile)]


def fixtures(*names: str) -> Iterator[str]:
    """The fixtures of rules, which show them at their work."""
    for name in names:
        for path in sorted(FIXTURES.rglob(f"{name}*.py")):
            yield path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("rule", "flow"), TOLD)
def test_what_a_flow_tells_is_told_once(rule: str, flow: str) -> None:
    """A fixture shows each pair: the rule alone reports a place, and is silent beside the flow."""
    silenced = []
    for code in fixtures(rule, flow):
        alone = {(one.location.line, one.location.column) for one in found(code, rule)}
        beside = [one for one in found(code, rule, flow) if one.code == rule]
        silenced += alone - {(one.location.line, one.location.column) for one in beside}
    assert silenced


@pytest.mark.parametrize(("rule", "flow"), TOLD)
def test_no_less_is_said_by_the_flow(rule: str, flow: str) -> None:
    said, instead = (RULES.rules[name].profiles[Profile.REPO] for name in (rule, flow))
    assert said is not None
    assert instead is not None
    assert RANKS.index(instead) >= RANKS.index(said)
    assert {*RULES.rules[rule].cwe} & {*RULES.rules[flow].cwe} or rule == "loader-environment"


VIEW = """\
import subprocess
from flask import request
from sqlalchemy import text

def view(connection, note):
    {statement}
"""
SHELL = VIEW.format(
    statement='subprocess.run("ls " + request.args["a"], shell=True)'
    '\n    subprocess.run("ls " + note, shell=True)'
)


def test_another_place_is_told_as_before() -> None:
    names = "shell-true", "shell-from-request", "process-from-request"
    assert [(one.location.line, one.code) for one in found(SHELL, *names)] == [
        (6, "shell-from-request"),
        (7, "shell-true"),
    ]


def test_code_about_to_run_is_told_all() -> None:
    names = "shell-true", "shell-from-request"
    codes = [one.code for one in found(SHELL, *names, profile=Profile.AGENT)]
    assert codes.count("shell-true") == 2


@pytest.mark.parametrize(
    ("statement", "columns"),
    [
        ('connection.execute(text("select " + request.args["a"]))', [24]),
        ('q = text("select " + request.args["a"]); connection.execute(q)', [9, 46]),
        ('connection.execute("select " + request.args["a"])', [5]),
    ],
)
def test_a_sink_around_another_says_nothing_more(statement: str, columns: list[int]) -> None:
    code = VIEW.format(statement=statement)
    assert [one.location.column for one in found(code, "sql-from-request")] == columns
