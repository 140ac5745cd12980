"""Which shapes of passing `source()` on take it into `sink()`: lists with a known head, records,
functions that call themselves, functions that are given to others, objects."""

import pytest

from tests.rules.taint.test_flow import found

TWO = "class A:\n    def __init__(self, a): self.a, self.n = a, 1\n"
TAINTED = [
    "w = ['a', 'b']\nw[-1] = source()\nsink(w[1])",
    "w = ['a', 'b']\nw[-1] = source()\ndel w[0]\nsink(w[0])",
    "def f(w): w.append(source())\nw = ['a', 'b']\nf(w)\nw.reverse()\nsink(w)",
    "def f(w): w.append(source())\nw = ['a', 'b']\nf(w)\ndel w[0]\nsink(w)",
    "def f(w): w.append(source())\nw, v = ['a'], ['b']\nf(w)\nv.extend(w)\nsink(v)",
    "w = ['a', 'b', source()]\nfor x in xs: w.pop(0)\nsink(w[0])",
    "w = ['a', source()]\nd = str(w.pop(0))\nsink(w[0])",
    "w = ['a', source()]\nd = w.pop() if x else 'b'\nsink(w)",
    "d = {'a': source()}\ne = x and d.pop('a')\nsink(d['a'])",
    "a = b = c = d = 'x'\nfor x in xs:\n    sink(a)\n    a, b, c = b, c, source()",
    (
        "class A:\n    def __init__(self, w): self.w = w\n    def __enter__(self): return self.w\n"
        "    def __exit__(self, *e): pass\n"
        "w = ['a', source()]\nwith A(w.pop(0)) as x: pass\nsink(w[0])"
    ),
    "try:\n    x = source()\n    x = int(x)\nexcept ValueError: sink(x)",
    "try:\n    x = source()\n    if y: raise ValueError\n    x = 'a'\nexcept ValueError: sink(x)",
    "w = ['a']\nw.extend(source())\nsink(w[-1])",
    "w = ['a']\nw.extend(source())\nsink(w[1])",
    "w = ['a', *source()]\nsink(w[1:])",
    "w = [source()]\nw.extend(xs)\nsink(w[0])",
    "w = [source(), 'a'] + list(xs)\nw.append('b')\nsink(w[0])",
    "w = ['a', *xs]\nw.append(source())\nsink(w.pop())",
    "w = ['a', *xs]\nw.insert(0, source())\nsink(w[0])",
    "w = ['a']\nfor x in xs: w.append(source())\nsink(' '.join(w))",
    "w = ['a', 'b']\nw.extend(source())\nw.pop(0)\nw.pop(0)\nsink(w[0])",
    "w = ['a', *source()]\nw.sort()\nsink(w[0])",
    "w = ['a', *source()]\na, *b = w\nsink(b)",
    "w = ['a', *source()]\nfor x in w: sink(x)",
    "from functools import reduce\nsink(reduce(lambda a, b: a + b, source()))",
    "from functools import reduce\nsink(reduce(lambda a, b: b, source(), 'a'))",
    "from functools import reduce\nsink(reduce(lambda a, b: a, xs, source()))",
    "import functools\ndef f(a, b): return b + 'x'\nsink(functools.reduce(f, source()))",
    "import functools, operator\nsink(functools.reduce(operator.add, source()))",
    "import functools\ndef f(a, b): sink(b)\nfunctools.reduce(f, source())",
    "def f(n, v): return f(n - 1, v) if n else v\nsink(f(3, source()))",
    "def f(a, b, c): return f(b, c, 'x') if a else a\nsink(f('a', 'b', source()))",
    "def f(n, v): return g(v) if n else v\ndef g(v): return f(0, v)\nsink(g(source()))",
    "def f(n): return source() if n else g(n)\ndef g(n): return f(n)\nsink(g(3))",
    "def f(v):\n    if v: f(v[1:])\n    sink(v)\nf(source())",
    (
        "def f(v):\n    for x in v:\n        yield from f(x)\n"
        "    yield v\nfor x in f(source()): sink(x)"
    ),
    "class A:\n    def f(self, v): return self.f(v) if v else v\nsink(A().f(source()))",
    "for x in set(source()) & set(xs): sink(x)",
    "for x in set(source()) | {'a'}: sink(x)",
    "for x in set(source()) - {'a'}: sink(x)",
    "for x in filter(lambda w: w != 'a', source()): sink(x)",
    "for x in filter(None, source()): sink(x)",
    "def f(w): return True\nfor x in filter(f, source()): sink(x)",
    "sink('{b}'.format(**{'a': 1, 'b': source()}))",
    "sink('{b}'.format(**source()))",
    "sink('{1}'.format(*['a', source()]))",
    "sink('{b}'.format_map({'a': 1, 'b': source()}))",
    "sink('{b}'.format_map(source()))",
    (
        "from collections import namedtuple\nP = namedtuple('P', 'a b')\n"
        "a, b = P(1, b=source())\nsink(b)"
    ),
    "class P(NamedTuple):\n    a: str\n    b: str\nsink(P(source())._replace(b=1).a)",
    "class P(NamedTuple):\n    a: str\n    b: str = 'x'\nsink(P(1)._replace(b=source()).b)",
    "class P(NamedTuple):\n    a: str\n    b: str = 'x'\nsink(P(1, source())._asdict()['b'])",
    "class P(NamedTuple):\n    a: str\n    b: str = 'x'\nsink(P(source())[:1])",
    "a, b = gather(f(1), source())\nsink(b)",
    "d = {'a': source()}\nd.pop('b', None)\nsink(d['a'])",
    "d = {'a': source()}\nd.pop(k)\nsink(d['a'])",
    "import itertools\nfor a, b in itertools.product(xs, source()): sink(b)",
    "x = source()\nif isinstance(x, str): sink(x)",
    "x = source()\nif isinstance(x, (int, str)): sink(x)",
    "match source():\n    case ('a' | 'b') as x: f(x)\n    case y: sink(y)",
    "def a(**kw): b(**kw)\ndef b(q=1, r=1): sink(q)\na(q=source())",
    (
        "class A:\n    def __init__(self, v): self.v = v\n    @property\n"
        "    def w(self): return self.v\n"
        "    def go(self): sink(self.w)\nA(source()).go()"
    ),
    (
        "class A:\n    def __init__(self, v): self.v = v\n    @property\n"
        "    def w(self): return 1\n"
        "    def go(self): sink(self.w)\nclass B(A):\n    @property\n"
        "    def w(self): return self.v\n"
        "B(source()).go()"
    ),
    "@ray.remote\ndef go(a): sink(a)\ngo.remote(source())",
    f"{TWO}sink('{{0.n}} {{0.a}}'.format(A(source())))",
    f"{TWO}sink('{{x.a}}'.format(x=A(source())))",
    f"{TWO}    @property\n    def b(self): return self.a\nsink('{{.b}}'.format(A(source())))",
    "sink('{d[a][0]}'.format(d={'a': [source()], 'b': 1}))",
]
CLEAN = [
    f"{TWO}sink('{{0.n}}'.format(A(source())))",
    f"{TWO}sink('{{x.n}}'.format(x=A(source())))",
    "sink('{d[b]} {r[0]}'.format(d={'a': source(), 'b': 1}, r=[1, source()]))",
    "try:\n    x = source()\n    x = int(x)\n    sink(x)\nexcept ValueError: x = 'a'\nsink(x)",
    "try:\n    x = 'a'\n    x = 'b'\nexcept ValueError: sink(x)\nx = source()",
    "w = ['a', source()]\nw[-1] = 'b'\nsink(w)",
    "a = b = c = 'x'\nfor x in xs:\n    sink(a)\n    a, b, c = b, 'y', source()",
    "w = ['a']\nw.extend(source())\nsink(w[0])",
    "w = ['a', 'b']\nw.extend(source())\nsink(w.pop(0))",
    "w = ['a', *source()]\nsink(w[0])",
    "w = ['a'] + source()\nsink(w[0])",
    "w = ['a']\nw += source()\nsink(w[0])",
    "w = ['a']\nfor x in xs: w.append(source())\nsink(w[0])",
    "w = ['a', *source()]\nw.append('b')\nw.pop()\nsink(w[0])",
    "w = ['a', *source()]\nw.insert(0, 'b')\nsink(w[1])",
    "w = ['a', 'b', *source()]\nw.pop(0)\nsink(w[0])",
    "w = ['a', *source()]\nfirst, *rest = w\nsink(first)",
    "def f(p, *args): sink([p, *args][0])\nf('x', source())",
    "from functools import reduce\nsink(reduce(lambda a, b: a + '?', source(), 'x'))",
    "import functools\ndef f(a, b): return a + '?'\nsink(functools.reduce(f, source(), 'x'))",
    "def f(n, v): return f(n - 1, v) if n else 'x'\nsink(f(3, source()))",
    "def f(n, v): return g(n, v) if n else 'x'\ndef g(n, v): return f(n, v)\nsink(g(3, source()))",
    (
        "def f(v, out):\n    if v: return ' '.join(f(x, out) for x in v)\n    out.append(v)\n"
        "    return '?'\nsink(f(source(), []))"
    ),
    "for x in set(source()) & {'a', 'b'}: sink(x)",
    "for x in {'a', 'b'} & set(source()): sink(x)",
    "OK = frozenset(['a'])\nfor x in OK.intersection(source()): sink(x)",
    "OK = frozenset(['a'])\nfor x in set(source()).intersection(OK): sink(x)",
    "for x in {'a', 'b'} - set(source()): sink(x)",
    "for x in {'a', 'b'}.difference(source()): sink(x)",
    "for x in filter(lambda w: w in ('a', 'b'), source()): sink(x)",
    "def f(w): return w in ('a', 'b')\nfor x in filter(f, source()): sink(x)",
    "OK = {'a'}\nfor x in filter(OK.__contains__, source()): sink(x)",
    "sink('{a}'.format(**{'a': 1, 'b': source()}))",
    "sink('{0}'.format(*['a', source()]))",
    "sink('{a}'.format_map({'a': 1, 'b': source()}))",
    "class P(NamedTuple):\n    a: str\n    b: str = 'x'\nsink(P(source(), 1)[1])",
    "class P(NamedTuple):\n    a: str\n    b: str = 'x'\nsink(P(1)._replace(a=source()).b)",
    "class P(NamedTuple):\n    a: str\n    b: str = 'x'\nsink(P(source(), 1)._asdict()['b'])",
    "class P(NamedTuple):\n    a: str\n    b: str = 'x'\na, b = P(source())\nsink(b)",
    "import asyncio\nasync def f():\n    a, b = await asyncio.gather(g(1), source())\n    sink(a)",
    "d = {'a': source(), 'b': 1}\nd.pop('a')\nsink(d.values())",
    "d = {'a': source()}\nd.clear()\nsink(d)",
    "import itertools\nfor a, b in itertools.product(xs, source()): sink(a)",
    "def f():\n    x = source()\n    if not isinstance(x, int): return\n    sink(x)",
    "x = source()\nif isinstance(x, (int, float)): sink(x)",
    "match source():\n    case ('a' | 'b') as x: sink(x)",
    "def a(**kw): b(**kw)\ndef b(q=1, r=1): sink(r)\na(q=source())",
    (
        "class A:\n    def __init__(self, v): self.v = v\n    @property\n"
        "    def w(self): return len(self.v)\n"
        "    def go(self): sink(self.w)\nA(source()).go()"
    ),
    (
        "class A:\n    def __init__(self, v): self.v = v\n    @property\n"
        "    def w(self): return clean(self.v)\n"
        "    def go(self): sink(self.w)\nA(source()).go()"
    ),
]


@pytest.mark.parametrize("code", TAINTED)
def test_tainted_data_arrives(code: str) -> None:
    assert found(code) == 1


@pytest.mark.parametrize("code", CLEAN)
def test_clean_data_is_silent(code: str) -> None:
    assert found(code) == 0
