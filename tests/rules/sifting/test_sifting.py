"""What sifting drops can be no finding, and it drops what plainly is none."""

from pathlib import Path

import pytest

from tests.sampling import sample
from vetbox.code.source import Source, SourceError
from vetbox.rules import Profile, RuleSet, load_rules
from vetbox.rules.excerpt import reduce
from vetbox.rules.judging import findings, hits_in, resolver_of
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.program import program_of

FIXTURES = Path(__file__).parents[3] / "fixtures"
RULES = load_rules()
RULE = {"id": "r", "message": "found", "severity": "warning"}
SHELL = {
    "call": {
        "name": ["subprocess.run", "subprocess.Popen"],
        "args": {"shell": {"is": "truthy"}},
        "absent": ["timeout"],
    }
}
QUERY = {
    "call": {
        "name": ["*.execute"],
        "args": {"0": {"is": "formatted", "regex": "(?i)select .* from"}},
    }
}
SECRET = {
    "assign": {
        "target-regex": "^password$",
        "value": {"length": ">= 8", "not": {"regex": "change"}},
        "forms": ["assign", "item", "keyword", "default"],
    }
}
UMASK = {"call": {"name": "os.umask", "args": {"0": {"bits": "& 0o002"}}}}


def kept(match: dict[str, object], code: str) -> bool:
    """Whether anything is left of the code, behind enough other code."""
    return excerpt(match, code) != ""


def excerpt(match: dict[str, object], code: str) -> str | None:
    """What is left of the code; None: all of it."""
    padding = "".join(f"def other_{n}(a):\n    return a\n\n" for n in range(30))
    rules = RuleSet.of([rule_from_data({**RULE, "match": match}, "r")])
    program = program_of(rules, Profile.REPO)
    source = Source.from_text(padding + code + "\n")
    hits = program.hits(source)
    assert hits, "the prefilter has dropped it already"
    found = reduce(source.text, hits, program.reaches, program.sieve(hits))
    return None if found is None else found.text


def found_in(match: dict[str, object], code: str) -> bool:
    """Whether the judge finds anything when it reads all of the code."""
    rules = RuleSet.of([rule_from_data({**RULE, "match": match}, "r")])
    facts = resolver_of(Source.from_text(code + "\n"), Profile.REPO)
    return bool(hits_in(facts, program_of(rules, Profile.REPO), frozenset({"r"})))


@pytest.mark.parametrize(
    "code",
    [
        "subprocess.run(x, shell=True)",
        "subprocess.run(x, shell=on)\non = True",
        "def f(on=True):\n    subprocess.run(x, shell=on)",
        "subprocess.run(x, shell=1 if x else 0)",
        "subprocess.run(x, **{'shell': True})",
        "subprocess.run(x, **options)  # shell",
        "run = partial(subprocess.run, shell=True)\nrun(x)",
        "go = subprocess.run\ngo(x, shell=True)",
        "table = {'a': subprocess.run}\ntable['a'](x, shell=True)",
        "import subprocess as s\nif y: s.run(x, shell=not False)",
        "with subprocess.Popen(x, shell=True) as p:\n    pass",
        "try:\n    pass\nexcept subprocess.run(x, shell=True):\n    pass",
        "@subprocess.run(x, shell=True)\ndef f():\n    pass",
        "print(f'{subprocess.run(x, shell=True)}')",
        "print(f'{(on := True)}')\nsubprocess.run(x, shell=on)",
        "match True:\n    case on:\n        subprocess.run(x, shell=on)",
    ],
)
def test_a_call_that_may_be_meant_stays(code: str) -> None:
    assert kept(SHELL, f"import subprocess\nfrom functools import partial\n{code}")


@pytest.mark.parametrize(
    "code",
    [
        "subprocess.run(x)",
        "subprocess.run(x, shell=False)",
        "subprocess.run(x, shell=on)",
        "on = 0\nsubprocess.run(x, shell=on)",
        "subprocess.run(x, shell=True, timeout=9)",
        "subprocess.Popen",
    ],
)
def test_a_call_that_is_not_meant_goes(code: str) -> None:
    assert not kept(SHELL, f"import subprocess\nshell = 1\n{code}")


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("c.execute(f'select {x} from t')", True),
        ("c.execute('select a from ' + x)", True),
        ("q = 'select %s from t' % x\nc.execute(q)", True),
        ("c.execute('select 1 from t' if y else '{}'.format(x))", True),
        ("c.execute('select 1 from t')", False),
        ("c.execute(q)\nq = 'select 1 from t'", False),
        ("c.execute(make('select 1 from t'))", False),
        ("def execute(self, q):\n    'select 1 from t'\nc.execute", False),
        ("c.execute('insert %s' % x)\n'select 1 from t'", False),
    ],
)
def test_a_text_is_followed_to_where_it_is_put_together(code: str, stays: bool) -> None:
    assert kept(QUERY, code) == stays


