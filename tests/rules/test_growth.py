"""Code made to take the judge's time: the work grows with its size, or a sentence says it ended."""

import pytest

from tests.timing import works_within
from vetbox.code.source import Source, SourceError
from vetbox.findings import FailureKind
from vetbox.rules import Profile, check, load_rules
from vetbox.validation import agent_rules, validate_python_code

LIMIT_S = 6

CHOICES = " if c else ".join(f"'v{n}'" for n in range(16))
TABLES = "import subprocess, sys\nx0 = sys.argv[1]\n{}\nsubprocess.run(x8, shell=True)\n"
FIXED = "import sqlite3\nc = sqlite3.connect('a').cursor()\nx0 = len(z)\n{}\nc.execute(x8)\n"


def levels(form: str, ways: int) -> str:
    """Eight variables, each of which may be made of the one before in many ways."""
    return "\n".join(form.format(n=n, m=n + 1) for n in range(8) for _ in range(ways))


def repeated(form: str, times: int) -> str:
    return "".join(form.format(n=n, m=n + 1) + "\n" for n in range(times))


INPUT = "import subprocess\nx0 = input()\n{}\nsubprocess.run(x{}, shell=True)\n"

BOMBS = {
    "lists of lists": INPUT.format(repeated("x{m} = [x{n}, x{n}]", 60), 60),
    "tables of tables": INPUT.format(repeated("x{m} = {{'a': x{n}, 'b': x{n}}}", 60), 60),
    "many variables": INPUT.format(repeated("x{m} = x{n}", 2_000), 2_000),
    "many fields": INPUT.format(repeated("x0.f{n} = x0.f{m}\nx0.f{m} = x0", 500), 0),
    "choices of an f-string": f"a = {CHOICES}\ngetattr(m, f'{'{a}' * 9}')\n",
    "choices of a template": f"a = {CHOICES}\ngetattr(m, {'{}' * 9!r}.format({'a, ' * 9}))\n",
    "tables in tables": TABLES.format(levels("if c: x{m} = {{'a': x{n}, **x{n}}}", 12)),
    "texts of texts": FIXED.format(levels("if c: x{m} = x{n}", 12)),
    "sums of sums": FIXED.format(levels("if c: x{m} += x{n}", 12)),
    "a table of many": f"d = [{repeated('f{n},', 800)}eval]\n" + "d[i](1)\n" * 800,
    "a table of one function": f"d = [{'eval, ' * 10_000}]\nd[3]('1')\n",
    "a table of one function by keys": f"d = {{{repeated('k{n}: eval,', 10_000)}}}\nd[k1]('1')\n",
    "many names at once": f"({repeated('f{n},', 5_000)}) = ({'eval,' * 5_000})\nf7('1')\n",
    "many errors asked": "try:\n    f()\nexcept E as e:\n" + "    e.obj.f\n" * 5_000,
    "many handlers": "try:\n    f()\nexcept E as e:\n    e.obj\n" * 2_000,
    "keys nobody knows": f"d = {{{repeated('k{n}: f{n},', 600)}}}\n" + repeated("d[k{n}](1)", 600),
    "a field of many": "class A:\n    def m(self):\n"
    + repeated("        self.f = g{n}\n        self.f(eval)", 600),
    "a variable of many tables": "import random\n" + "x = vars(random)\nx[y].f(1)\n" * 4_000,
    "a variable of itself": "x = [eval]\n" + "x = list(x)\nx[0]('1')\n" * 1_500,
    "variables of one another": "a = [eval]\n" + "b = list(a)\na = list(b)\na[0](1)\n" * 1_000,
    "splats of many": "import subprocess as s\n" + "o = {'shell': y}\ns.run(x, **o)\n" * 1_500,
    "many types": "T = A[b]\ndef f(x: T): eval(x)\n" * 2_500,
    "many steps from a module": "import logging as o\n" + "o = getattr(o, 'a')\n" * 600,
    "a getter of many": "import operator\nf = operator.attrgetter("
    f"{repeated('n{n},', 2_000)})\n" + "f(g)[0](1)\n" * 300,
    "attributes of one another": "import os\nprint(os)\nx.a0 = os\n"
    + repeated("x.a{m} = x.a{n}", 2_000)
    + "x.a2000.system('id')\n",
    "many returns": "def g(a):\n" + repeated("    if a: return f{n}", 800) + "g(1)(eval)\n" * 800,
    "many functions before a builtin is hidden": repeated("def f{n}(): eval('1')", 1_500)
    + repeated("print({n})\na{n} = a{m}", 1_500)
    + "eval = str\n",
    "a circle of methods that fill fields": "import os\nclass A:\n"
    + "".join(
        f"    def f{n}(self, x):\n        self.a{n} = x\n"
        f"        return self.f{(n + 1) % 40}(self.a{(n + 2) % 40}) or self.f{(n + 2) % 40}(x)\n"
        for n in range(40)
    )
    + "os.system(A().f0(input()))\n",
    "calls in many functions of a module with decorators": "import os\n"
    "def twice(g):\n    def run(x):\n        return g(g(x))\n    return run\n"
    "@twice\ndef ask(x):\n    os.system(x + input())\n"
    + repeated("def f{n}(h, x):\n    h(x)\n    h(ask(x))", 700),
    "functions handed on": repeated(
        "import hashlib\nt{n} = {{'a': hashlib.md5}}\nuse(hashlib.md5, signature)\nother({n})",
        1_000,
    ),
    "settings that follow what they are of": "import ssl\n"
    + "context = ssl.create_default_context()\ncontext.check_hostname = False\n" * 1_200,
    "a name of many scopes": "def o():\n    x = eval\n"
    + repeated("    def f{n}():\n        nonlocal x\n        x = g{n}\n        x('1')", 700),
}


