"""What a rule finds by its form is gone where flows tell that all of it is known."""

import pytest

from vetbox.rules import Profile, check, load_rules
from vetbox.source import Source

RULES = load_rules()
NAMES = ("formatted-query", "sql-from-request")
VIEW = """\
import configparser, db, os, re, settings
from flask import request

TABLES = {{"a": "one", "b": "two"}}
state = {{"a": "one"}}

def same(text):
    return text

def own(text):
    return "own"

def view(cursor, given):
    value = request.args["value"]
{body}
    cursor.execute("SELECT a FROM " + name)
"""


def found(body: str, profile: Profile = Profile.REPO, names: tuple[str, ...] = NAMES) -> set[str]:
    code = VIEW.format(body="\n".join(f"    {line}" for line in body.split("\n")))
    rules = RULES.select(select=names)
    return {finding.code for finding in check(Source.from_text(code), rules, profile=profile)}


SETTLED = [
    "d = {'a': value, 'b': 'one'}\nname = d['b']",
    "d = [value, 'one']\nd.pop(0)\nname = d[0]",
    "name = 'one' if 3 * 3 > 8 else value",
    "name = value\nif name not in ('one', 'two'): return",
    "name = TABLES[value]",
    "name = TABLES.get(value, 'one')",
    "name = own(value)",
    "name = str(int(value))",
    "name = same('one')",
    (
        "c = configparser.ConfigParser()\nc.set('a', 'b', value)\nc.set('a', 'c', 'one')\n"
        "name = c.get('a', 'c')"
    ),
    "name = ''\nfor one in ['a', 'b']: name += re.sub('a', 'c', one)",
    "match 'ab'[1]:\n    case 'a': name = value\n    case _: name = 'one'",
    "print(value)\nname = os.path.join('a', 'b')",
]
OPEN = [
    "name = given",
    "name = settings.TABLE",
    "name = db.table()",
    "d = {'a': 'one'}\ndb.fill(d)\nname = d.get('b', 'a')",
    "d = ['one']\nfor x in given: d.append(x)\nfor name in d: pass",
    "state['b'] = given\nname = state.get('b', 'a')",
    "name = same(given)",
    "name = open('table').read()",
    "c = configparser.ConfigParser()\nc.read('table')\nname = c.get('a', 'c')",
    "name = 'a'\ndef put():\n    nonlocal name\n    name = given\nput()",
    "name = os.environ['TABLE']",
    "try: pass\nexcept ValueError as error: name = str(error)",
    "with db.lock() as name: pass",
]


@pytest.mark.parametrize("body", SETTLED)
def test_what_is_made_of_known_parts_is_no_finding(body: str) -> None:
    assert found(body) == set()


@pytest.mark.parametrize("body", OPEN)
def test_what_comes_from_elsewhere_is_one(body: str) -> None:
    assert found(body) == {"formatted-query"}


def test_data_that_arrives_is_told_by_both() -> None:
    assert found("name = value") == {"formatted-query", "sql-from-request"}


def test_code_about_to_run_is_told_all() -> None:
    assert "formatted-query" in found("name = own(value)", Profile.AGENT)


def test_without_the_flows_the_form_is_all_there_is() -> None:
    assert found("name = own(value)", names=("formatted-query",)) == {"formatted-query"}


def test_every_rule_is_excused_by_a_rule_on_flows() -> None:
    for rule in RULES.rules.values():
        assert all(RULES.rules[name].flows for name in rule.excused_by), rule.id