BUILT = "q = 'select %s from t' % x"


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        (f"def f():\n    {BUILT}\n    c.execute(q)", True),
        (f"{BUILT}\ndef f():\n    c.execute(q)", True),
        (f"class A:\n    {BUILT}\n    def f(self):\n        c.execute(q)", True),
        (f"def f():\n    {BUILT}\n    def g():\n        c.execute(q)", True),
        (f"def f():\n    global q\n    {BUILT}\ndef g():\n    c.execute(q)", True),
        ("def f(q='select %s from t' % x):\n    c.execute(q)", True),
        ("def f(a=(q := 'select %s from t' % x)): pass\nc.execute(q)", True),
        (f"def f():\n    {BUILT}\ndef g(q):\n    c.execute(q)", False),
        (f"def f():\n    def g():\n        {BUILT}\n    c.execute(q)", False),
        (f"class A:\n    {BUILT}\nc.execute(q)", False),
        ("def f(q='select %s from t' % x): pass\nc.execute(q)", False),
        ("def f():\n    q = 1\n" * 50 + f"def g():\n    {BUILT}\n    c.execute(q)", True),
        ("def f():\n    q = 1\n" * 50 + "'select 1 from t'\ndef g(q):\n    c.execute(q)", False),
        ("c.execute('select %s from t' % x, **y)", True),
        ("'select 1 from t'\nc.execute(x, **y)", False),
        ("'select 1 from t'\nc.execute(*x)", True),
    ],
)
def test_a_name_has_what_is_given_it_where_the_line_sees_it(code: str, stays: bool) -> None:
    assert kept(QUERY, code) == stays


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("password = 'abcdefgh'", True),
        ("self.password: str = 'abcd' 'efgh'", True),
        ("d = {'password': NAME}\nNAME = 'abcdefgh'", True),
        ("f(password=b'abcdefgh'.decode())", True),
        ("def f(*, password='abcdefgh'): pass", True),
        ("d['password'] = 'abcdefgh'", True),
        ("password = 'short'", False),
        ("password = 'change me'", False),
        ("password = read('abcdefgh')", False),
        ("f(password=password)", False),
    ],
)
def test_a_value_is_judged_by_what_it_may_be(code: str, stays: bool) -> None:
    assert kept(SECRET, code) == stays


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("os.umask(0o002)", True),
        ("os.umask(stat.S_IWOTH)", True),
        ("os.umask(MASK | 2)\nMASK = 0", True),
        ("os.umask(0o077 & ~1)", True),
        ("os.umask(0o070)", False),
        ("os.umask(old)\nold = os.umask(0o077 + x)", False),
        ("os.umask(self.mask)", False),
    ],
)
def test_numbers_are_worked_out_or_left_to_the_judge(code: str, stays: bool) -> None:
    assert kept(UMASK, f"import os, stat\n{code}") == stays


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("get(x, auth=(a, b))", True),
        ("c.get(x, timeout=1, auth=(a, b))", True),
        ("get(x, **{'auth': (a, b)})", True),
        ("get(x, auth)", False),
        ("get(x, **auth)", False),
        ("get(x, author=(a, b))\nauth = 1", False),
    ],
)
def test_a_keyword_of_a_pattern_is_given(code: str, stays: bool) -> None:
    match: dict[str, object] = {"any": ["$CALL(..., auth=($USER, $PASSWORD), ...)"]}
    assert kept(match, code) == stays
    assert stays or not found_in(match, code)


@pytest.mark.slow
def test_the_law_holds_on_every_fixture() -> None:
    program = program_of(RULES, Profile.REPO)
    judged = 0
    for path in sample(sorted(FIXTURES.glob("*/*.py")), each=6):
        try:
            source = Source.from_bytes(path.read_bytes(), path.name)
        except SourceError:
            continue
        rules = [name for name in program.hits(source) if not program.rules[name].flows]
        short = findings(source, program, {name: program.hits(source)[name] for name in rules})
        whole = findings(source, program, dict.fromkeys(rules, ()))
        judged += len(whole)
        assert sorted(short, key=repr) == sorted(whole, key=repr), path
    assert judged > 150


IN_VIEW = {
    "all": [
        {"call": {"name": ["os.system"]}},
        {"inside": {"def": {"decorator": ["*.route"]}}},
    ]
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("@app.route('/')\ndef f():\n    if x:\n        os.system(x)", True),
        ("@app.route(url(1))\n@other\ndef f():\n    os.system(x)", True),
        ("@app.route\ndef f():\n    def g():\n        os.system(x)", True),
        ("@app.route('/')\ndef f(): os.system(x)", True),
        ("@app.get('/')\ndef f():\n    os.system(x)\n@a.route\ndef g():\n    pass", False),
        ("@app.route('/')\ndef f():\n    pass\ndef g():\n    os.system(x)", False),
    ],
)
def test_what_a_function_around_must_have_over_it(code: str, stays: bool) -> None:
    assert kept(IN_VIEW, f"import os\n{code}") == stays


