"""The law of narrowing: flows in the part are the flows in the whole file."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.rules.narrowing.meant import MEANT, OTHERS
from tests.rules.narrowing.programs import Maker
from vetbox.code.source import Source, SourceError
from vetbox.findings import Confidence, Finding
from vetbox.rules import Profile, RuleSet, check, following, load_rules
from vetbox.rules.language.callbacks import CHOICES
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.narrowing import Narrowed, Posts

FIXTURES = Path(__file__).parents[3] / "fixtures"
TAINT = {
    "sources": [
        {"match": {"call": {"name": ["gets"]}}},
        {"match": {"def": {"decorator": ["*.route"]}}, "at": "parameters"},
        {"match": {"call": {"name": ["serves", "*.serves"]}}, "at": "handed.page|0"},
        {"match": {"any": ["request.args", "os.environ"]}},
    ],
    "sinks": [
        {"match": {"call": {"name": ["runs", "say"]}}, "at": "args"},
        {"match": {"call": {"name": "puts"}}, "at": "arg.where|0"},
        {"match": {"call": {"name": "*.starts"}}, "at": "receiver"},
        {"match": {"pattern": "$A.headers[$NAME] = $VALUE", "focus": "$VALUE"}},
        {"match": {"pattern": "return $X", "inside": {"def": {"decorator": ["*.tool"]}}}},
    ],
    "sanitizers": [{"match": {"call": {"name": ["clean", "*.trim"]}}}, {"match": "good.value"}],
}
RULE = {"id": "the-rule", "message": "{source}", "severity": "error", "taint": TAINT}
LABELLED = {
    "sources": [
        {"match": {"call": {"name": ["gets"]}}, "label": "GOT"},
        {"match": {"call": {"name": ["clean"]}}, "label": "CLEANED"},
        {"match": {"call": {"name": ["f", "h"]}}, "label": "MADE", "requires": "GOT"},
        {"match": {"pattern": "$X.a"}, "label": "READ", "requires": "MADE and not CLEANED"},
    ],
    "sinks": [
        {"match": {"call": {"name": "runs"}}, "at": "args", "requires": "GOT and not CLEANED"},
        {"match": {"call": {"name": "say"}}, "at": "args", "requires": "MADE"},
        {"match": {"call": {"name": "puts"}}, "at": "args", "requires": "READ or not GOT"},
    ],
}
# Programs: `gets()` is a source, `runs()` a sink, `clean()` and `x.trim()` are sanitizers. Of
# `puts()` only one argument counts, of `x.starts()` only x.
F = type("F", (), {"__repr__": lambda _: "f"})()
"""Shown as the name of a function."""
REST = """

def unrelated(a, b):
    c = [a, b]
    for d in c:
        print(d)
    return c
