"""Tests that say of a variable that it is good: through helpers, flags and elements."""

import pytest

from tests.rules.taint.test_flow import found
from vetbox.code.source import Source
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.loading.loader import rule_from_data

CLEAN = [
    # What is checked decides how what holds it was made: asked of that, it asks about itself.
    "def f(x):\n    y = 'a' + (x if x == 'b' else x)\n    if x in ALLOWED: sink(y)",
    "def f(x):\n    y = 'a' + (x + 'b' if x in ALLOWED else 'c')\n    if x in ALLOWED: sink(y)",
    (
        "class Hook:\n    def __init__(self, u): self.u = u\ndef send(h): sink(h.u)\n"
        "def f(x):\n    h = Hook(x)\n    if h.u in ALLOWED: send(h)"
    ),
    "def f(x):\n    safe(x) and sink(x)",
    "def f(x):\n    return x in ALLOWED and y and sink(x)",
    "def f(x):\n    x not in ALLOWED or sink(x)",
    "def f(x):\n    sink(safe(x) and x or 'a')",
    "def ok(a): return safe(a)\ndef f(x):\n    ok(x) and sink(x)",
    "def ok(a): return a in ALLOWED\ndef f(x):\n    if not ok(x): return\n    sink(x)",
    "def ok(a): return safe(a)\ndef f(x):\n    if ok(x): sink(x)",
    "def bad(a): return a not in ALLOWED\ndef f(x):\n    if bad(x): return\n    sink(x)",
    "def ok(a):\n    if a in ALLOWED: return 1\n    return False\ndef f(x):\n    if ok(x): sink(x)",
    "def ok(a):\n    if a in ALLOWED: return True\ndef f(x):\n    if ok(x): sink(x)",
    "def bad(a):\n    if a not in ALLOWED: return 'no'\ndef f(x):\n    if not bad(x): sink(x)",
    "def ok(a, b): return safe(a) and b\ndef f(x):\n    if ok(b=1, a=x): sink(x)",
    "def ok(a): return safe(a)\ndef also(b): return ok(b)\ndef f(x):\n    if also(x): sink(x)",
    (
        "class A:\n    def ok(self, a): return safe(a)\n    def f(self, x):\n"
        "        if self.ok(x): sink(x)"
    ),
    "async def ok(a): return safe(a)\nasync def f(x):\n    if not await ok(x): return\n    sink(x)",
    "def ok(a): return safe(a)\ndef f(x):\n    if ok(x.a): sink(x.a)",
    "def ok(a): return safe(a)\ndef f(x):\n    if ok(x) is False: return\n    sink(x)",
    "def f(x):\n    good = x in ALLOWED\n    if not good: return\n    sink(x)",
    "def f(x):\n    good: bool = safe(x)\n    if good: sink(x)",
    "def f(x):\n    bad = x not in ALLOWED\n    if bad: raise E\n    sink(x)",
    "def f(x):\n    if (good := safe(x)): sink(x)",
    (
        "def f(x):\n    if (host := urllib.parse.urlparse(x).hostname) not in ALLOWED: return\n"
        "    sink(x)"
    ),
    "def f(x):\n    good = safe(x)\n    if good is True: sink(x)",
    "def f(x):\n    good = safe(x) and y\n    sink(x if good else 'a')",
    "def f(x):\n    if any(x == a for a in ALLOWED): sink(x)",
    "def f(x):\n    if not any(a == x for a in ('a', 'b')): return\n    sink(x)",
    "def f(x):\n    if all(safe(c) for c in x): sink(x)",
    "def f(x):\n    if all([c in 'abc' for c in x]): sink(x)",
    "def f(x):\n    if any(c not in ALLOWED for c in x): return\n    sink(x)",
    "def f(x):\n    if not all(safe(a) for a in x.split('.')): return\n    sink(x)",
    "def f(x):\n    if set(x) <= ALLOWED: sink(x)",
    "def f(x):\n    if not set(x).issubset(ALLOWED): return\n    sink(x)",
    "def f(x):\n    if 'a' == x: sink(x)",
    "def f(x):\n    if x == 'a' or x == 'b': sink(x)",
    "def f(x):\n    if not (x == 'a' or safe(x)): return\n    sink(x)",
    "def f(x):\n    if x != 'a' and x != 'b': return\n    sink(x)",
    "def ok(a): return bool(safe(a))\ndef f(x):\n    if ok(x): sink(x)",
    "def die(): raise E\ndef f(x):\n    if x not in ALLOWED: die()\n    sink(x)",
    "def die():\n    log()\n    sys.exit(1)\ndef f(x):\n    if not safe(x): die()\n    sink(x)",
    "async def die(): raise E\nasync def f(x):\n    if not safe(x): await die()\n    sink(x)",
    (
        "def f(x):\n    ok = False\n    if x in ALLOWED: ok = True\n"
        "    if not ok: return\n    sink(x)"
    ),
    "def f(x):\n    ok = True\n    if x not in ALLOWED: ok = False\n    if y and ok: sink(x)",
    (
        "def f(x):\n    ok = False\n    for a in ALLOWED:\n        if a == x:\n"
        "            ok = True\n            break\n    if ok: sink(x)"
    ),
    "def f(x):\n    for a in ('a', 'b'):\n        if x == a: break\n    else: return\n    sink(x)",
    "def f(x):\n    try:\n        int(x)\n    except ValueError: return\n    sink(x)",
    "def f(x):\n    n = int(x, 16)\n    sink(x)",
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = f'no {x}'\n    if e is None: sink(x)",
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = 'no %s' % x\n    if not e: sink(x)",
    "def f(x):\n    e = ''\n    if x not in ALLOWED: e = 'no {}'.format(x)\n    if not e: sink(x)",
    "def f(x):\n    e = {}\n    if x not in ALLOWED: e['x'] = 1\n    if e: return\n    sink(x)",
    (
        "def f(x):\n    e = {}\n    if y: e['y'] = 1\n    if x not in ALLOWED: e['x'] = 1\n"
        "    if e: return\n    sink(x)"
    ),
    (
        "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n"
        "    if len(e) > 0: return\n    sink(x)"
    ),
    "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n    if len(e) == 0: sink(x)",
    "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n    if not len(e): sink(x)",
    "def f(x):\n    for a in x:\n        if a not in ALLOWED: return\n    sink(x)",
    "def f(x):\n    for a in x.split(','):\n        if not safe(a): raise E\n    sink(x)",
    (
        "def f(x):\n    for a in x:\n        if a == 'a': continue\n"
        "        if not safe(a): return\n    sink(x)"
    ),
    "def f(x):\n    for a in x:\n        if not safe(a): return\n    for a in x: sink(a)",
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = 'no'\n    if e: return\n    sink(x)",
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = 'no'\n    if e is None: sink(x)",
    "def f(x):\n    e = ''\n    if x not in ALLOWED: e = 'no'\n    if not e: sink(x)",
    (
        "def f(x):\n    e = None\n    if not x: e = 'a'\n    elif x not in ALLOWED: e = 'b'\n"
        "    if e is not None: return\n    sink(x)"
    ),
    (
        "def f(x):\n    e = None\n    if y: e = 'a'\n    if x not in ALLOWED: e = 'b'\n"
        "    if z: e = 'c'\n    if e is None: sink(x)"
    ),
    "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n    if e: return\n    sink(x)",
    (
        "def f(x):\n    e = []\n    if y: e.append(1)\n    if x not in ALLOWED: e.append(2)\n"
        "    if z: e.append(3)\n    if not e: sink(x)"
    ),
    (
        "def bad(a):\n    e = []\n    if a not in ALLOWED: e.append(1)\n    return e\n"
        "def f(x):\n    if not bad(x): sink(x)"
    ),
    "def f(x):\n    match x:\n        case y if y in ALLOWED: sink(y)",
    "def f(x):\n    while x not in ALLOWED: x = ask()\n    sink(x)",
    "def f(x):\n    p = 'a' + x\n    if not safe(x): return\n    sink(p)",
    "def f(x):\n    p = f'a{x}'\n    q = '%s b' % p\n    if safe(x): sink(q)",
    "def f(x):\n    path = os.path.join(ROOT, x)\n    if safe(x): sink(path)",
    "def f():\n    p = 'a' + source().x\n    q = p\n    if safe(p): sink(p)",
    "def f(x):\n    p = 'a{}'.format(x)\n    if x in ALLOWED: sink(p)",
]
TAINTED = [
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = f'{x}'\n    if not e: sink(x)",
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = '' % x\n    if not e: sink(x)",
    "def f(x):\n    e = {}\n    if x not in ALLOWED: e['x'] = 1\n    if e: sink(x)",
    (
        "def f(x):\n    e = {}\n    if x not in ALLOWED: e[y] = 1\n    e.clear()\n"
        "    if not e: sink(x)"
    ),
    "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n    if len(e) > 0: sink(x)",
    (
        "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n"
        "    if len(e) > 1: return\n    sink(x)"
    ),
    "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n    if len(e) != 0: sink(x)",
    "def f(x):\n    for a in x:\n        if a not in ALLOWED: break\n    sink(x)",
    "def f(x):\n    for a in x:\n        if a not in ALLOWED: continue\n    sink(x)",
    (
        "def f(x):\n    for a in x:\n        if y: continue\n        if not safe(a): return\n"
        "    sink(x)"
    ),
    "def f(x):\n    for a in x:\n        a = 1\n    sink(x)",
    (
        "def f(x):\n    for a in x:\n        for a in y: pass\n        if not safe(a): return\n"
        "    sink(x)"
    ),
    (
        "def f(x):\n    for a in x:\n        if not safe(a): return\n        x = x + source()\n"
        "    sink(x)"
    ),
    "def f(x):\n    for a in x.b:\n        if not safe(a): return\n    sink(x)",
    "def f(x):\n    for a, b in x:\n        if not safe(a): return\n    sink(x)",
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = 'no'\n    if e: sink(x)",
    (
        "def f(x):\n    e = None\n    if x not in ALLOWED: e = 'no'\n    e = None\n"
        "    if not e: sink(x)"
    ),
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = ''\n    if not e: sink(x)",
    "def f(x):\n    e = ''\n    if x in ALLOWED: e = 'no'\n    if e is not None: sink(x)",
    "def f(x):\n    e = None\n    if x not in ALLOWED: e = g(x)\n    if not e: sink(x)",
    (
        "def f(x):\n    e = None\n    if x not in ALLOWED: e = 'no'\n    x = x + source()\n"
        "    if not e: sink(x)"
    ),
    (
        "def f(x):\n    e = None\n    if x not in ALLOWED: e = 'a'\n    if y: e = None\n"
        "    if e is None: sink(x)"
    ),
    (
        "def f(x):\n    e = 'a'\n    if y: e = 'b'\n    elif x in ALLOWED: e = None\n"
        "    if e is not None: sink(x)"
    ),
    "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n    if e: sink(x)",
    (
        "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n    e.clear()\n"
        "    if not e: sink(x)"
    ),
    (
        "def f(x):\n    e = []\n    if x not in ALLOWED: e.append(1)\n    if y: e = []\n"
        "    if not e: sink(x)"
    ),
    (
        "def bad(a):\n    e = []\n    if a not in ALLOWED: e.append(1)\n    return e\n"
        "def f(x):\n    if bad(x): sink(x)"
    ),
    "def f(x):\n    e = []\n    if y: e.append(x)\n    sink(e)",
    "def f(x):\n    e = []\n    if y: e.append(1)\n    e.append(x)\n    sink(e[-1])",
    (
        "class Hook:\n    def __init__(self, u): self.u = u\n"
        "def f(x):\n    h = Hook(x)\n    if h.u in ALLOWED: pass\n    sink(h.u)"
    ),
    (
        "class Hook:\n    def __init__(self, u): self.u = u\ndef send(h): sink(h.u)\n"
        "def f(x):\n    h = Hook(x)\n    if h.u in ALLOWED: pass\n    send(h)"
    ),
    (
        "class Hook:\n    def __init__(self, u): self.u = u\ndef send(h): sink(h.u)\n"
        "def f(x):\n    h = Hook(x)\n    if h.v in ALLOWED: send(h)"
    ),
    "def f(x):\n    safe(x) or sink(x)",
    "def f(x):\n    y and sink(x)",
    "def f(x):\n    safe(x) and y\n    sink(x)",
    "def f(x):\n    a = []\n    safe(y) and a.append(x)\n    sink(a)",
    "def f(x):\n    safe(y) and (a := x)\n    sink(a)",
    "def f(x):\n    if x == 'a' or y == 'b': sink(x)",
    "def f(x):\n    if x == 'a' or y: sink(x)",
    "def f(x):\n    if x != 'a' or x != 'b': sink(x)",
    "def f(x):\n    x = x or y\n    if x: sink(x)",
    "def f(x):\n    x = not x\n    y = x or source()\n    if y: sink(y)",
    "def ok(a): return a in ALLOWED\ndef f(x):\n    if ok(x): return\n    sink(x)",
    "def ok(a): return a in ALLOWED\ndef f(x):\n    ok(x)\n    sink(x)",
    "def ok(a): return a in ALLOWED or y\ndef f(x):\n    if ok(x): sink(x)",
    "def ok(a):\n    if y: return True\n    return a in ALLOWED\ndef f(x):\n    if ok(x): sink(x)",
    "def ok(a):\n    if a in ALLOWED: return True\n    return y\ndef f(x):\n    if ok(x): sink(x)",
    "def ok(a):\n    a = a[0]\n    return safe(a)\ndef f(x):\n    if ok(x): sink(x)",
    "def ok(*a): return safe(a)\ndef f(x):\n    if ok(x): sink(x)",
    "def ok(a): return safe(a)\ndef f(x):\n    if ok(x[0]): sink(x)",
    "def ok(a): return safe(a)\ndef f(x):\n    if ok(x.a): sink(x.b)",
    "def ok(a): return safe(a)\ndef f(x):\n    if ok(x) is not None: sink(x)",
    (
        "class A:\n    def ok(self, a): return safe(a)\n    def f(self, x):\n"
        "        if self.ok(x): sink(x)\nclass B(A):\n    def ok(self, a): return True"
    ),
    "def f(x):\n    good = x in ALLOWED\n    x = x + source()\n    if good: sink(x)",
    "def f(x):\n    good = x in ALLOWED\n    good = y\n    if good: sink(x)",
    "def f(x):\n    good = x in ALLOWED\n    if y: good = True\n    if good: sink(x)",
    "def f(x):\n    good = x in ALLOWED\n    x.append(source())\n    if good: sink(x)",
    "def f(x):\n    good = x in ALLOWED\n    if not good: sink(x)",
    "def f(x):\n    if any(safe(c) for c in x): sink(x)",
    "def f(x):\n    if not all(safe(c) for c in x): sink(x)",
    "def f(x):\n    if all(safe(c) for c in x if y): sink(x)",
    "def f(x):\n    if all(safe(c) for c in y): sink(x)",
    "def f(x):\n    if any(x == a for a in y): sink(x)",
    "def f(x):\n    if all(x != a for a in ALLOWED): sink(x)",
    "def f(x):\n    if set(x) >= ALLOWED: sink(x)",
    "def die():\n    if y: raise E\ndef f(x):\n    if x not in ALLOWED: die()\n    sink(x)",
    "def die():\n    yield 1\n    raise E\ndef f(x):\n    if x not in ALLOWED: die()\n    sink(x)",
    "@caught\ndef die(): raise E\ndef f(x):\n    if x not in ALLOWED: die()\n    sink(x)",
    "async def die(): raise E\ndef f(x):\n    if not safe(x): die()\n    sink(x)",
    (
        "class A:\n    def die(self): raise E\n    def f(self, x):\n"
        "        if not safe(x): self.die()\n        sink(x)\nclass B(A):\n    def die(self): pass"
    ),
    "def f(x):\n    ok = False\n    if x in ALLOWED: ok = True\n    if ok: return\n    sink(x)",
    (
        "def f(x):\n    ok = False\n    if x in ALLOWED: ok = True\n"
        "    x = source()\n    if ok: sink(x)"
    ),
    "def f(x):\n    ok = False\n    if x in ALLOWED: ok = True\n    ok = y\n    if ok: sink(x)",
    (
        "def f(x):\n    ok = False\n    if x in ALLOWED: ok = True\n"
        "    if y: ok = True\n    if ok: sink(x)"
    ),
    "def f(x):\n    ok = False\n    if x in ALLOWED: ok = True\n    if ok or y: sink(x)",
    "def f(x):\n    for a in ALLOWED:\n        if x != a: break\n    else: return\n    sink(x)",
    "def f(x):\n    for a in ALLOWED:\n        a = y\n        if x == a: sink(x)",
    "def f(x):\n    for a in y:\n        if x == a: sink(x)",
    "def f(x):\n    try:\n        int(x)\n    except ValueError: log()\n    sink(x)",
    "def f(x):\n    n = int(x[0])\n    sink(x)",
    "def f(x):\n    if not (host := urllib.parse.urlparse(x).hostname): return\n    sink(x)",
    "def f(x):\n    n = int(x) if y else 0\n    sink(x)",
    "def f(x):\n    y and int(x)\n    sink(x)",
    "def f(x):\n    match x:\n        case y if y not in ALLOWED: sink(y)",
    "def f(x):\n    while x not in ALLOWED:\n        if y: break\n    sink(x)",
    "def f(x):\n    while x in ALLOWED: x = ask()\n    sink(x)",
    "def f(x):\n    a, b = x\n    p = a + b\n    if safe(a): sink(p)",
    "def f(x):\n    p = g(x)\n    if safe(x): sink(p)",
    "def f(x):\n    p = 'a' + x\n    x = y\n    if safe(x): sink(p)",
    "def f(x):\n    p = 'a' + x.a\n    p += x.b\n    if safe(x.a): sink(p)",
    "def f(x):\n    p = 'a' + x\n    if safe(x): pass\n    sink(p)",
]