IN_PATTERNED = {
    "all": [
        {"call": {"name": ["os.system"]}},
        {"inside": {"pattern": "@$APP.route($PATH)\n@web.only_get\ndef $F(...): ...\n"}},
    ]
}


@pytest.mark.parametrize(
    ("over", "stays"),
    [
        ("@app.route('/')\n@web.only_get", True),
        ("@app.route('/')\n@web.only_get  # more", True),
        ("@a\n@app.route('/')\n@web.only_get", True),
        ("from web import only_get as get\n@app.route('/')\n@get", True),
        ("get = web.only_get\n@app.route('/')\n@get", True),
        ("@app.route('/')\n@web.only_post", False),
        ("@web.only_get", False),
        ("route = 1", False),
    ],
)
def test_what_a_pattern_has_over_a_function(over: str, stays: bool) -> None:
    code = f"import os, web\n{over}\ndef f(x):\n    os.system(x)\n# route only_get"
    assert kept(IN_PATTERNED, code) == stays


COMPARED = {"pattern": "$X.headers[$NAME] == $Y"}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("r.headers['a'] == y", True),
        ("(r.headers[a]) == (y)", True),
        ("h = r.headers\nh[a] == y", False),
        ("r.headers[a] != y", False),
        ("y == r.headers[a]", False),
        ("r.headers[a] == y == z", False),
        ("a in r.headers", False),
        ("r.headers.get(a) == y", False),
    ],
)
def test_what_is_compared_and_how(code: str, stays: bool) -> None:
    assert kept(COMPARED, f"import os\n{code}") == stays
    assert found_in(COMPARED, f"import os\n{code}") == stays


IN_NAMED = {
    "all": [
        {"call": {"name": ["os.system"]}},
        {"inside": {"any": [{"def": {"name-regex": "^make_"}}, {"class": {"name": ["Maker"]}}]}},
    ]
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("def make_a():\n    if x:\n        os.system(x)", True),
        ("async def make_a():\n    def g():\n        os.system(x)", True),
        ("def \\\n make_a(): os.system(x)", True),
        ("def make_a(a=os.system(x)): pass", True),
        ("@a(os.system(x))\n@b\ndef make_a():\n    pass", True),
        ("class Maker:\n    def f(self): os.system(x)", True),
        ("class Maker(os.system(x)): pass", True),
        ("def a():\n    os.system(x)\n    def make_a(): pass", False),
        ("def a_make_():\n    os.system(x)", False),
        ("class make_a:\n    os.system(x)", False),
        ("def Maker():\n    os.system(x)", False),
    ],
)
def test_what_a_function_or_class_around_must_be_called(code: str, stays: bool) -> None:
    assert kept(IN_NAMED, f"import os\ndef make_none(): return\n{code}") == stays


HANDED = {
    "all": [
        {"call": {"name": ["os.system"]}},
        {"any": [{"inside": {"def": {"parameters": [one]}}} for one in ("environ", "request")]},
    ]
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("def f(environ, start):\n    os.system(x)", True),
        ("def f(a, *, request=None):\n    def g(): os.system(x)", True),
        ("@a(os.system(x))\ndef f(\n    environ,\n): pass", True),
        ("class A:\n    def f(self, environ): return lambda: os.system(x)", True),
        ("def f(env, start):\n    os.system(os.environ)", False),
        ("def f(environs):\n    os.system(request)", False),
        ("def g(environ): pass\ndef f(): os.system(x)", False),
    ],
)
def test_what_a_function_around_must_be_given(code: str, stays: bool) -> None:
    assert kept(HANDED, f"import os\n{code}") == stays


IN_HANDLER = {
    "all": [
        {"call": {"name": ["os.system"]}},
        {"inside": {"class": {"base": ["web.RequestHandler", "web.views.*"]}}},
    ]
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("from web import RequestHandler\nclass A(RequestHandler):", True),
        ("from web import RequestHandler as R\nclass A(R):", True),
        ("from web import (\n  x,\n  RequestHandler,\n)\nclass A(B, RequestHandler):", True),
        ("from web.views import Page\nclass A(Page, x=1):", True),
        ("from web.views import *\nclass A(Page):", True),
        ("import web\nclass A(web.views.Page):", True),
        ("import web as w\nclass A(w.RequestHandler):", True),
        ("import web\nH = web.RequestHandler\nclass A(H):", True),
        ("import web\nH, G = web.RequestHandler, 1\nclass A(H):", True),
        ("import web\nclass H:\n  R = web.RequestHandler\nclass A(H.R):", True),
        ("import web\nclass H:\n  from web.views import Page\nclass A(H().Page):", True),
        ("import web\nfor H in [web.RequestHandler]: pass\nclass A(H):", True),
        ("import web\ndef f(H: web.RequestHandler):\n class A(H):", True),
        ("import web\nclass A(make(web.RequestHandler)):", True),
        ("import web\nclass A(web.RequestHandler):\n  class B:", True),
        ("import web\nclass A(*[web.RequestHandler]):", True),
        ("import web\nRequestHandler = 1\nclass A(Other):", False),
        ("from web import views\nclass A:", False),
        ("from web import RequestHandler\nclass A(RequestHandler): pass\nclass B(A):", False),
        ("import web.views\nfrom page import Page\nclass A(Page):", False),
        ("import web\nRequestHandler = 1\nclass A(other.Handler, metaclass=web.views.M):", False),
    ],
)
def test_what_a_class_around_must_inherit_from(code: str, stays: bool) -> None:
    text = f"import os\n{code}\n    os.system(x)"
    assert kept(IN_HANDLER, text) == stays
    assert stays or not found_in(IN_HANDLER, text)