"""
FLOWS = [
    (
        "class A:\n  def t(self, p): return p\nclass B:\n  def t(self, p): return 1\n"
        "def g():\n    runs(A().t(gets()))"
    ),
    (
        "class A:\n  def t(self, p): runs(p)\nclass B:\n  def t(self, p): return 1\n"
        "def g():\n    a = A()\n    a.t(gets())"
    ),
    (
        "class A:\n  def t(self, p): runs(p)\nclass B:\n  def t(self, p): 1\n"
        "class C(A): pass\ndef g():\n    C().t(gets())"
    ),
    (
        "class A:\n  def t(self, p): return p\nclass B(A):\n"
        "  def t(self, p): return super().t(p)\ndef g():\n    runs(B().t(gets()))"
    ),
    (
        "class A:\n  def t(self, p): runs(p)\nclass B:\n  def t(self, p): 1\n"
        "class C(A):\n  def g(self): self.t(gets())"
    ),
    (
        "class A:\n  def __init__(self, p): self.p = p\n  @property\n"
        "  def q(self): return self.p\ndef g():\n    runs(A(gets()).q)"
    ),
    (
        "class A:\n  def __init__(self, p): self.p = p\n  @property\n"
        "  def q(self): return runs(self.p)\ndef g():\n    a = A(gets())\n    a.q"
    ),
    (
        "def f(p): return p\ndef h(p): return 1\nT = {'a': f, 'b': h}\ndef g():\n"
        "    runs(T['a'](gets()))"
    ),
    "def f(p): runs(p)\ndef h(p): return 1\nT = {'a': f, 'b': h}\ndef g(k):\n    T[k](gets())",
    "def f(p): runs(p)\nT = {'a': f}\ndef g(k):\n    if T.get(k)(gets()): 1",
    "def f(p): raise E(p)\ndef g():\n    try: f(gets())\n    except E as e: runs(e)",
    (
        "def f(p): raise E(p)\ndef h(p): f(p)\ndef g():\n    try:\n        h(gets())\n"
        "    except E as e:\n        runs(str(e))"
    ),
    (
        "def f():\n    raise E(gets())\ndef g():\n    try:\n        f()\n"
        "    except E as e:\n        runs(e)"
    ),
    "def f(p):\n    return p == 1\ndef g():\n    x = gets()\n    if f(x): return\n    runs(x)",
    "def f():\n    if y: raise E\ndef g():\n    x = gets()\n    f()\n    runs(x)",
    (
        "def f(*p, **q):\n    runs(p[1], q['a'])\ndef g():\n    f(1, gets())\n"
        "def e():\n    f(a=gets())"
    ),
    (
        "class A:\n  def go(self, x):\n    runs(self.made(x))\n  def made(self, x):\n    raise E\n"
        "class B(A):\n  def made(self, x):\n    return x\ndef g():\n  B().go(gets())"
    ),
    (
        "class A:\n  def go(self, x):\n    self.made(x)\n  def made(self, x):\n    raise E\n"
        "class B(A):\n  def made(self, x):\n    runs(x)\ndef g():\n  B().go(gets())"
    ),
    "def put(d, x):\n    d['a'] = x\ndef g():\n    d = {}\n    put(d, gets())\n    runs(d['a'])",
    (
        "def put(d, x):\n    d.append(x)\ndef more(d, x):\n    put(d, x)\ndef g():\n    d = []\n"
        "    more(d, gets())\n    runs(d)"
    ),
    "def put(d, x):\n    d.a = x\ndef g(d):\n    put(d, gets())\n    runs(d.a)",
    "T = {}\ndef put():\n    T['a'] = gets()\ndef take():\n    runs(T['a'])",
    "T = []\ndef put(x):\n    T.append(x)\ndef g():\n    put(gets())\ndef take():\n    runs(T)",
    "def put():\n    global last\n    last = gets()\ndef take():\n    runs(last)",
    "class A:\n  a = 1\ndef put():\n    A.a = gets()\ndef take():\n    runs(A.a)",
    (
        "def g():\n    a = 1\n    def put(x):\n        nonlocal a\n        a = x\n    put(gets())\n"
        "    runs(a)"
    ),
    "def g():\n    a = []\n    def put(x):\n        a.append(x)\n    put(gets())\n    runs(a)",
    "def g(d):\n    d['a'].append(gets())\n    runs(d)",
    "def g(d):\n    setattr(d, 'b', gets())\n    runs(d.b)",
    "def g(out):\n    print('a', gets(), file=out)\n    runs(out)",
    "def g(out):\n    json.dump(gets(), out)\n    runs(out)",
    "def g():\n    try:\n        raise A(gets())\n    except A as error:\n        runs(error)",
    (
        "class A:\n  def add(self, x):\n    self.a = x\n    return self\n  def all(self):\n"
        "    return self.a\ndef g():\n  runs(A().add(gets()).all())"
    ),
    "def f(p):\n    runs(p)\ndef g():\n    Thread(target=f, args=(gets(),)).start()",
    "def f(p):\n    runs(p)\ndef g():\n    Thread(target=f, kwargs={'p': gets()}).start()",
    "def f(p):\n    runs(p)\ndef g(pool):\n    pool.submit(f, gets())\n    pool.add_job(f)",
    "def f(p):\n    runs(p)\ndef g(loop):\n    loop.run_in_executor(None, f, gets())",
    "def f(p, q):\n    runs(q)\nh = partial(f, 1)\ndef g():\n    h(gets())",
    "def f(p, q):\n    return q\ndef g():\n    h = partial(f, 1)\n    runs(h(gets()))",
    "def f(p, q):\n    runs(q)\ndef g():\n    h = partial(f, q=gets())\n    h(1)",
    "class A:\n  def __init__(self, a):\n    self.a = a\ndef g():\n  runs(A(gets()).a)",
    (
        "class A:\n  def __init__(self, a):\n    self.a = a\ndef g():\n  x = A(1)\n  x.b = gets()\n"
        "  runs(x)"
    ),
    (
        "class A:\n  def __init__(self, a):\n    self.set(a)\n  def set(self, a):\n    self.a = a\n"
        "  def all(self):\n    return [self.a]\ndef g():\n  runs(A(gets()).all())"
    ),
    "class A:\n  def __init__(self, a):\n    runs(a)\ndef g():\n  A(gets())",
    (
        "class A:\n  def __init__(self):\n    self.p=[]\n  def m(self, x):\n    self.p.append(x)\n"
        "  def all(self):\n    return self.p\ndef g():\n  a = A()\n  a.m(gets())\n  runs(a.all())"
    ),
    (
        "class A:\n  def __init__(self):\n    self.p = {}\n  def more(self, x):\n    self.p[1]=x\n"
        "  def all(self):\n    return list(self.p)\ndef g():\n  a = A()\n  a.more(gets())\n"
        "  runs(a.all())"
    ),
    "class A:\n  def __init__(self):\n    self.a = gets()\ndef g():\n  runs(A())",
    "class A:\n  def __init__(self):\n    self.a = gets()\ndef g():\n  a = A()\n  runs(f'{a}')",
    (
        "class A:\n  def __init__(self, x):\n    self.a = []\n    self.a.append(gets())\n"
        "def f(p):\n  runs(p)\ndef g():\n  f([A(1)])"
    ),
    (
        "@dataclass\nclass A:\n  x: int\n  def __post_init__(self):\n    self.y = gets()\n"
        "def g():\n  a = A(1)\n  runs(vars(a))"
    ),
    (
        "class A:\n  def fill(self):\n    self.a = gets()\n    return self\n"
        "def g():\n  runs(A().fill())"
    ),
    "@dataclass\nclass A:\n  a: int\n  b: int\ndef g():\n  runs(A(1, gets()).b)",
    "def g():\n  d = {}\n  d[gets()] = 1\n  for k in d:\n    runs(k)",
    "def f(p):\n    return [1, p]\ndef g():\n    runs(f(gets())[1])",
    "runs(gets())",
    "x = gets()\nruns(x)",
    "def f(p):\n    return p\ndef g():\n    runs(f(gets()))",
    "def f(p):\n    runs(p)\ndef g():\n    f(gets())",
    "def f(a, *, k):\n    runs(k)\ndef g():\n    f(1, k=gets())",
    "def f():\n    return gets()\ndef g():\n    runs(f())",
    "def f():\n    yield gets()\ndef g():\n    for x in f():\n        runs(x)",
    "def f(p):\n    return h(p)\ndef h(q):\n    return q.upper()\ndef g():\n    runs(f(gets()))",
    "class A:\n    def run(self, p):\n        runs(p)\ndef g(a):\n    a.run(gets())",
    "class A:\n  def __init__(self):\n    self.x = gets()\n  def go(self):\n    runs(self.x)",
    "class A:\n def go(self):\n  self.t()\n  runs(self.x)\n def t(self):\n  for self.x in gets():1",
    "X = gets()\ndef g():\n    runs(X)",
    "X = []\nX.append(gets())\ndef g():\n    runs(X)",
    "X = {}\nX['k'] = gets()\ndef g():\n    runs(X['k'])",
    "def f():\n    return gets()\nX = f()\nY = 'a' + X\ndef g():\n    runs(Y)",
    "def f(p):\n    if p:\n        return f(p[1:])\n    return p\ndef g():\n    runs(f(gets()))",
    (
        "def e(p):\n    return o(p[1:]) if p else p\ndef o(p):\n    return e(p)\n"
        "def g():\n    runs(e(gets()))"
    ),
    (
        "class A:\n  h = ''\n  @classmethod\n  def put(cls, v): cls.h = v\n"
        "  @classmethod\n  def go(cls): runs(cls.h)\ndef g():\n  A.put(gets())\n"
        "  A.go()"
    ),
    ("class A:\n  h = ''\n  def go(self): runs(self.h)\ndef g():\n  A.h = gets()\n  A().go()"),
    (
        "class A:\n  h = ''\n  def put(self, v): self.__class__.h = v\n"
        "  def go(self): runs(self.h)\ndef g():\n  A().put(gets())\n  A().go()"
    ),
    (
        "class A:\n  h = ''\n  def put(self, v): type(self).h = v\n"
        "  def go(self): runs(self.h)\ndef g():\n  A().put(gets())\n  A().go()"
    ),
    ("class A:\n  def __getitem__(self, k): runs(k)\ndef g():\n  a = A()\n  return a[gets()]"),
    (
        "class A:\n  def __init__(self, v): self.v = v\n  def __iter__(self):\n"
        "    for one in self.v: yield one\ndef g():\n  for one in A(gets()): runs(one)"
    ),
    (
        "class A:\n  def __init__(self, v): self.v = v\n  def __iter__(self): return iter(self.v)\n"
        "def g():\n  runs([one for one in A(gets())])"
    ),
    ("class A:\n  def __getitem__(self, k): return k\nS = A()\ndef g():\n  runs(S[gets()])"),
    ("class A:\n  def __setitem__(self, k, v): runs(v)\ndef g():\n  a = A()\n  a['k'] = gets()"),
    ("class A:\n  def __contains__(self, k): runs(k)\ndef g():\n  a = A()\n  return gets() in a"),
    ("class A:\n  def __truediv__(self, k): runs(k)\ndef g():\n  a = A()\n  return a / gets()"),
    (
        "class A:\n  def __init__(self, v): self.v = v\n"
        "  def __enter__(self): return self\n"
        "  def __exit__(self, *a): runs(self.v)\ndef g():\n  with A(gets()): pass"
    ),
    (
        "class A:\n  def __init__(self, v): self.v = v\n"
        "  def __enter__(self): return self.v\n  def __exit__(self, *a): pass\n"
        "def g():\n  with A(gets()) as w: runs(w)"
    ),
    (
        "class A:\n  def __init__(self, v): self.v = v\n"
        "  def __str__(self): return 'x' + self.v\ndef g():\n  a = A(gets())\n"
        "  runs(f'{a}')"
    ),
    (
        "class A:\n  def __init__(self, v): self.v = v\n  def __str__(self):\n"
        "    runs(self.v)\n    return ''\ndef g():\n  a = A(gets())\n  str(a)"
    ),
    (
        "@dataclass\nclass A:\n  v: str\n"
        "  def __post_init__(self): self.w = self.v\ndef g():\n"
        "  runs(A(gets()).w)"
    ),
    (
        "@dataclass\nclass A:\n  v: str\n  def __post_init__(self): runs(self.v)\n"
        "def g():\n  A(v=gets())"
    ),
    (
        "class T(Thread):\n  def __init__(self, v): self.v = v\n"
        "  def run(self): runs(self.v)\ndef g():\n  T(gets()).start()"
    ),
    ("def d(f):\n  def i(*a):\n    return f(gets(), *a)\n  return i\n@d\ndef g(q):\n  runs(q)"),
    (
        "def d(n):\n  def w(f):\n    def i(*a):\n      return f(gets(), *a)\n"
        "    return i\n  return w\n@d(1)\ndef g(q):\n  runs(q)"
    ),
    (
        "import functools\ndef f(a, b):\n  return a + b\ndef g():\n"
        "  runs(functools.reduce(f, gets(), ''))"
    ),
    ("from functools import reduce\ndef f(a, b):\n  runs(b)\ndef g():\n  reduce(f, gets())"),
    "def g():\n    runs([x for x in gets()])",
    "def g():\n    runs({k: v for k, v in gets()})",
    "def g():\n    runs(f'{gets()!r:>5}')",
    "def g():\n    if (x := gets()):\n        runs(x)",
    "def g():\n    with gets() as x:\n        runs(x)",
    "def g():\n    x = 'a'\n    x += gets()\n    runs(x)",
    "def g():\n    x: str = gets()\n    runs(lambda: x)",
    "async def g():\n    async for x in gets():\n        runs(await x)",
    "def g(a):\n    a.b.c = gets()\n    runs(a.b.c)",
    "def g(a):\n    a.b().c[0] = gets()\n    a[0].d = 1\n    a[0][1] = gets()\n    runs(a)",
    "def g():\n  try:\n    x = gets()\n  except* E:\n    pass\n  finally:\n    runs(x)",
    "def g():\n    def h():\n        return gets()\n    runs(h())",
    "def g():\n    class B:\n        x = gets()\n        runs(x)",
    "def deco(p):\n    runs(p)\n@deco(gets())\ndef g():\n    pass",
    "def g():\n    global X\n    X = gets\n    X()\n    runs(gets())",
    "def g():\n    x = [\n        1,\n        gets(),\n    ]\n    runs(\n        2,\n        x,\n)",
    "DEBUG = False\ndef on():\n    return DEBUG\ndef g():\n    runs(gets() if not on() else 1)",
    "class A:\n  def g(self):\n    self.f = gets\n  def h(self):\n    runs(self.f())",
    "@app.route('/')\ndef g(name, other=1):\n    runs(name)",
    "class A:\n    @app.route('/')\n    def g(self, name): runs(name)",
    "def g(name, other=1):\n    runs(name)\nserves(g)",
    "def g(name):\n    runs(name)\ndef h(app):\n    app.serves(page=[h, g])",
    "class A:\n  def go(self, app): app.serves(self.g)\n  def g(self, name): runs(name)",
    "def f(name):\n    runs(name)\ndef g(name):\n    return f(name)\nx = serves(1, page=g)",
    "def f(a, k):\n    runs(k)\ndef g():\n    f(1, **{'k': gets()})",
    "def f(a, k):\n    runs(k)\ndef g():\n    f(*[1, gets()])",
    "def f(a, **k):\n    runs(k)\ndef g():\n    f(1, b=gets())",
    "class A:\n  @property\n  def x(self):\n    return gets()\n  def go(self):\n    runs(self.x)",
    "def f(*a, k=1):\n    runs(k)\ndef g():\n    f(1, k=gets())",
    "def f(*a):\n    runs(a)\ndef g():\n    f(1, gets())",
    "def g():\n    x = gets()\n    def h():\n        runs(x)\n    return h",
    "def g(x):\n    def h():\n        runs(x)\n    return h()\ndef e():\n    g(gets())",
    "def g(x):\n    def h():\n        runs(x.y)\n    x.y = gets()\n    h()",
    "def f(p):\n    runs(p)\ndef g():\n    list(map(f, gets()))",
    "def f(p, q):\n    runs(q)\ndef g():\n    x = map(f, [1], [gets()])",
    "def f(p):\n    return gets()\ndef g():\n    runs(map(f, [1]))",
    "def f(p):\n    runs(p)\ndef g():\n    for x in filter(f, gets()): 1",
    "def g():\n    list(map(lambda p, *q: runs(p), gets()))",
    "def g():\n    runs(map(lambda p: gets(), [1]))",
    "class A:\n  def f(self, p):\n    runs(p)\n  def g(self):\n    list(map(self.f, [gets()]))",
    "def f(p):\n    runs(p)\ndef g(pool):\n    pool.map(f, gets())",
    "def g():\n    puts(1 and gets())",
    "def g():\n    puts(1, where=gets())",
    "def g():\n    puts(*[gets()])",
    "def g():\n    o = {'where': gets()}\n    puts(**o)",
    "from functools import partial\np = partial(puts, gets())\ndef g():\n    p()",
    "def g():\n    gets().x[0].starts()",
    "def g(a, b):\n    a.headers['k'] = b.headers['k'] = f'{gets()}'",
    "def g(a):\n    a.headers['k']: str = gets()",
    "@mcp.tool()\ndef g():\n    return [gets()]",
    "r = runs\ndef g():\n    r(gets())",
    "def g(request):\n    runs(request.args['x'])",
    "def g(request):\n    q = request.args\n    runs(q)",
    "import os\nclass A:\n  q = os.environ\n  def g(self):\n    runs(self.q)",
    "import os\ndef g(q=os.environ):\n    runs(q)",
    "from os import environ as e\ndef g():\n    runs(e['x'])",
    "import os\nT = {'a': os.environ}\ndef g():\n    runs(T['a'])",
    "import os\nimport copy\ndef g():\n    runs(copy.copy(os.environ))",
    "import os\ndef f():\n    1\ndef f():\n    return os.environ\ndef g():\n    runs(f())",
    "import os\nclass A:\n  def f():\n    return os.environ\ndef f(): 1\ndef g():\n    runs(A.f())",
    "import os\ndef f():\n    return os.environ\nclass A:\n  E = f()\ndef g(a):\n    runs(A.E)",
    (
        "class A:\n  def put(self, x):\n    self.x = x\nclass B(A):\n  def view(self):\n"
        "    self.put(gets())\n  def go(self):\n    runs(self.x)"
    ),
    (
        "class A:\n  def put(self, x):\n    self.more(x)\n  def more(self, y):\n    self.y = y\n"
        "class B(A):\n  def mid(self, x):\n    self.put(x)\nclass C(B):\n  def go(self):\n"
        "    self.mid(gets())\n  def end(self):\n    runs(self.y)"
    ),
    (
        "class A:\n  def put(self, x):\n    self.more(x)\n  def more(self, y):\n    self.y = y\n"
        "def g():\n  a = A()\n  a.put(gets())\n  runs(a.y)"
    ),
    (
        "class A: pass\nclass B:\n  def m(self):\n    self.a = A()\n    self.a.b = gets()\n"
        "    runs(self.a)"
    ),
    "def f(p):\n  def h():\n    return p\n  return h()\ndef g():\n  runs(f(gets()))",
    "def f(p):\n  def h(q):\n    return q\n  return h(p)\ndef g():\n  runs(f(gets()))",
    "def f(p):\n  def h():\n    runs(p)\n  k(h)\ndef k(p):\n  h()\ndef g():\n  f(gets())",
    (
        "def f(p):\n  return h(p)\ndef h(p):\n  return k(p)\ndef k(p):\n  return h(p) if p else p\n"
        "def g():\n  runs(f(gets()))"
    ),
    "import os\ndef g():\n  q = w = os.environ\n  runs((w))",
    "import os\ndef g():\n  runs((lambda: os.environ)())",
    "import os\nclass A:\n  def f(self): return os.environ\ndef g():\n  runs(A().f()['x'])",
    "from os import environ as e\ndef g():\n  for k, v in [(1, e)]:\n    runs(v)",
    (
        "def u(a):\n  a.g()\nclass A:\n  def f(self):\n    runs(self.x)\n  def g(self):\n"
        "    self.x = gets()"
    ),
    (
        "def u(a):\n  t(a)\ndef t(a):\n  a.g()\nclass A:\n  def f(self):\n    runs(self.x)\n"
        "  def g(self):\n    self.x = gets()"
    ),
    (
        "def f():\n  runs(h(gets()))\n  runs(map(h, gets()))\nclass A:\n  def g(self):\n"
        "    def h(p):\n      return 1\n  def e(self):\n    def h(p):\n      return 2"
    ),
    (
        "def f():\n runs(A(gets()).x)\ndef g():\n @dataclass\n class A:\n  y: int\n  x: int\n"
        "def e():\n class A: pass"
    ),
    "def g():\n    Thread(target=runs, args=(gets(),)).start()",
    "def g():\n    Timer(5, runs, [gets()]).start()",
    "def g(pool):\n    pool.submit(runs, gets())",
    "def g(pool):\n    pool.map(runs, gets())",
    "async def g():\n    await asyncio.to_thread(runs, gets())",
    "async def g(loop):\n    await loop.run_in_executor(None, runs, gets())",
    "def g():\n    list(map(runs, [gets()]))",
    "def f(a, b):\n    runs(b)\ndef g():\n    list(starmap(f, [(1, gets())]))",
    "class A:\n  def __call__(self, x):\n    runs(x)\ndef g():\n  A()(gets())",
    "class A:\n  def __call__(self, x):\n    runs(x)\na = A()\ndef g():\n  a(gets())",
    "class B:\n  def __call__(self, x):\n    runs(x)\nclass A(B): pass\ndef g():\n  A()(gets())",
    "def g():\n    def f(a=gets()):\n        runs(a)\n    f()",
    "def g():\n    f = lambda a: runs(a)\n    f(gets())",
    "f = lambda a: runs(a)\ndef g():\n    f(gets())",
    "def f(a):\n    runs(a)\nT = {'f': f}\ndef g(k):\n    h = T.get(k)\n    h(gets())",
    "def f(a):\n    runs(a)\nT = {'f': f}\ndef g(k):\n    h = T[k]\n    h(gets())",
    "class A:\n  def f(self, x):\n    runs(x)\ndef g():\n  getattr(A(), 'f')(gets())",
    (
        "class A:\n  def do_f(self, x):\n    runs(x)\n  def g(self, n):\n"
        "    getattr(self, 'do_' + n)(gets())"
    ),
    (
        "class A:\n  def do_f(self, x):\n    runs(x)\n  def g(self, n):\n"
        "    h = getattr(self, f'do_{n}')\n    h(gets())"
    ),
    "def g():\n    a = []\n    heappush(a, gets())\n    runs(heappop(a))",
    "def g():\n    a = []\n    bisect.insort(a, gets())\n    runs(a[0])",
    "def make(a):\n    def f():\n        runs(a)\n    return f\ndef g():\n    make(gets())()",
    (
        "def make(a):\n    def f():\n        runs(a)\n    return f\n"
        "def g():\n    h = make(gets())\n    h()"
    ),
    "def make():\n    def f(a):\n        runs(a)\n    return f\ndef g():\n    make()(gets())",
    "def f(a):\n    runs(a)\ndef apply(h, x):\n    h(x)\ndef g():\n    apply(f, gets())",
    (
        "def f(a):\n    runs(a)\ndef apply(h, x):\n    h(x)\ndef more(x, h):\n    apply(h, x)\n"
        "def g():\n    more(gets(), f)"
    ),
    "def apply(h, x):\n    h(x)\ndef g():\n    apply(lambda a: runs(a), gets())",
    "def f(a):\n    runs(a)\ndef apply(h):\n    h(gets())\ndef g():\n    apply(f)",
    "class A:\n  def f(self):\n    runs(self.a)\n  def g(self):\n    self.a = gets()",
    "class B:\n  def g(self):\n    self.a = gets()\nclass A(B):\n  def f(self):\n    runs(self.a)",
    "class B:\n  def f(self):\n    runs(self.a)\nclass A(B):\n  def g(self):\n    self.a = gets()",
    "def f(a):\n    runs(a)\nh = f\ndef g():\n    h(gets())",
    "class A:\n  def f(self, x):\n    runs(x)\ndef g():\n    h = A().f\n    h(gets())",
    "T = {'f': lambda a: runs(a)}\ndef g(k):\n    T[k](gets())",
    "T = {'f': lambda a: runs(a)}\ndef g(k):\n    T.get(k, print)(gets())",
    "def g():\n    atexit.register(runs, gets())",
    "def g(stack):\n    stack.callback(runs, gets())",
    "def put():\n    G.a = gets()\ndef g():\n    runs(getattr(G, 'a', None))",
    (
        "class A:\n  def __init__(self):\n    self.h = self.f\n  def f(self, x):\n    runs(x)\n"
        "  def g(self):\n    self.h(gets())"
    ),
    (
        "class A:\n  def __init__(self):\n    self.t = {'f': self.f}\n  def f(self, x):\n"
        "    runs(x)\n  def g(self, k):\n    self.t[k](gets())"
    ),
    "def f(p):\n    return p\ndef g(pool):\n    runs(pool.submit(f, gets()).result())",
    "async def g():\n    runs(await asyncio.to_thread(other, gets()))",
    f"def f(a):\n    runs(a)\nT = {dict.fromkeys(range(CHOICES), F)}\ndef g(k): T[k](gets())",
]
# They look as if.
HARMLESS = [
    "def f(p):\n    if p:\n        return f(p[1:])\n    return 1\ndef g():\n    runs(f(gets()))",
    "def e(p):\n    return o(p)\ndef o(p):\n    return e(p)\ndef g():\n    runs(e(gets()))",
    (
        "def f(p):\n  return h(p)\ndef h(p):\n  return k(p)\ndef k(p):\n  return h(p)\n"
        "def g():\n  runs(f(gets()))"
    ),
    "def f(p):\n    return 1\ndef g(pool):\n    runs(pool.submit(f, gets()).result())",
    "def f(p):\n    return 1\nasync def g():\n    runs(await asyncio.to_thread(f, gets()))",
    "def g(x):\n    gets()\n    Thread(target=runs, args=(x,)).start()",
    "def g():\n    Thread(target=runs, args=('a',), name=gets()).start()",
    "def f(a, b):\n    runs(b)\ndef g(pool):\n    pool.submit(f, gets(), 1)",
    "class A:\n  def __call__(self, x, y):\n    runs(y)\ndef g():\n  A()(gets(), 1)",
    (
        "def f(a):\n    runs(a)\ndef e(a): pass\nT = {'f': f, 'e': e}\n"
        "def g():\n    T.get('e')(gets())"
    ),
    (
        "class A:\n  def do_f(self, x):\n    runs(x)\n  def g(self, n):\n"
        "    getattr(self, 'on_' + n)(gets())"
    ),
    "def make(a):\n    def f():\n        runs(1)\n    return f\ndef g():\n    make(gets())()",
    "def f(a):\n    runs(a)\ndef apply(h, x):\n    h(1)\ndef g():\n    apply(f, gets())",
    (
        "def f(a):\n    runs(a)\ndef e(a): pass\ndef apply(h, x):\n    h(x)\n"
        "def g():\n    apply(e, gets())"
    ),
    "def apply(h, x):\n    h(x)\ndef g():\n    apply(lambda a: runs(1), gets())",
    "class B:\n  def g(self):\n    self.a = gets()\nclass A:\n  def f(self):\n    runs(self.a)",
    "def f(a):\n    runs(a)\nh = print\ndef g():\n    h(gets())",
    "T = {'f': lambda a: runs(1)}\ndef g(k):\n    T[k](gets())",
    (
        "class A:\n  def __init__(self):\n    self.t = {'e': self.e}\n  def f(self, x):\n"
        "    runs(x)\n  def e(self, x): pass\n  def g(self, k):\n    self.t[k](gets())"
    ),
]
MISSED = [
    f"def f(a):\n    runs(a)\nT = {dict.fromkeys(range(CHOICES + 1), F)}\ndef g(k): T[k](gets())",
    (
        "def f(p):\n    return p in ('a', 'b')\ndef g():\n    x = gets()\n"
        "    if not f(x): return\n    runs(x)"
    ),
    "def f():\n    raise E\ndef g():\n    x = gets()\n    f()\n    runs(x)",
    "def f(*p):\n    return p[0]\ndef g():\n    runs(f(1, gets()))",
    (
        "class A:\n  def t(self, p): return p\nclass B:\n  def t(self, p): return 1\n"
        "def g():\n    runs(B().t(gets()))"
    ),
    (
        "def f(p): return p\ndef h(p): return 1\nT = {'a': f, 'b': h}\ndef g():\n"
        "    runs(T['b'](gets()))"
    ),
    "N = namedtuple('N', 'a b')\ndef g():\n    n = N(gets(), 1)\n    runs(n.b)",
    (
        "class N(BaseModel):\n  a: str\n  b: int\ndef f(n: N):\n    runs(n.b)\n"
        "def g():\n    f(gets())"
    ),
    "def g():\n    d = [1]\n    d.remove(gets())\n    runs(d)",
    "def g():\n    d = [1]\n    d.sort(key=gets())\n    runs(d.pop(gets()))",
    "import good\ndef g():\n    x = good.value\n    x.append(gets())\n    runs(x)",
    "from good import value as v\ndef g():\n    v.append(gets())\n    runs(v)",
    "from good import *\ndef g():\n  value.append(gets())\n  runs(value)",
    (
        "def u(a):\n  a.f()\nclass A:\n  def g(self):\n    self.x = gets()\n  def f(self):\n"
        "    runs(self.x)"
    ),
    "import os\ne = getattr(os, 'environ')\ndef g():\n  runs(f'{e[1]:{e[2]}}')",
    "import os\ndef f():\n  return [os]\ndef g():\n  runs(f()[0].environ['x']['y'].z)",
    "class A:\n  def go(self):\n    runs(self.x)\n  def set(self):\n    self.y.x, z = 1, gets()",
    "def g():\n    match gets():\n        case {'k': v, **rest}:\n            runs(rest)",
    "class A:\n def trim(self, p):\n  return 1\n def g(self):\n  say(self.trim(gets()))",
    "def g():\n    puts(1, gets())",
    "def g(a):\n    a.starts(gets())",
    (
        "class A:\n def f(self, p):\n  self.p = p\n @property\n def q(self):\n  return self.p\n"
        " def g(self):\n  self.f(gets())\n def h(self):\n  runs(self.q)"
    ),
    "class A:\n def trim(self, p):\n  return p\n def g(self):\n  runs(self.trim(gets()))",
    "class A:\n def trim(self, p):\n  runs(p)\n def g(self):\n  self.trim(gets())",
    (
        "class A:\n def trim(self, p):\n  return f(p)\ndef f(p):\n return A().trim(p)\n"
        "def g():\n runs(f(gets()))"
    ),
    "class A:\n def put(self, x):\n  self.x.y = x\ndef g():\n a = A()\n a.put(gets()); runs(a)",
    (
        "class A:\n  def put(self, v):\n    self.x = v\n  def get(self):\n    return self.x\n"
        "  def a(self):\n    self.put(gets())\n  def b(self):\n    runs(self.get())"
    ),
    (
        "def h(a, v):\n a.put(v)\nclass A:\n def put(self, x):\n  self.x = x\ndef g():\n"
        " a = A()\n h(a, gets())\n runs(a)"
    ),
]
"""Programs in which no flow is found, though data may arrive."""
SILENT = [
    (
        "class A:\n  def log(self, *a, **k):\n    k['x'] = a[0].x = gets()\n  def go(self, p):\n"
        "    self.log(p, m=p)\n    runs(p)"
    ),
    "def f(p, q):\n    runs(q)\ndef g():\n    map(f, gets(), [1])",
    "def f(p):\n    runs(p)\ndef g():\n    map(1, gets(), f)",
    "def f():\n    return gets()\ndef g():\n    runs(1)",
    "def f():\n    gets()\n    return 1\ndef g():\n    runs(f())",
    "def f(p):\n    print(p)\ndef g():\n    f(gets())\ndef h():\n    runs(1)",
    "class A:\n  def f(self):\n    self.x = gets()\n  def g(self):\n    runs(self.y)",
    "class A:\n  def f(self):\n    self.x = gets()\nclass B:\n  def g(self):\n    runs(self.x)",
    "def g():\n    x = gets()\n    y = len(x)\n    runs(y)",
    "def g():\n    x = gets()\n    y = x == 1\n    runs(y)",
    "def g():\n    return gets(), runs(1)",
    "def g():\n    x = puts(1, gets())",
    "def g(a):\n    a.starts(gets())",
    "def g(a):\n    a.headers['k'] = gets == 1\n    return a.headers['x'], gets()",
    "def g(a, request):\n    runs(a.args); request.args",
    "import os\ndef g(environ):\n    os.environ\n    runs(environ)",
    "@app.tool\ndef f(p):\n    return 1\ndef g():\n    return gets()",
    "@app.other\ndef f(p):\n    runs(p)\n@app.route\ndef g(q):\n    runs(1)",
    "def f(p):\n    runs(p)\ndef g(q):\n    runs(1)\nserves(g, f)",
    "def f(p):\n    runs(p)\ng = f\nserves(page=g)",
    "class A:\n    def f(self):\n        runs(self)\nserves(page=A.f)",
    "def f(p):\n    return p\ndef g():\n    return f(gets())\ndef h():\n    runs(f(1))",
    (
        "def f(p):\n    return h(p)\ndef h(p):\n    return [p]\ndef g():\n    x = f(gets())\n"
        "def e():\n    runs(f(1), h(2))"
    ),
    (
        "class A:\n  def put(self, x):\n    self.x = x\n  def more(self):\n    self.put(gets())\n"
        "  def go(self):\n    self.more()\n    runs(self, self.y)"
    ),
    (
        "class A:\n  def put(self, x):\n    self.x = x\ndef g(a, b):\n  a.put(gets())\n"
        "  b.put(1)\n  runs(b)"
    ),
]
APART = [
    "def g(self, x):\n    self.assertEqual(gets(), [1])\n    runs(x)",
    "def g(self, x):\n    if gets() or x.get(gets(), 'a'):\n        runs(x)",
    "def g(self, x):\n    assert x == gets()\n    runs(x)",
    "def g(self, x):\n    while gets(): x()\n    runs(x)",
    "@skip(gets())\ndef g(x):\n    runs(x)",
    "def g():\n    x = gets()\n    runs('a', 1)\n    say()\n    return x",
    "def g(request, x):\n    request.args = x\n    runs(x)",
    "def g(x):\n    if gets() or x.partial_update():\n        runs(x)",
]
"""Programs in which lines tell that nothing that enters somewhere arrives anywhere."""
LEAVING = [
    "def f(p):\n    runs(p)\ndef g(x):\n    f(gets())",
    "class A:\n  def __init__(self, p):\n    runs(p)\ndef g(x):\n    A(gets())",
    "def deco(p):\n    runs(p)\n@deco(gets())\ndef g(x):\n    1",
    "def g(x):\n    x.append(gets())\n    runs(x)",
    "def g(x):\n    setattr(x, 'a', gets())\n    runs(x)",
    "def g(x):\n    print(gets(), file=x)\n    runs(x)",
    "def g(x):\n    [(z := y) for y in gets()]\n    runs(z)",
    "def g(x):\n    [runs(y) for y in gets()]",
    "def g(x):\n    if (y := gets()): runs(y)",
    "def g(x):\n    while True: yield gets()\nruns(g(1))",
    "def g(x):\n    if runs(gets()): 1",
    "def f(p):\n    runs(p)\nh = partial(f)\ndef g(x):\n    h(gets())",
    "def f(p):\n    runs(p)\ndef g(x):\n    if 1: list(map(f, gets()))",
    "def f(p):\n    runs(p)\ndef g(x):\n    try: 1\n    finally: f(gets())",
    "class A:\n  def f(self, p):\n    runs(p)\ndef g(x):\n    assert x.f(gets())",
]
"""Programs in which data leaves the statement where it enters, though nothing is assigned."""
Check = Callable[[str, RuleSet], tuple[Finding, ...]]


@pytest.fixture(name="whole")
def whole_file(monkeypatch: pytest.MonkeyPatch) -> Check:
    """What is found when nothing is left out."""

    def everything(_: Source, ends: Mapping[str, Any], *__: object) -> Narrowed:
        return Narrowed(frozenset(ends))

    def checked(code: str, rules: RuleSet) -> tuple[Finding, ...]:
        with monkeypatch.context() as patch:
            patch.setattr(following, "narrowed", everything)
            return narrow(code, rules)

    return checked


def narrow(code: str, rules: RuleSet) -> tuple[Finding, ...]:
    return check(Source.from_text(code), rules, profile=Profile.REPO)


@pytest.fixture(scope="module", name="rules")
def rule_set() -> RuleSet:
    return RuleSet.of([rule_from_data(RULE, "pack/the-rule.yaml")])


@pytest.mark.parametrize("program", [*FLOWS, *MEANT])
@pytest.mark.parametrize("order", [(), ("before",), ("after",), ("before", "after")])
def test_every_flow_is_found_in_the_part(
    program: str, order: tuple[str, ...], rules: RuleSet, whole: Check
) -> None:
    code = f"{REST if 'before' in order else ''}\n{program}\n{REST if 'after' in order else ''}"
    found = narrow(code, rules)
    assert found == whole(code, rules)
    assert found


@pytest.mark.parametrize("source", ["request.GET['x']", "request.body", "self.get_argument('x')"])
@pytest.mark.parametrize("text", ['f"ls {%s}"', '"ls " + %s', 'f"""\n{%s}"""'])
def test_sources_are_found_in_formatted_strings(source: str, text: str) -> None:
    code = f"import os\ndef view(self, request):\n    os.system({text % source})\n"
    codes = {finding.code for finding in narrow(code, load_rules())}
    assert "shell-from-request" in codes


@pytest.mark.parametrize(
    ("first", "second", "is_sure"),
    [
        ("class A:\n  def f(self):\n    S", "  def g(self):\n    keeps(1)", False),
        ("class A:\n  def f(self):\n    def h():\n      S", "  def g(self):\n    keeps(1)", False),
        ("class A:\n  def f(self):\n    S", "class B:\n  def g(self):\n    keeps(1)", True),
        ("def f(self):\n    S", "def g(self):\n    keeps(1)", True),
    ],
)
@pytest.mark.parametrize("named", [False, True])
def test_a_doubt_sees_the_other_methods_of_a_class(
    first: str, second: str, is_sure: bool, named: bool, whole: Check
) -> None:
    code = f"{REST}{first.replace('S', 'runs(gets())')}\n{second}"
    around: Any = {"class": {"name": "*"}}
    doubt = {"all": [{"any": [around], "as": "$A"} if named else around]}
    keeping = {"has": {"call": {"name": "keeps"}}}
    written = {"where": [{"metavariable": "$A", "written": r"\bkeeps\b"}]}
    asked = {**doubt, **written} if named else {"all": [*doubt["all"], keeping]}
    rules = RuleSet.of([rule_from_data({**RULE, "doubtful": [{"inside": asked}]}, "pack/r.yaml")])
    (found,) = narrow(code, rules)
    assert (found,) == whole(code, rules)
    assert (found.confidence is Confidence.HIGH) is is_sure


@pytest.mark.parametrize("program", [*HARMLESS, *OTHERS])
def test_what_only_looks_so_is_no_flow(program: str, rules: RuleSet, whole: Check) -> None:
    assert narrow(program, rules) == whole(program, rules) == ()


@pytest.mark.parametrize("program", MISSED)
def test_no_more_is_found_in_the_part(program: str, rules: RuleSet, whole: Check) -> None:
    assert narrow(REST + program, rules) == whole(REST + program, rules)


@pytest.mark.parametrize("program", SILENT)
def test_without_a_way_nothing_is_parsed(
    program: str, rules: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Source, "module", property(lambda _: pytest.fail("parsed")))
    assert not narrow(program, rules)


@pytest.mark.parametrize("program", APART)
def test_where_lines_tell_nothing_is_parsed(
    program: str, rules: RuleSet, whole: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not whole(program, rules)
    monkeypatch.setattr(Source, "tree", property(lambda _: pytest.fail("parsed")))
    assert not narrow(program, rules)


@pytest.mark.parametrize("program", LEAVING)
def test_data_that_leaves_its_statement_is_followed(
    program: str, rules: RuleSet, whole: Check
) -> None:
    assert narrow(program, rules) == whole(program, rules) != ()


@pytest.mark.parametrize("given", ["p", "1"])
def test_one_rules_sanitizer_is_a_function_to_the_others(
    given: str, rules: RuleSet, whole: Check
) -> None:
    code = (
        f"class A:\n def trim(self, p):\n  return {given}\n def g(self):\n  say(self.trim(gets()))"
    )
    trusting = {"sources": TAINT["sources"], "sinks": TAINT["sinks"]}
    other = rule_from_data({**RULE, "id": "other", "taint": trusting}, "pack/other.yaml")
    both = RuleSet.of([other, *rules.rules.values()])
    found = [whole(code, RuleSet.of([other])), narrow(code, both), whole(code, both)]
    assert [len(one) for one in found] == [given == "p"] * 3


def test_all_programs_together(rules: RuleSet, whole: Check) -> None:
    code = "\n".join([*FLOWS, *MISSED, REST, *SILENT])
    assert narrow(code, rules) == whole(code, rules)


@pytest.mark.parametrize("seed", range(8))
def test_programs_made_at_random(seed: int, rules: RuleSet, whole: Check) -> None:
    maker = Maker(seed)
    for code in [maker.program() for _ in range(10)]:
        assert narrow(code, rules) == whole(code, rules), code


@pytest.mark.parametrize("seed", range(8))
def test_programs_made_at_random_under_rules_with_labels(seed: int, whole: Check) -> None:
    maker = Maker(seed)
    rules = RuleSet.of([rule_from_data({**RULE, "taint": LABELLED}, "pack/the-rule.yaml")])
    for code in [*FLOWS, *(maker.program() for _ in range(10))]:
        assert narrow(code, rules) == whole(code, rules), code


@pytest.mark.parametrize("file", sorted((FIXTURES / "flow").glob("*.py")), ids=lambda f: f.stem)
def test_fixtures_of_flows(file: Path, whole: Check) -> None:
    code = file.read_text("utf-8")
    flowing = RuleSet.of(rule for rule in load_rules().rules.values() if rule.flows)
    try:
        expected = whole(code, flowing)
    except SourceError:
        pytest.skip("no Python")
    assert narrow(code, flowing) == expected


def test_no_shipped_rule_has_files_followed_whole() -> None:
    """One place that its own line does not tell makes every file with its words cost fourfold."""
    posts = Posts()
    flowing = [rule for rule in load_rules().rules.values() if rule.flows]
    assert [rule.id for rule in flowing if not posts.ends(rule).local] == []
