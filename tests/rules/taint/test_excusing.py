"""What a rule finds by its form is gone where flows tell that all of it is known."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules

RULES = load_rules()
NAMES = ("formatted-query", "sql-from-request")
VIEW = """\
import configparser, contextvars, dataclasses, db, json, os, re, settings
from flask import request

TABLES = {{"a": "one", "b": "two"}}
state = {{"a": "one"}}

@dataclasses.dataclass
class Row:
    table: str
    note: str

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
    (
        "c = configparser.ConfigParser()\nc.read_dict({'a': {'b': 'one'}})\n"
        "c['a']['c'] = value\nname = c.get('a', 'b')"
    ),
    "class Job: pass\njob = Job()\nsetattr(job, 'table', 'one')\nname = job.table",
    (
        "class Job: pass\njob = Job()\njob.note = value\n"
        "setattr(job, 'table', 'one')\nname = job.table"
    ),
    "v = contextvars.ContextVar('v', default='one')\nv.set('two')\nname = v.get()",
    "match 'ab'[1]:\n    case 'a': name = value\n    case _: name = 'one'",
    "print(value)\nname = os.path.join('a', 'b')",
    "r = Row('one', value)\nname = dataclasses.asdict(r)['table']",
    "r = Row('one', value)\nname = vars(r)['table']",
    "name = json.loads(json.dumps({'a': value, 'b': 'one'}))['b']",
    "text = json.dumps({'a': value, 'b': 'one'}, indent=1)\nname = json.loads(text)['b']",
]
OPEN = [
    "name = given",
    "r = Row(given, value)\nname = dataclasses.asdict(r)['table']",
    "name = settings.TABLE",
    "name = state['b']",  # others may put something there
    "name = yield",
    "name = yield 'one'",
    "name = db.table()",
    "d = {'a': 'one'}\ndb.fill(d)\nname = d.get('b', 'a')",
    "d = ['one']\nfor x in given: d.append(x)\nfor name in d: pass",
    "state['b'] = given\nname = state.get('b', 'a')",
    "name = same(given)",
    "class Job: pass\njob = Job()\nsetattr(job, 'table', given)\nname = job.table",
    "v = contextvars.ContextVar('v', default='one')\nv.set(given)\nname = v.get()",
    "name = open('table').read()",
    "c = configparser.ConfigParser()\nc.read('table')\nname = c.get('a', 'c')",
    "name = 'a'\ndef put():\n    nonlocal name\n    name = given\nput()",
    "name = os.environ['TABLE']",
    "try: pass\nexcept ValueError as error: name = str(error)",
    "with db.lock() as name: pass",
    "name = json.loads(json.dumps({'a': 'one', 'b': given}))['b']",
    "name = json.dumps({'a': 'one', 'b': given})",
    "name = json.loads(given)['b']",
]


@pytest.mark.parametrize("body", SETTLED)
def test_what_is_made_of_known_parts_is_no_finding(body: str) -> None:
    assert found(body) == set()


@pytest.mark.parametrize("body", OPEN)
def test_what_comes_from_elsewhere_is_one(body: str) -> None:
    assert found(body) == {"formatted-query"}


TYPED = """\
import enum, uuid
from decimal import Decimal
from typing import Literal
from flask import request

def sent(cursor):
    cursor.execute("SELECT a FROM b WHERE c = ?", request.args["c"])

class Column(str, enum.Enum):
    NAME = "name"

class Words(str):
    pass

{lines}
    cursor.execute(f"SELECT a FROM b ORDER BY {{name}}")
"""
TOLD = [
    "def view(cursor, name: int):",
    "def view(cursor, name: int | None = None):",
    "def view(cursor, *, name: Column = Column.NAME):",
    "def view(cursor, name: Literal['a', 'b'] = Query('a')):",
    "def view(cursor, name: uuid.UUID | Decimal):",
    "@app.route('/<int:name>')\ndef view(name):",
]
UNTOLD = [
    "def view(cursor, name: str):",
    "def view(cursor, name: int | str):",
    "def view(cursor, name: Words):",
    "def view(cursor, name='a'):",
    "@app.route('/<name>')\ndef view(name: object):",
]


def found_of(lines: str) -> set[str]:
    code = TYPED.format(lines=lines)
    rules = RULES.select(select=NAMES)
    return {one.code for one in check(Source.from_text(code), rules, profile=Profile.REPO)}


@pytest.mark.parametrize("lines", TOLD)
def test_parameters_whose_type_holds_no_text_are_known(lines: str) -> None:
    assert found_of(lines) == set()


@pytest.mark.parametrize("lines", UNTOLD)
def test_parameters_of_other_types_are_not(lines: str) -> None:
    is_routed = lines.startswith("@app.route")
    assert found_of(lines) == {"sql-from-request" if is_routed else "formatted-query"}


def test_data_that_arrives_is_told_by_the_flow() -> None:
    assert found("name = value") == {"sql-from-request"}


def test_data_that_is_written_and_read_again_arrives() -> None:
    told = {"sql-from-request"}
    assert found("name = json.loads(json.dumps({'a': value, 'b': 'one'}))['a']") == told
    assert found("name = json.dumps({'a': value, 'b': 'one'})") == told
    assert found("for name in json.dumps([value]): pass") == told


SEVERAL = """\
from flask import request

def searched(cursor):
    tables = {"a": "one"}
    cursor.execute("SELECT a FROM " + tables.get(request.args["table"], request.args["other"]))

def listed(cursor):
    tables = {"a": "one"}
    cursor.execute("SELECT a FROM " + tables[request.args["table"]])
"""


def test_what_arrives_in_one_function_says_nothing_of_another() -> None:
    rules = RULES.select(select=NAMES)
    told = check(Source.from_text(SEVERAL), rules, profile=Profile.REPO)
    assert {(one.code, one.location.line) for one in told} == {("sql-from-request", 5)}


def test_code_about_to_run_is_told_all() -> None:
    assert "formatted-query" in found("name = own(value)", Profile.AGENT)


LOADED = """\
import yaml
from flask import request

def view():
    texts = [request.args["text"], "a: 1"]
    return yaml.load(texts[{place}], Loader=yaml.UnsafeLoader)
"""


def loaded(place: int) -> set[str]:
    rules = RULES.select(select=("yaml-load", "object-from-request"))
    source = Source.from_text(LOADED.format(place=place))
    return {finding.code for finding in check(source, rules, profile=Profile.REPO)}


def test_yaml_of_the_program_itself_is_no_finding() -> None:
    assert loaded(1) == set()
    assert loaded(0) == {"object-from-request"}


def test_without_the_flows_the_form_is_all_there_is() -> None:
    assert found("name = own(value)", names=("formatted-query",)) == {"formatted-query"}


def test_every_rule_is_excused_by_a_rule_on_flows() -> None:
    for rule in RULES.rules.values():
        assert all(RULES.rules[name].flows for name in rule.excused_by), rule.id


@pytest.mark.parametrize("name", ["table", "column"])
def test_the_name_of_a_table_is_excused_by_what_was_asked_of_it(name: str) -> None:
    rules = ("named-table-query", "sql-from-request")
    asked = f'{name} = request.args["t"]\nif {name} not in ("a", "b"):\n    return'
    run = f'cursor.execute(f"SELECT a FROM {{{name}}}")\nname = "b"'
    assert found(f"{asked}\n{run}", names=rules) == set()
    assert found(f"{name} = given\n{run}", names=rules) == {"named-table-query"}