TOKEN = {
    "all": [
        {"assign": {"target-regex": "^token$"}},
        {"has": {"any": [{"call": {"name": ["os.urandom"]}}, {"call": {"name": "*.choice"}}]}},
    ]
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("token = [os.urandom(1) for _ in x]", True),
        ("token = f'{os.urandom(1)}'", True),
        ("token: str = a.b().choice()", True),
        ("token = token + random.choice(x)", True),
        ("u = os.urandom\ntoken = u(1)", True),
        ("from os import urandom as u\ntoken = u(1)", True),
        ("def f(u=os.urandom):\n    token = u(1)", True),
        ("class A:\n    u = os.urandom\ntoken = A().u(1)", True),
        ("token = {1: os.urandom}[x](1)", True),
        ("token = next(u for u in [os.urandom])(1)", True),
        ("if (token := os.urandom(1)): pass", True),
        ("token = os.urandom", False),
        ("token = read(x, os.urandom)", False),
        ("token = None\nos.urandom(1)", False),
    ],
)
def test_what_a_statement_must_hold(code: str, stays: bool) -> None:
    assert kept(TOKEN, f"import os\n{code}") == stays


KEY = {
    "all": [
        {"assign": {"target-regex": "^(?:token|key)$", "forms": ["item", "keyword"]}},
        {"has": {"name": {"name": ["string.digits", "string.hexdigits"]}}},
        {"has": {"all": [{"call": {"name": "*.choice"}}, {"call": {"name": ["random.*"]}}]}},
    ]
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("f(key=random.choice(string.digits))", True),
        ("f(key=lambda x: x + random.choice(digits))", True),
        ("x = {'token': random.choice(string.hexdigits)}", True),
        ("DIGITS = string.digits\nf(key=random.choice(DIGITS))", True),
        ("class A:\n    all = string.digits\nf(key=random.choice(A.all))", True),
        ("D = {1: string.digits}\nf(key=random.choice(D[1]))", True),
        ("def g(d=string.digits):\n    f(key=random.choice(d))", True),
        ("r = random\nf(token=r.choice(digits))", True),
        ("f(key=random.choice('0123'))\nstring.digits", False),
        ("f(key=lambda x: x[1])\nrandom.choice(digits)", False),
        ("f(digits, random.choice(x), key=len)", False),
    ],
)
def test_what_an_argument_must_hold(code: str, stays: bool) -> None:
    text = f"import random, string\nfrom string import digits\n{code}"
    assert kept(KEY, text) == stays
    assert stays == bool(found_in(KEY, text))


HEADER = {
    "any": [{"pattern": 'request.headers["$H"]'}, {"pattern": 'request.headers.get("$H", ...)'}],
    "where": [{"metavariable": "$H", "regex": "(?i)^x-real-ip$"}],
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("x = request.headers['X-Real-IP']", True),
        ("x = request.headers.get('X-Real-IP', 0)", True),
        ("x = request.headers[name]\nname = 'x-real-ip'", True),
        ("'x-real-ip'; x = request.headers['X-' + 'Real-IP']", True),
        ("x = request.headers[b'x-real-ip']", True),
        ("'x-real-ip'; x = request.headers['X-Other']", False),
        ("'x-real-ip'; x = request.headers.get('X-Other')", False),
        ("'x-real-ip'; x = request.headers.get(default='x-real-ip')", False),
        ("def f(name):\n    x = request.headers[name]\n'x-real-ip'", False),
    ],
)
def test_a_text_is_looked_for_where_the_pattern_has_it(code: str, stays: bool) -> None:
    assert kept(HEADER, code) == stays


