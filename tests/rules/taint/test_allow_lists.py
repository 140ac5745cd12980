"""Which collections hold only what the program has written down itself."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

RULES = load_rules().select(select=("sql-from-request",))
CODE = """\
import os, sqlite3, subprocess
from flask import request

class Report:
{body}
    def rows(self, unit):
        if unit not in {asked}:
            return []
        return sqlite3.connect("a").execute("SELECT a FROM b ORDER BY " + unit)

{rest}
Report().rows(request.args["unit"])
"""


def found(body: str, asked: str, rest: str = "") -> bool:
    indented = "\n".join(f"    {line}" for line in body.split("\n"))
    code = CODE.format(body=indented, asked=asked, rest=rest)
    return bool(check(Source.from_text(code), RULES, profile=Profile.REPO))


OWN = [
    ("units = ['a', 'b']", "self.units"),
    ("units = ['a', 'b']", "Report.units"),
    ("units = frozenset({'a', 'b'})", "self.units"),
    ("units = {'a': 'b'}", "self.units.keys()"),
    ("def __init__(self):\n    self.units = ('a', 'b')", "self.units"),
    ("units = ('a',)\ndef more(self):\n    self.units = ('a', 'b')", "self.units"),
    ("first = ('a',)\nunits = first + ('b',)", "self.units"),
    ("", "[unit.value for unit in Unit]"),
    ("", "{unit.name for unit in units.Unit if unit.shown}"),
    ("", "[u.value for u in list(Unit)]"),
    ("", "Unit"),
    ("units = [['a', 1], ['b', 2]]", "[unit[0] for unit in UNITS]"),
    ("units = ('a', 'b')", "[unit for unit in self.units]"),
    ("", "app.config['UNITS']"),
    ("", "current_app.config.get('UNITS', ())"),
    ("", "subprocess.check_output(['units']).decode().split()"),
]
FOREIGN = [
    # Whoever may upload a file decides its name, and any part of a text is in it.
    ("", "os.listdir('/srv/units')"),
    ("", "subprocess.getoutput('units')"),
    ("", "subprocess.check_output(['units']).decode().strip()"),
    ("", "config['units']"),
    ("", "request.args['UNITS']"),
    ("", "request.args.get('UNITS')"),
    ("", "request.args['units'].split()"),
    ("units = request.args.getlist('units')", "self.units"),
    ("def __init__(self):\n    self.units = request.args", "self.units"),
    ("units = ['a']\ndef more(self):\n    self.units = request.args", "self.units"),
    ("a, units = 'a', request.args", "self.units"),
    ("def units(self): return ['a']", "self.units()"),
    ("", "[unit.value for unit in request.args]"),
    ("", "[request.args[unit.value] for unit in Unit]"),
    ("", "[part for unit in Unit for part in request.args]"),
    ("", "self.units"),
]


@pytest.mark.parametrize(("body", "asked"), OWN)
def test_a_class_may_say_what_is_taken(body: str, asked: str) -> None:
    assert not found(body, asked)


@pytest.mark.parametrize(("body", "asked"), FOREIGN)
def test_what_a_class_does_not_write_down_is_no_list(body: str, asked: str) -> None:
    assert found(body or "pass", asked)


def test_what_an_heir_says_counts_for_its_own_objects() -> None:
    assert not found("units = ['a']", "self.units", "class Wide(Report):\n    units = ['b']\n")