@pytest.mark.parametrize("form", BOMBS)
@pytest.mark.parametrize("profile", Profile)
def test_the_work_grows_with_the_size(form: str, profile: Profile) -> None:
    def judge() -> None:
        check(Source.from_text(BOMBS[form]), agent_rules(), profile=profile)

    assert works_within(LIMIT_S, judge)


def test_what_is_too_large_to_follow_is_said_beside_what_is_found() -> None:
    code = "x = 1\n" * 80_000 + "eval(input())\n"
    found = check(Source.from_text(code), agent_rules(), profile=Profile.REPO)
    assert {one.code for one in found} >= {"eval-call", "analysis-incomplete"}


def test_blank_lines_cost_nothing() -> None:
    code = "\n" * 300_000 + "def f(x):\n    eval(x)\n"
    source = Source.from_text(code)
    assert works_within(LIMIT_S, lambda: check(source, agent_rules(), profile=Profile.REPO))


def test_a_text_found_over_and_over_is_placed_in_one_pass() -> None:
    source = Source.from_text("def f(x):\n" + '    if x is "a":\n        return 1\n' * 26_000)
    rules = load_rules().select(select=("literal-by-identity",))
    assert works_within(LIMIT_S, lambda: check(source, rules, profile=Profile.REPO))


CIRCLES = "while a:\n" + "".join(
    f"    x{n} = x{(n + 1) % 1500} or x{n * 3 % 1500}\n    x{n}(1)\n" for n in range(1500)
)


def test_code_too_entangled_to_follow_is_no_clean_code() -> None:
    code = CIRCLES + "    x3 = eval\n"
    assert not validate_python_code(code).valid
    with pytest.raises(SourceError) as refused:
        check(Source.from_text(code), agent_rules(), profile=Profile.REPO)
    assert refused.value.failure.kind is FailureKind.TOO_DEEP


def test_code_too_deep_to_follow_is_refused_with_the_reason() -> None:
    code = f"x = [eval {' '.join(f'for a{n} in b' for n in range(3_000))}]\n"
    with pytest.raises(SourceError, match="flatten it") as refused:
        check(Source.from_text(code), agent_rules(), profile=Profile.AGENT)
    assert refused.value.failure.kind is FailureKind.TOO_DEEP
    assert not validate_python_code(code).valid


MANY = " if c else ".join(f"'v{n}'" for n in range(40)) + " if c else 'eval'"


@pytest.mark.parametrize("use", ["a", "f'{a}'", "'%s' % a", "a + ''"])
def test_a_name_out_of_many_is_one_that_nobody_knows(use: str) -> None:
    assert not validate_python_code(
        f"import builtins\na = {MANY}\ngetattr(builtins, {use})('1')"
    ).valid


NESTED = [
    "z = [[[0] * 10**4] * 10**4] * 10**4",
    "z = {1: ((((0,) * 9000,) * 9000,) * 9000)}",
    "\n".join(["x0 = 0", *(f"x{n} = [{f'x{n - 1}, ' * 60}]" for n in range(1, 9)), "z = x8"]),
    "\n".join(["x0 = 0", *(f"x{n} = ({f'x{n - 1}, ' * 99})" for n in range(1, 7)), "z = x6"]),
    "z = sorted([[0] * 9000] * 9000)",
]
"""Constants that hold a few elements over and over, which are endless when each is looked at."""
ASKED = "if z: os.system(flask.request.args['x'])"
GROWN = "import os, flask\nz = 9\n" + "z = z * z\n" * 60 + ASKED


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("use", ["", "eval(z)", "getattr(os, z[0])", 'vars()["a" + str(z)]'])
@pytest.mark.parametrize("code", NESTED)
def test_constants_that_hold_others_often_take_no_time(
    code: str, use: str, profile: Profile
) -> None:
    source = Source.from_text(f"{code}\n{use}\n")
    assert works_within(LIMIT_S, lambda: check(source, load_rules(), profile=profile))


@pytest.mark.parametrize("profile", list(Profile))
def test_numbers_that_grow_without_end_are_not_worked_out(profile: Profile) -> None:
    source = Source.from_text(GROWN)
    assert works_within(LIMIT_S, lambda: check(source, load_rules(), profile=profile))


REGISTERS = (
    "import os\nfrom flask import request\nT = []\ndef put(f):\n"
    + "    T.append(f)\n" * 400
    + "".join(f"def g{n}(x): os.system(x)\nput(g{n})\n" for n in range(400))
    + "def page():\n    for f in T: f(request.args['a'])\n"
)
"""Every line puts every function into the table."""


@pytest.mark.parametrize("profile", list(Profile))
def test_a_table_that_many_lines_fill_with_many_functions_takes_no_time(profile: Profile) -> None:
    source = Source.from_text(REGISTERS)
    assert works_within(LIMIT_S, lambda: check(source, load_rules(), profile=profile))


EITHER = " or ".join(f"(n == 'a{n}' and m == 'b{n}')" for n in range(60))
GUARDED = (
    "import os\nfrom flask import request\ndef page():\n"
    "    n, m = request.args['n'], request.args['m']\n"
    f"    if {EITHER}:\n        os.system('ls ' + n + m)\n"
)
"""Each choice says something of two variables."""


@pytest.mark.parametrize("profile", list(Profile))
def test_a_test_of_many_choices_takes_no_time(profile: Profile) -> None:
    source = Source.from_text(GUARDED)
    assert works_within(LIMIT_S, lambda: check(source, load_rules(), profile=profile))