ERROR = {
    "all": [
        {
            "any": [
                {"pattern": "return <... str($E) ...>"},
                {"pattern": 'return <... f"...{$E}..." ...>'},
            ]
        },
        {"inside": "try:\n    ...\nexcept $KIND as $E:\n    ...\n"},
    ]
}
TRIED = "def f(str=str):\n    try:\n        g()\n    except E as e:\n        "


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        (f"{TRIED}return {{'error': str(e)}}", True),
        (f"{TRIED}return f'no {{e}}'", True),
        (f"{TRIED}text = str(e)\n        return text", True),
        (f"{TRIED}return text\ntext = str(e)", True),
        (f"{TRIED}s = str\n        return s(e)", True),
        (f"{TRIED}return 'no'\nstr(1)", False),
        (f"{TRIED}return repr(e)\nstr(1)", False),
        (f"{TRIED}str(e)\n        return", False),
        ("def f(e):\n    return str(e)", False),
        ("def f(e):\n    if e:\n        return str(e)\ntry: g()\nexcept E as e: pass", False),
    ],
)
def test_what_is_returned_and_the_block_around_it(code: str, stays: bool) -> None:
    assert kept(ERROR, code) == stays


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("import a as b\nfrom x import other\n@other\ndef f():\n    os.system(1)", False),
        ("from x import route as other\n@other\ndef f():\n    os.system(1)", True),
        ("for other in (route, 1):\n    @other\n    def f():\n        os.system(1)", True),
        ("f(other=1)\n@a.other\ndef f():\n    os.system(1)", False),
        ("a.other = route\n@a.other\ndef f():\n    os.system(1)", True),
        ("with route as (other, _):\n    @other\n    def f():\n        os.system(1)", True),
    ],
)
def test_what_a_decorator_may_be_called_otherwise(code: str, stays: bool) -> None:
    assert kept(IN_VIEW, f"import os\n@unused.route\ndef unused(): pass\n{code}") == stays


GATE = {
    "all": [
        {"attr": {"name": "check"}},
        {"not-inside": {"class": {"name": "*"}, "has": {"attr": {"name": "checked"}}}},
    ]
}


def test_what_a_class_around_holds_may_stand_in_another_method() -> None:
    padding = "".join(f"def other_{n}(a):\n    return a\n\n" for n in range(30))
    code = "class A:\n    def f(self):\n        a.check()\n    def g(self):\n        a.checked()\n"
    program = program_of(RuleSet.of([rule_from_data({**RULE, "match": GATE}, "r")]), Profile.REPO)
    for text, count in ((code, 0), (code.replace("a.checked", "b.other"), 1)):
        source = Source.from_text(padding + text)
        assert len(findings(source, program, program.hits(source))) == count


@pytest.mark.parametrize(
    ("pattern", "code", "stays"),
    [
        ("os.environ", "os.environ['x']", True),
        ("os.environ", "from os import environ as e\ne['x']", True),
        ("os.environ", "t = {'a': os.environ}\nt['a']", True),
        ("os.environ", "x = self.environ or os", False),
        ("self.$A", "self.os", True),
        ("os.$A.sep", "os.path.sep", True),
        ("os.$A.sep", "path.sep.os", False),
        ("os. ... .sep", "os.path.sep", True),
        ("$X.getenv(...)", "os.getenv('x')", True),
        ("$X.getenv(...)", "getenv = os.getenv\ngetenv()", False),
        ("os.path[$X]", "os.path[0]", True),
        ("os.path()", "os.path()", True),
        ("os.path()", "os.path(a=1)", False),
        ("os.path()", "os.path(*a)", False),
        ("os.path()", "os.path(**a)", True),
        ("os.path(a=1)", "os.path(**{'a': 1})", True),
        ("os.path($X, b=1)", "os.path(a, b=1)", True),
        ("os.path($X, b=1)", "os.path(a, c, b=1)", False),
        ("os.path($X, ..., b=1)", "os.path(a, b, c, d=2, b=1)", True),
        ("os.path($...X)", "os.path(a, b)", True),
        ("os.path($...X)", "os.path(a, b=1)", True),
        ("{..., 'os': $X, ...}", "{**a, 'os': 1}", True),
        ("{..., 'os': $X, ...}", "{**os}", False),
        ("$A.sep[$B] = $C", "os.sep[0] = 1", True),
        ("$A.sep[$B] = $C", "x = os.sep[0]", False),
        ("$A.sep = $B", "os.sep: str = 1", True),
    ],
)
def test_a_chain_of_names_is_read_from_its_end(pattern: str, code: str, stays: bool) -> None:
    assert kept({"pattern": pattern}, f"import os\n{code}") == stays


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("@app.route('/')\ndef f():\n    pass", True),
        ("r = app.route\n@r\ndef f():\n    pass", True),
        ("@app.other(app.route)\ndef f():\n    pass", False),
        ("def f(route=x.route):\n    pass", False),
    ],
)
def test_a_definition_is_told_by_what_is_over_it(code: str, stays: bool) -> None:
    assert kept({"def": {"decorator": ["*.route"]}}, f"import a\n{code}\n# @a.route") == stays


