"""The engine: matchers, places, profiles, and what is handed on."""

import gc
import subprocess
import sys
import time
from pathlib import Path

import libcst as cst
import pytest

from vetbox.code.source import Source
from vetbox.findings import Severity
from vetbox.rules import Profile, RuleSet, check, load_rules
from vetbox.rules.loading.loader import rule_from_data

EVAL = "{call: {name: eval}, resolve: dynamic}"
RUN = "{call: {name: subprocess.run, args: {shell: {is: truthy}}}}"


def places(findings) -> list[tuple[int, int, int, int]]:
    where = [finding.location for finding in findings]
    return [(at.line, at.column, at.end_line, at.end_column) for at in where]


def test_places_are_exact_on_calls_of_several_lines(found) -> None:
    assert places(found(EVAL, "x = [\n  eval(\n    'é',\n  ),\n]\n")) == [(2, 3, 4, 4)]


WHERE = {
    "f-string": ('f"{eval(x)!r:>{10}}"', "eval(x)"),
    "format spec": ('f"{1:{eval(x)}}"', "eval(x)"),
    "default": ("def f(a=eval(x)): pass", "eval(x)"),
    "decorator": ("@eval(x)\nclass A: pass", "eval(x)"),
    "bare decorator": ("@eval\nclass A: pass", "eval"),
    "class body": ("class A:\n    eval(x)", "eval(x)"),
    "class base": ("class A(eval(x)): pass", "eval(x)"),
    "annotation": ("a: eval(x) = 1", "eval(x)"),
    "comprehension": ("[a for a in b if eval(a)]", "eval(a)"),
    "lambda": ("lambda: eval(x)", "eval(x)"),
    "match guard": ("match a:\n    case b if eval(x): pass", "eval(x)"),
    "parentheses": ("(eval)(x)", "(eval)(x)"),
    "comment inside": ("(eval  # c\n)(x)", "(eval  # c\n)(x)"),
    "continued line": ("eval \\\n(x)", "eval \\\n(x)"),
    "no final newline": ("a = 1; eval(x)", "eval(x)"),
    "CR only": ("a = 1\reval(x)\r", "eval(x)"),
    "form feed": ("\x0ca = 1\n\x0ceval(x)\n", "eval(x)"),
    "lone backslash": ("if a:\n  \\\n  eval(x)\n", "eval(x)"),
    "CR LF": ("a = 1\r\neval(x)\r\n", "eval(x)"),
    "CR LF in it": ("a = 1\r\neval(\r\n  x)\r\n", "eval(\n  x)"),
}


@pytest.mark.parametrize("form", WHERE)
def test_a_call_is_found_wherever_it_stands(found, form: str) -> None:
    code, source = WHERE[form]
    assert [finding.source for finding in found(EVAL, code)] == [source]


HANDED_ON = [
    "list(map(eval, xs))",
    "sorted(xs, key=eval)",
    "def f():\n    return eval",
    "class A:\n    __getitem__ = eval",
    "class A:\n    def __init__(self):\n        self.run = eval",
    "d[0] = eval",
    "x, *y = eval, exec",
    "assert x, eval",
    "assert x, ('why', eval)",
    "f(*[eval])",
    "f({'k': eval})",
    "table = {'k': eval}\nf(table)",
    "x: object = [eval]\nf(x)",
    "yield_ = lambda: eval",
    "type(eval).__call__(eval, x)",
    "type('X', (), {'f': staticmethod(eval)}).f(x)",
    "import operator\nf(operator.attrgetter('eval')(__builtins__))",
]


@pytest.mark.parametrize("code", HANDED_ON)
def test_the_agent_profile_flags_a_function_that_gets_out_of_sight(found, code: str) -> None:
    assert "eval" in {finding.callee for finding in found(EVAL, code)}
    assert found(EVAL, code, profile="repo") == []


IN_SIGHT = [
    "e = eval",
    "a, b = eval, print",
    "table = {'k': eval}\ntable['other']",
    "print(eval)",
    "eval is None",
    "assert eval",
    "isinstance(eval, type)",
    "eval.__name__",
    "def f(run=eval): pass",
    "x = f'{eval}'",
]


@pytest.mark.parametrize("code", IN_SIGHT)
def test_a_function_that_stays_in_sight_is_no_finding(found, code: str) -> None:
    assert found(EVAL, code) == []


