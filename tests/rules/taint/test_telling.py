"""What a flow says of a place is said once: not by who saw less, nor at a sink around it."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from vetbox.code.source import Source
from vetbox.findings import Finding, Location, Severity
from vetbox.rules import Profile, check, load_rules
from vetbox.rules.once import told_once

RULES = load_rules()
FILES = sorted((Path(__file__).parents[3] / "fixtures").rglob("*.py"))
TOLD = [(rule.id, flow) for rule in RULES.rules.values() for flow in rule.told_by]
RANKS = ("info", "warning", "error")


def found(code: str, *names: str, profile: Profile = Profile.REPO) -> list[Finding]:
    rules = RULES.select(select=names)
    return [*check(Source.from_text(code), rules, profile=profile)]


def fixtures(*names: str) -> Iterator[str]:
    """The fixtures of rules, which show them at their work."""
    for name in names:
        for path in FILES:
            if path.name.startswith(name):
                yield path.read_text(encoding="utf-8")


@cache
def places(code: str, rule: str) -> frozenset[tuple[int, int]]:
    """Where a rule reports something as long as no other speaks for it."""
    return frozenset((one.location.line, one.location.column) for one in found(code, rule))


def silenced(code: str, rule: str, flow: str) -> bool:
    """Does the rule report a place alone of which it is silent beside the flow?"""
    alone = places(code, rule)
    if not alone:
        return False
    beside = [one for one in found(code, rule, flow) if one.code == rule]
    return bool(alone - {(one.location.line, one.location.column) for one in beside})


@pytest.mark.parametrize(("rule", "flow"), TOLD)
def test_what_a_flow_tells_is_told_once(rule: str, flow: str) -> None:
    """A fixture shows each pair: the rule alone reports a place, and is silent beside the flow."""
    assert any(silenced(code, rule, flow) for code in fixtures(flow, rule))


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


def at(code: str, line: int, columns: range) -> Finding:
    location = Location("a.py", line, columns.start, line, columns.stop)
    return Finding("python", code, "", Severity.WARNING, location)


@pytest.mark.parametrize(
    ("place", "is_told"),
    [
        (range(10, 20), True),
        (range(12, 15), True),
        (range(5, 30), True),
        (range(1, 9), False),
        (range(20, 25), False),
        (range(5, 15), False),
        (range(40, 45), True),
        (range(31, 39), False),
    ],
)
def test_one_place_holds_the_other(place: range, is_told: bool) -> None:
    flows = [at("shell-from-request", 1, columns) for columns in (range(10, 20), range(40, 50))]
    shell = at("shell-true", 1, place)
    assert (shell not in told_once([shell, *flows], RULES.rules)) == is_told
    assert shell in told_once([shell, *(replace(one, code="other") for one in flows)], RULES.rules)


@pytest.mark.parametrize("lines", [1, 20_000])
def test_thousands_of_findings_are_told_once_in_no_time(lines: int) -> None:
    places = [(n % lines + 1, range(n * 10, n * 10 + 5)) for n in range(20_000)]
    shells = [at("shell-true", *place) for place in places]
    flows = [at("shell-from-request", *place) for place in places[::2]]
    started = time.process_time()
    assert len(told_once([*shells, *flows], RULES.rules)) == 20_000
    assert time.process_time() - started < 5