HOST = {"call": {"name": ["re.compile"], "args": {"0": {"regex": r"[a-z]\.com"}}}}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("re.compile(f'{x}a.com')", True),
        ("x = 'a'\nre.compile(f'{x}.com')", True),
        (r"re.compile(f'{x}\\.com')", True),
        ("re.compile(f'{{{x}')", True),
        ("re.compile(f'{x=}')", True),
        ("re.compile(f'[{x}]')", False),
        ("re.compile(f'{x}' + 'a.com')", False),
        ("x = x.replace('*', '.')\nre.compile(x)", False),
        ("x = 'a'\nx = x + '.com'\nre.compile(x)", True),
        ("a.x = 'b.com'\nre.compile(a.x)", False),
        ("from string import digits\na.x = digits\nre.compile(a.x)", True),
    ],
)
def test_a_text_with_gaps_is_read_as_the_judge_reads_it(code: str, stays: bool) -> None:
    assert kept(HOST, f"import re\n{code}") == stays


NAMED = {"name": {"name": ["ssl.CERT_NONE"]}}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("x = ssl.CERT_NONE", True),
        ("f(getattr(ssl, 'CERT_NONE'))\nssl.CERT_NONE", True),
        ("from ssl import CERT_NONE as none\nf(none)", True),
        ("from ssl import CERT_NONE", False),
        ("def f(CERT_NONE): pass", False),
        ("f(CERT_NONE=1)", False),
    ],
)
def test_a_reference_to_a_name(code: str, stays: bool) -> None:
    assert kept(NAMED, f"import ssl\n{code}\n# ssl.CERT_NONE") == stays


SIGNATURE = {"pattern": "hmac.new(...).digest() == $X"}
OLD = {"import": {"module": ["md5"], "forms": ["import", "from"]}}
FORKS = {"all": [{"pattern": "while True:\n    ...\n    os.fork()\n    ...\n"}]}
METHOD = {"name": {"name": ["ssl.PROTOCOL_SSLv3"]}}
MODEL = {"call": {"name-regex": "models\\.[A-Z]\\w*$", "args": {"name": {"is": "any"}}}}
TOLD = {"string": {"regex": "do not tell the user"}}


@pytest.mark.parametrize(
    ("match", "code", "stays"),
    [
        (SIGNATURE, "ok = hmac.new(k).digest() == x", True),
        (SIGNATURE, "h = hmac.new(k)\nif h.digest() == x: pass", True),
        (SIGNATURE, "h = hmac.new(k).digest()", False),
        (OLD, "import md5 as m", True),
        (OLD, "from md5 import new", True),
        (OLD, "from hashlib import md5\nmd5()", False),
        (OLD, "from .md5 import new", False),
        (FORKS, "while True:\n    if x:\n        os.fork()", True),
        (FORKS, "while True: os.fork()", True),
        (FORKS, "while True:\n    pass\nif os.fork():\n    pass", False),
        (METHOD, "f(ssl.PROTOCOL_SSLv3)", True),
        (METHOD, "version = ssl.PROTOCOL_SSLv3\nf(version)", True),
        (MODEL, "models.Site(name=1)", True),
        (MODEL, "from models import Site as site\nsite(name=1)", True),
        (MODEL, "def f(model=models.Site): model(name=1)", True),
        (MODEL, "class A:\n    kind = models.Site\n    def f(self): self.kind(name=1)", True),
        (MODEL, "models.filter(name=1)", False),
        (MODEL, "get(models)(name=1)", True),
        (TOLD, "f'{x} do not tell the user'", True),
        (TOLD, "f'{x} {y}'  # do not tell the user", False),
        (TOLD, "f'do not {x}' ' tell the user'; f'do not tell the user'", True),
    ],
)
def test_what_is_written_so_that_it_may_be_meant(
    match: dict[str, object], code: str, stays: bool
) -> None:
    assert kept(match, f"import hmac, os, ssl\n{code}") == stays


@pytest.mark.parametrize(
    ("code", "idle"),
    [
        ("subprocess.run(idle, shell=on)", True),
        ("idle = subprocess.run(x, shell=on)", True),
        ("f(idle, subprocess.run(x, shell=on))", True),
        ("go = subprocess.run\ngo(idle, shell=on)", True),
        ("subprocess.run(idle, shell=True, **{'timeout': on})", False),
        ("subprocess.run(*idle, shell=on)", False),
        ("table[on](idle, shell=True)\ntable = [subprocess.run]", False),
    ],
)
def test_only_what_decides_is_looked_up(code: str, idle: bool) -> None:
    found = excerpt(SHELL, f"import subprocess\non = 1\nidle = 2\n{code}")
    assert found is not None
    assert "on = 1" in found
    assert ("idle = 2" not in found) == idle