BINDINGS = [
    "match x:\n    case eval: pass",
    "match x:\n    case [_] as eval: pass",
    "match x:\n    case [eval, *rest]: pass",
    "match x:\n    case [_, *eval]: pass",
    "match x:\n    case {'k': eval}: pass",
    "match x:\n    case {'k': 1, **eval}: pass",
    "match x:\n    case Step(eval=1): pass",
    "match x:\n    case Step(eval=[eval, 2]): pass",
    "a, *eval = x",
    "[*eval, (b, *c)] = x",
    "(a, (b, *eval)) = x",
    "for a, *eval in x: pass",
    "with x as (a, *eval): pass",
    "[1 for a, *eval in x]",
    "match x:\n    case [eval] | [_, eval]: eval(1)",
    "match x:\n    case (1, [eval]) | (2, eval): eval(1)",
]


@pytest.mark.parametrize("code", BINDINGS)
def test_a_name_that_a_pattern_or_a_target_binds_is_no_use_of_the_function(found, code) -> None:
    assert found(EVAL, code) == []


NAMES_AGAIN = [
    "match 0:\n    case 1 as eval: pass\neval(x)",
    "match 0:\n    case [*eval]: pass\neval(x)",
    "match 0:\n    case {**eval}: pass\neval(x)",
    "match 0:\n    case Step(eval=2): pass\neval(x)",
    "match [eval]:\n    case [f] | f: f(x)",
    "match eval, 1:\n    case ((g, 1) | (1, g)): g(x)",
    "f(*[*[eval]])",
    "a, *b = [*[eval]]",
    "d[eval], *a = x",
    "match x:\n    case Step(run=1) if f(eval): pass",
]


@pytest.mark.parametrize("code", NAMES_AGAIN)
def test_what_a_pattern_may_have_left_alone_is_the_function_still(found, code: str) -> None:
    assert "eval" in {finding.callee for finding in found(EVAL, code)}


def test_one_place_is_one_finding(found) -> None:
    either = f"{{any: [{EVAL}, {EVAL}]}}"
    assert len(found(either, "import functools\nfunctools.partial(eval, 'x')()")) == 1


ARGUMENTS = {
    "keyword": ("run('x', shell=True)", True),
    "number": ("run('x', shell=1)", True),
    "variable": ("S = True\nrun('x', shell=S)", True),
    "splat": ("o = {'shell': True}\nrun('x', **o)", True),
    "table in a table": ("o = {'shell': True}\nrun('x', **{**o, **p})", True),
    "table put over": ("o = {'shell': True}\nrun('x', **{**o, 'shell': False})", False),
    "put in": ("def f(**o):\n    o['shell'] = True\n    run('x', **o)", True),
    "put into a splat": ("def f(o):\n    o.update(shell=True)\n    run('x', **o)", True),
    "put in among much else": (
        "def f(o):\n" + "    print(1)\n" * 9 + "    o['shell'] = True\n    run('x', **o)",
        True,
    ),
    "put in later": ("def f(**o):\n    run('x', **o)\n    o['shell'] = True", False),
    "default": ("def f(**o):\n    o.setdefault('shell', True)\n    run('x', **o)", True),
    "other default": ("o = {'shell': False}\no.setdefault('shell', True)\nrun('x', **o)", False),
    "dict call": ("run('x', **dict(shell=True))", True),
    "partial": ("import functools\nfunctools.partial(run, shell=True)('x')", True),
    "disguised keyword": ("run('x', \uff53hell=True)", True),
    "false": ("run('x', shell=False)", False),
    "absent": ("run('x')", False),
    "unknown": ("run('x', shell=flag)", False),
}


@pytest.mark.parametrize("form", ARGUMENTS)
def test_an_argument_is_found_however_it_is_given(found, form: str) -> None:
    code, fires = ARGUMENTS[form]
    assert bool(found(RUN, f"from subprocess import run\n{code}\n")) is fires