def given(code: str) -> str:
    """`x` is bad at the start, whoever calls."""
    return code.replace("def f(x):\n", "def f():\n    x = source()\n").replace(
        "def f(self, x):\n", "def f(self):\n        x = source()\n"
    )


@pytest.mark.parametrize("code", CLEAN)
def test_what_a_test_tells_is_clean(code: str) -> None:
    assert found(given(code)) == 0


@pytest.mark.parametrize("code", TAINTED)
def test_what_a_test_does_not_tell_is_tainted(code: str) -> None:
    assert found(given(code)) == 1


@pytest.mark.parametrize(
    ("text", "may_be_empty"),
    [
        ("note", True),
        ("'%s' % note", True),
        ("'{}'.format(note)", True),
        ("'%(a)s' % note", True),
        ("'a' * note", True),
        ("f'{note}'", True),
        ("f'bad: {note}'", False),
        ("'bad: %s' % note", False),
        ("'%d%%' % note", False),
        ("'bad: {}'.format(note)", False),
        ("'bad: ' + note", False),
    ],
)
def test_a_text_that_says_something_is_an_error(text: str, may_be_empty: bool) -> None:
    code = (
        "q = source()\nif fits():\n    error, q = None, clean(q)\n"
        f"else:\n    error = {text}\nif not error: sink(q)"
    )
    assert bool(found(code)) is may_be_empty


def test_a_regex_that_is_asked_counts_beside_the_method_that_asks_it() -> None:
    """One rule trusts `fullmatch`, whatever is asked; another a regex that lets only words by."""
    guards = {
        "a": {"call": {"name": "*.fullmatch"}},
        "b": {"call": {"name": "re.compile", "args": {"0": {"in": [r"\w+"]}}}},
    }
    rules = RuleSet.of(
        [
            rule_from_data(
                {
                    "id": name,
                    "message": "m",
                    "severity": "error",
                    "taint": {
                        "sources": [{"match": "source()"}],
                        "sinks": [{"match": f"{name}_sink($X)"}],
                        "sanitizers": [{"match": guard, "by": "guard"}],
                    },
                },
                f"pack/{name}.yaml",
            )
            for name, guard in guards.items()
        ]
    )
    code = (
        'import re\nWORD = re.compile(r"\\w+")\ndef f():\n    x = source()\n'
        "    if WORD.fullmatch(x):\n        a_sink(x)\n        b_sink(x)\n    b_sink(x)\n"
    )
    hits = check(Source.from_text(code), rules, profile=Profile.REPO)
    assert [(hit.code, hit.location.line) for hit in hits] == [("b", 8)]