SPELLED = {
    "pattern": "$OWNER.password == $GIVEN",
    "where": [{"metavariable": "$OWNER", "regex": "^user$"}],
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("user.password == given", True),
        ("x = user.password == given", True),
        ("self.password == given", False),
        ("use.password == given", False),
    ],
)
def test_a_line_has_what_its_metavariables_have_to_be(code: str, stays: bool) -> None:
    code = f"user = 1\n{code}"
    assert kept(SPELLED, code) == stays
    assert found_in(SPELLED, code) == stays


def _where(pattern: object, regex: str) -> dict[str, object]:
    """The pattern, and what its $NAME has to be."""
    return {"any": pattern, "where": [{"metavariable": "$NAME", "regex": regex}]}


OPENED = _where(["open(os.path.join($ROOT, $NAME), ...)", "open($ROOT + $NAME)"], "^(?:name|page)$")
KEPT = {"all": ["open($PATH)", {"inside": {"has": "$PATH = $ROOT + $NAME"}}]}
EITHER = _where(["open($ROOT + $NAME)", KEPT], "^name$")
READ = _where(["$ROOT.joinpath($NAME).read_text(...)"], "^name$")
SPELT = {
    "any": ["open($PATH)"],
    "where": [{"metavariable": "$PATH", "written": "^root \\+\\s+\\w+$"}],
}
HEADED = {
    "pattern": "def $F(..., $NAME=Cookie(...), ...): ...",
    "where": [{"metavariable": "$NAME", "regex": "^name$"}],
}
OF_PARAMETER = {**OPENED, "all": [{"inside": "def $F(..., $NAME, ...): ..."}]}


@pytest.mark.parametrize(
    ("match", "code", "stays"),
    [
        (OPENED, "open(os.path.join(root, name))", True),
        (OPENED, "open(root + page)", True),
        (OPENED, "p = os.path.join(root, name)\nopen(p)", True),
        (OPENED, "from os.path import join as j\nopen(j(root, name))", True),
        (OPENED, "j = os.path.join\nopen(j(root, name))", True),
        (OPENED, "t = {'a': os.path.join}\nopen(t['a'](root, name))", True),
        (OPENED, "class A:\n    j = os.path.join\n    def f(self): open(self.j(r, name))", True),
        (OPENED, "j = os.path.join\np = j(root, name)\nopen(p)", True),
        (OPENED, "def f(p=os.path.join(root, name)): open(p)", True),
        (OPENED, "if (p := os.path.join(root, name)): open(p)", True),
        (OPENED, "from os.path import *\nopen(join(root, name))", True),
        (OPENED, "import os.path as pp\nopen(pp.join(root, name))", True),
        (OPENED, "o = open\no(os.path.join(root, name))", True),
        (OPENED, "p, q = os.path.join(root, name), 1\nopen(p)", False),
        (OPENED, "open(joined(root, name))", False),
        (OPENED, "open(root + names)", False),
        (OPENED, "open(root + self.name)", False),
        (SPELT, "open(root + name)", True),
        (SPELT, "open(root +  # behind it\n name)", True),
        (SPELT, "p = open(root + name)\nrun(p)", True),
        (SPELT, "open(name + root)", False),
        (SPELT, "open(name)", False),
        (HEADED, "def f(name=Cookie()): return name", True),
        (HEADED, "@a\ndef f(b, name=Cookie(1)): return name", True),
        (HEADED, "async def f(*, name=Cookie(1)): return name", True),
        (HEADED, "def f(b):\n    Cookie(b)", False),
        (READ, "root.joinpath(name).read_text()", True),
        (READ, "p = root.joinpath(name)\np.read_text()", True),
        (EITHER, "open(root + name)", True),
        (EITHER, "def f(name):\n    p = root + name\n    open(p)", True),
        (EITHER, "def f(name):\n    path = root + name\n    def g(path): open(path)", True),
        (EITHER, "def f(name):\n    p: str = root + name\n    open(p)", True),
        (EITHER, "def f(name):\n    self.p = root + name\n    open(self.p)", True),
        (EITHER, "def f(name):\n    global p\n    p = root + name\ndef g(name): open(p)", True),
        (EITHER, "def f(name):\n    p = join(root, name)\n    open(p)", False),
        (OF_PARAMETER, "def f(a, page): open(a + page)", True),
        (OF_PARAMETER, "def f(a, *, page: str = x): open(a + page)", True),
        (OF_PARAMETER, "def f(page):\n    def g(a):\n        open(a + page)", True),
        (OF_PARAMETER, "def f(a, pages):\n    for page in pages: open(a + page)", False),
        (OF_PARAMETER, "class A:\n    open(a + page)", False),
    ],
)
def test_what_a_condition_says_of_one_of_several_patterns(
    match: dict[str, object], code: str, stays: bool
) -> None:
    code = f"import os\n{code}"
    assert kept(match, code) == stays
    assert found_in(match, code) == stays