CONDITIONS = [
    ("{is: none}", "None", "0"),
    ("{is: not-none}", "x", "None"),
    ("{is: str}", "'a' + b'c'.decode()", "1"),
    ("{is: number}", "1.5", "True"),
    ("{is: list}", "[x]", "(x,)"),
    ("{is: formatted}", "f'{x}'", "'a' + 'b'"),
    ("{is: formatted}", "'a' f'{x}' 'b'", "'a' f'b'"),
    ("{is: formatted}", "'a' f'{x}' + y", "'a' 'b' + 'c'"),
    ("{is: fstring}", "'a' f'{x}'", "'a' 'b'"),
    ("{regex: 'a b'}", "'a ' f'b{x}'", "'a ' f'{x}b'"),
    ("{is: formatted}", "'{}'.format(x)", "'{}'.format(1)"),
    ("{is: non_literal}", "x", "'a'"),
    ("{is: falsy}", "[]", "[x]"),
    ("{regex: '^http:'}", "'http:' + x", "'https:'"),
    ("{in: [1, a]}", "'a'", "True"),
    ("2048", "2048", "2049"),
    ("{compare: '< 2048'}", "1024", "2048"),
    ("{bits: '& 0o022'}", "0o777", "0o700"),
    ("{bits: '& 0o002'}", "__import__('stat').S_IWOTH", "0o700"),
    ("{name: ssl.CERT_NONE}", "ssl.CERT_NONE", "ssl.CERT_REQUIRED"),
    ("{contains: {regex: none}}", "['a', 'none']", "['a']"),
    ("{first: ''}", "('', 80)", "('a', '')"),
    ("{has: {verify: {is: falsy}}}", "{'verify': False}", "{'verify': True}"),
    ("{has: {verify: {is: falsy}}}", "dict(verify=False)", "[False]"),
    ("{length: '< 8'}", "'short'", "'long enough'"),
    ("{backtracks: found}", "'(a+)+$'", "'(a+,)+$'"),
    ("{backtracks: whole}", "'(a+)+'", "'a+'"),
    ("{entropy: 3.0}", "'k8Xq2Lz9Wp4'", "'aaaaaaaaaa'"),
    ("{any: [1, 2]}", "2", "3"),
    ("{not: {is: literal}}", "x", "1"),
]


@pytest.mark.parametrize(("condition", "good", "bad"), CONDITIONS)
def test_a_condition_on_a_value(found, condition: str, good: str, bad: str) -> None:
    match = f"{{call: {{name: f, args: {{0: {condition}}}}}}}"
    assert [finding.location.line for finding in found(match, f"f({good})\nf({bad})\n")] == [1]


MATCHERS = [
    ("import: {module: ctypes}", "from ctypes import util", "import ctypeslib"),
    ("import: {module: a.b}", "import a.b.c", "import a"),
    ("import: {module: ctypes}", "__import__('ctypes')", "__import__('json')"),
    ("attr: {name: __globals__}", "f.__globals__", "__globals__"),
    ("{attr: {name: __class__}, resolve: dynamic}", "getattr(x, '__class__')", "getattr(x, 'a')"),
    ("attr: {name: a, base: os}", "import os; os.a", "sys.a"),
    ("string: {regex: AKIA}", "'AK' 'IA'", "AKIA"),
    ("string: {regex: AKIA}", "f'{x}AKIA'", "# AKIA"),
    ("string_ref: {regex: __class__, uses: [format]}", "'{0.__class__}'.format(x)", "'__class__'"),
    ("name: {name: ssl.OP}", "import ssl as s; f(s.OP)", "ssl = 1"),
    ("assign: {target: '*.verify', value: {is: falsy}}", "s.verify = False", "s.verify = True"),
    (
        "assign: {target: os.environ, key: LD_PRELOAD}",
        "import os; os.environ['LD_PRELOAD'] = x",
        "import os; os.environ[k] = x",
    ),
    ("assign: {target-regex: '(?i)pass', value: {is: str}}", "db_PASS = 'x'", "passed = 1"),
    ("assign: {target: pw, forms: [item]}", "{'pw': 1}", "pw = 1"),
    ("assign: {target: pw, forms: [keyword]}", "f(pw=1)", "f(1)"),
    ("assign: {target: pw, forms: [default]}", "def f(pw=1): pass", "def f(pw): pass"),
    ("assign: {target: pw, forms: [compare]}", "pw == 'a'", "pw < 'a'"),
    ("assign: {target: pw, forms: [compare]}", "'a' != pw", "'a' in pw"),
    (
        "assign: {target-regex: 'pw$', value: {is: str}, forms: [compare]}",
        "if f(x)[0] and 'a' != db_pw: f()",
        "if given != db_pw: f()",
    ),
    ("decorator: {name: m.route}", "import m\n@m.route('/')\ndef f(): pass", "import m; m.route()"),
    ("def: {name: __reduce__}", "def __reduce__(self): pass", "__reduce__()"),
    (
        "def: {decorator: m.get, parameters: [a]}",
        "import m\n@m.get\ndef f(a): pass",
        "def f(a): pass",
    ),
    (
        "class: {base: pickle.Unpickler}",
        "import pickle\nclass A(pickle.Unpickler): pass",
        "class A: pass",
    ),
    (
        "class: {name: C, ancestor: pickle.Unpickler}",
        "import pickle\nclass A(pickle.Unpickler): pass\nclass B(x, A): pass\nclass C(B): pass",
        "import pickle\nclass A: pass\nclass B(A): pickle.Unpickler\nclass C(B): pass",
    ),
    (
        "class: {name: C, ancestor: pickle.Unpickler}",
        "import pickle\nclass C(pickle.Unpickler): pass",
        "import pickle\nclass A(pickle.Unpickler): pass\nclass C: pass",
    ),
    (
        "class: {name: C, ancestor: pickle.Unpickler}",
        "import pickle\nclass C(D, pickle.Unpickler): pass\nclass D(C): pass",
        "class C(D): pass\nclass D(C): pass",
    ),
    ("except: {bare: true, body: pass}", "try: f()\nexcept: pass", "try: f()\nexcept: raise"),
    (
        "except: {type: Exception}",
        "try: f()\nexcept (A, Exception): pass",
        "try: f()\nexcept A: pass",
    ),
    ("assert: {}", "assert x", "x"),
    ("raw: {regex: 'TODO'}", "# TODO", "x = 1"),
    ("identifier: {kind: mixed-script}", "is_\u0430dmin = 1", "is_admin = 1"),
    ("{call: {name: f}, inside: {def: {name: g}}}", "def g():\n    f()", "f()"),
    ("{call: {name: f}, not-inside: {def: {name: g}}}", "f()", "def g():\n    f()"),
    ("{call: {name: f}, has: {call: {name: g}}}", "f(g())", "f(h())"),
    ("{call: {name: f}, unless: [{call: {name: f, args: {0: 1}}}]}", "f(2)", "f(1)"),
    ("{call: {name: '*.run', absent: [timeout], no-splat: true}}", "x.run()", "x.run(**y)"),
]