JOINED = {
    "all": [
        {"pattern": "$C.execute($Q, ...)"},
        {"inside": {"pattern": '$Q = "...".join($P)\n...\n$C.execute($Q, ...)\n'}},
    ]
}


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("q = ','.join(p)\nc.execute(q, v)", True),
        ("q: str = ','.join(p)\nc.execute(q, v)", True),
        ("a = q = ','.join(p)\nc.execute(q, v)", True),
        ("q, v = ','.join(p), v\nc.execute(q, v)", True),
        ("[v, q] = v, ','.join(p)\nc.execute(q, v)", True),
        ("other = ','.join(p)\nq = make(p)\nc.execute(q, v)", False),
    ],
)
def test_a_name_has_what_the_statements_around_give_it(code: str, stays: bool) -> None:
    code = f"def f(c, p, v):\n    {code.replace(chr(10), chr(10) + '    ')}"
    assert kept(JOINED, code) == stays
    assert found_in(JOINED, code) == stays


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("w = 'a' if y else 'x from t'\nc.execute(f'select {w}')", True),
        ("w = 'a'\nif y: w = 'b'\nc.execute(f'select {w} {x}')", False),
        ("w = 'a'\nc.execute(f'select {x} from {w}')", True),
    ],
)
def test_a_field_has_each_of_its_values(code: str, stays: bool) -> None:
    assert kept(QUERY, f"'select 1 from t'\n{code}") == stays


def test_a_decorator_is_not_asked_for_on_the_line_of_the_def() -> None:
    match: dict[str, object] = {
        "all": [
            {"def": {"decorator": ["shop.cached", "shop.private"]}},
            "def $VIEW(..., password: str, ...): ...",
        ]
    }
    code = "import shop\n@shop.private\ndef page(password: str):\n    return 1\n"
    assert kept(match, code)
    assert found_in(match, code)


def test_that_a_decorator_is_kept_for_the_decorators_below_it() -> None:
    match: dict[str, object] = {
        "all": [
            {"decorator": {"name": "shop.cached"}},
            {"inside": {"def": {"decorator": "shop.private"}}},
        ]
    }
    code = "import shop\n@shop.cached\n@shop.private\ndef page(): ...\n"
    assert kept(match, code)


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("int(os.getenv(k))", True),
        ("n = os.getenv(k)\nint(n)", True),
        ("int(system.getenv(k))", False),
        ("os.get = os.getenv\nint(os.get(k))", True),
        ("class C: get = os.getenv\nint(C.get(k))", True),
        ("int(os.getenv.__call__(k))", True),
        ("system = os\nn = system.environ(k)\nint(n)", False),
        ("os.path = a\nint(os.path.join(k))", False),
        ("int(columns.find(n))\ncolumns = 1", False),
    ],
)
def test_what_is_before_a_dot_changes_no_last_word(code: str, stays: bool) -> None:
    assert kept({"pattern": "int(os.getenv(...))"}, f"import os\nk.getenv\n{code}") == stays


@pytest.mark.parametrize(("given", "stays"), [("", False), ("ask = os.getenv", True)])
def test_a_name_that_is_often_read_is_bound_where_it_is_given_something(
    given: str, stays: bool
) -> None:
    reads = "def g(a: ask = 1): return a\n" + "\n".join(f"ask[{n}]" for n in range(50))
    code = f"import os\nk.getenv\n{given}\n{reads}\nint(ask(k))"
    assert kept({"pattern": "int(os.getenv(...))"}, code) == stays


PARTIAL = "from functools import partial\nrun = partial(tell, 1)\n"
ALSO = {"any": [{"assign": {"target": ["DEBUG"], "value": {"is": "truthy"}}}, "$F(meta={...})"]}
OPEN_FORM = {"call": {"name-regex": "Form$", "args": {"csrf": {"is": "falsy"}}}}


@pytest.mark.parametrize(
    ("match", "code", "stays"),
    [
        # A line that begins with `for` binds what it loops with, and nothing else of it.
        (ALSO, "meta = {}\nfor name in list(meta):\n    name = list(meta)", False),
        # A variable is called as it is written, whatever else its name stands for.
        (ALSO, "meta = make(names)", False),
        (ALSO, "meta = make(names)\nsettings.DEBUG = 1", True),
        # Without a dot all that the expression asks for stands in the last word.
        (OPEN_FORM, f"{PARTIAL}list(csrf=0)", False),
        (OPEN_FORM, "from functools import partial\nit = partial(LoginForm, csrf=0)\nit()", True),
        (OPEN_FORM, "from functools import partial as p\nit = p(LoginForm, csrf=0)\nit()", True),
        (OPEN_FORM, "import functools\nit = functools.partial(a.LoginForm, csrf=0)\nit()", True),
        (OPEN_FORM, "it = a.LoginForm\nit(csrf=0)", True),
    ],
)
def test_names_stand_for_what_they_are_given(
    match: dict[str, object], code: str, stays: bool
) -> None:
    assert kept(match, code) is stays
    assert found_in(match, code) is stays