@pytest.mark.parametrize(("match", "good", "bad"), MATCHERS)
def test_a_matcher_fires_on_one_and_not_on_the_other(
    found, match: str, good: str, bad: str
) -> None:
    assert found(match, good)
    assert found(match, bad) == []


def test_a_rule_reports_where_it_says(found) -> None:
    code = "import subprocess\nsubprocess.run('x', shell=True)\n"
    report = {"at": "arg.shell"}
    assert [f.source for f in found(RUN, code, report=report)] == ["True"]
    assert [f.source for f in found(RUN, code, report={"at": "callee"})] == ["subprocess.run"]


def test_a_variable_that_is_none_until_it_is_set_is_called_by_what_it_is_set_to(found) -> None:
    code = "import os\nrun = None\ndef up():\n    global run\n    run = os.{}\nrun(text)\n"
    run = 'call: {name: "*.system"}'
    assert [f.callee for f in found(run, code.format("system"))] == ["os.system"]
    of = "line = None\ndef up(x):\n    global line\n    line = x\nline.system(text)\n"
    assert [f.callee for f in found(run, of)] == ["system"]


def test_a_message_names_what_was_found(found) -> None:
    message = "{callee} {argument}={value} in {source}"
    (finding,) = found(RUN, "import subprocess as s\ns.run(shell=True)", message=message)
    assert finding.message == "subprocess.run shell=True in s.run(shell=True)"


def test_a_message_names_what_is_handed_on(found) -> None:
    rule = {"message": "{name} of {callee}"}
    code = "list(map(eval, x))\nimport os\nrun(os.system)\n"
    for match in (EVAL, "{call: {name: os.system}}"):
        (finding,) = found(match, code, **rule)
        assert finding.message == " of ".join([finding.callee] * 2)


def test_profiles_have_their_own_severity_and_message(found) -> None:
    profiles = {"agent": {"severity": "error", "message": "blocked"}, "repo": "info"}
    (agent,) = found(EVAL, "eval(x)", profiles=profiles)
    (repo,) = found(EVAL, "eval(x)", profiles=profiles, profile="repo")
    assert (agent.severity, agent.message) == (Severity.ERROR, "blocked")
    assert (repo.severity, repo.message) == (Severity.INFO, "eval")
    assert found(EVAL, "eval(x)", profiles={"repo": "off"}, profile="repo") == []


def test_paths_decide_which_files_a_rule_sees() -> None:
    data = {"id": "r", "message": "m", "severity": "error", "match": {"assert": {}}}
    rule = rule_from_data({**data, "paths": {"exclude": ["**/tests/**", "test_*.py"]}}, "r.yaml")
    rules = RuleSet.of([rule])
    seen = [
        path
        for path in ("app.py", "tests/a.py", "a/tests/b/c.py", "test_x.py", "a/test_x.py")
        if check(Source.from_text("assert x", path), rules, profile=Profile.REPO)
    ]
    assert seen == ["app.py", "a/test_x.py"]


def test_code_about_to_run_is_excused_by_no_path() -> None:
    data = {"id": "r", "message": "m", "severity": "error", "match": {"assert": {}}}
    rule = rule_from_data({**data, "paths": {"exclude": ["**/tests/**"]}}, "r.yaml")
    source = Source.from_text("assert x", "project/tests/a.py")
    assert check(source, RuleSet.of([rule]), profile=Profile.REPO) == ()
    assert len(check(source, RuleSet.of([rule]), profile=Profile.AGENT)) == 1


def test_checking_a_source_twice_says_the_same(found) -> None:
    rules = RuleSet.of(
        [
            rule_from_data(
                {"id": "r", "message": "m", "severity": "error", "match": {"call": {"name": "f"}}},
                "r",
            )
        ]
    )
    source = Source.from_text("f()\n")
    first = check(source, rules, profile=Profile.AGENT)
    assert first == check(source, rules, profile=Profile.AGENT) != ()


CIRCLES = {
    "text in a loop": "q = 'a'\nfor x in y:\n    q = q + x\n    q += x\n    f(q % x)\n",
    "long sum": "q = a\n" + "q = q + q + q\n" * 800 + "f(q)\n",
    "many branches": "".join(f"if a{n}: e = eval\n" for n in range(500)) + "e(x)\n" * 100,
    "large range": "getattr(x, ''.join(map(chr, range(10**9))))\n",
    "comprehensions": "getattr(x, [[c for c in range(9999)] for d in range(9999)])\n",
    "large text": "getattr(x, ('a' * 9999).replace('a', 'b' * 9999))\n",
    "infinity": "f(-1e999, ~1.5)\n",
}


@pytest.mark.parametrize("circle", CIRCLES)
def test_code_that_leads_in_circles_is_judged_in_time(found, circle: str) -> None:
    start = time.process_time()
    for argument in ("formatted", "str", "literal", "list"):
        found(f"call: {{name: '*', args: {{any: {{is: {argument}}}}}}}", CIRCLES[circle])
    found(EVAL, CIRCLES[circle])
    assert time.process_time() - start < 20


def test_a_chain_of_900_aliases_is_followed_to_its_end(found) -> None:
    chain = "a0 = eval\n" + "".join(f"a{n + 1} = a{n}\n" for n in range(900)) + "a900(x)\n"
    assert places(found(EVAL, chain)) == [(902, 1, 902, 8)]


def test_a_text_that_grows_is_a_built_text(found) -> None:
    match = "call: {name: '*.execute', args: {0: {is: formatted, regex: '^select'}}}"
    code = "q = 'select * from t'\nq += ' where a=' + n\ncur.execute(q)\n"
    assert [finding.location.line for finding in found(match, code)] == [3]


HANDED_ON = """
from flask import request
import os
calls = [os.system]
def page():
    for call in calls:
        call('ls ' + request.args['a'])
    return getattr(os, 'sys' + 'tem')(input())
"""


def test_what_is_judged_is_freed_without_the_garbage_collector() -> None:
    rules = load_rules()
    # Patterns are parsed, and kept, when they are first asked for.
    assert check(Source.from_text(HANDED_ON), rules, profile=Profile.REPO)
    gc.collect()
    gc.disable()
    try:
        before = parsed_modules()
        check(Source.from_text(HANDED_ON), rules, profile=Profile.REPO)
        assert parsed_modules() == before
    finally:
        gc.enable()


def parsed_modules() -> int:
    return sum(isinstance(one, cst.Module) for one in gc.get_objects())


ROOT = Path(__file__).parents[2]
LEFT_BEHIND = """
import gc
from pathlib import Path

from vetbox.rules import Profile, check, load_rules
from vetbox.code.source import Source

rules = load_rules()
sources = [
    Source.from_bytes(path.read_bytes(), f"code/{path.name}")
    for path in sorted(Path("fixtures").rglob("*.py"))[::4]
]
for source in sources[:2]:
    check(source, rules, profile=Profile.REPO)
gc.collect()
gc.disable()
for source in sources:
    check(source, rules, profile=Profile.REPO)
del source
sources.clear()
gc.set_debug(gc.DEBUG_SAVEALL)
gc.collect()
print({type(one) for one in gc.garbage if type(one).__module__.startswith("vetbox")})
"""


def test_what_judging_leaves_behind_needs_no_collection() -> None:
    """Collecting garbage took a twelfth of a large scan."""
    command = [sys.executable, "-c", LEFT_BEHIND]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("set()\n", "")
