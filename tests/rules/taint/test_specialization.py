"""Which way a function takes that is told so, and which passes a loop surely takes."""

import pytest

from tests.rules.taint.test_flow import found

ONE_OF = "def f(x, raw=False):\n    if raw: return x\n    return 'a'\n"
TIMES = "def f(x, n):\n    if n == 0: return 'a'\n    if n == 9: return x\n    return f(x, n - 1)\n"
INNER = "def f(x, raw=False):\n    def g():\n        if raw: sink(x)\n    g()\n"
MADE = "class A:\n    def __init__(self, x, raw=False): self.x = x if raw else 'a'\n"
STATIC = "class A:\n    @staticmethod\n    def f(x, raw):\n        if raw: return x\n"
TAINTED = [
    ONE_OF + "sink(f(source(), True))",
    ONE_OF + "sink(f(source(), raw=True))",
    ONE_OF + "sink(f(source(), raw=given))",
    ONE_OF + "sink(f(source(), *rest))",
    ONE_OF + "sink(f(source(), **rest))",
    ONE_OF + "sink(f(raw=source(), x=source()))",
    ONE_OF + "how = False\nif given: how = True\nsink(f(source(), how))",
    ONE_OF + "for how in (False, True): sink(f(source(), how))",
    "@made\n" + ONE_OF + "sink(f(source()))",
    "def f(x, raw=False):\n    raw = raw or given\n    if raw: return x\nsink(f(source()))",
    "def f(x, raw=RAW):\n    if raw: return x\nsink(f(source()))",
    INNER + "f('a', True)\nf(source(), True)",
    "def f(x, raw=False):\n    if raw: sink(x)\nf(source())\nf(source(), True)",
    "def f(x, raw=False):\n    if raw: sink(x)\n    else: run(x)\nf(source(), 1)",
    "def f(which, a, b): return {'a': a, 'b': b}[which]\nsink(f('b', 'x', source()))",
    MADE + "sink(A(source(), True).x)",
    STATIC + "sink(A.f(source(), 'a'))",
    TIMES + "sink(f(source(), 12))",
    TIMES + "sink(f(source(), n))",
    "x = 'a'\nfor y in ['b', source()]: x = y\nsink(x)",
    "x = source()\nfor y in ys: x = y\nsink(x)",
    "x = source()\nfor y in ['b', 'c']:\n    if y == z: break\n    x = y\nsink(x)",
    "x = source()\nfor y in ['b', 'c']:\n    if y == z: continue\n    x = y\nsink(x)",
    "ys = []\nx = source()\nfor y in ys: x = y\nsink(x)",
    "n, x = 0, 'a'\nwhile n < 3:\n    if n == 2: x = source()\n    n += 1\nsink(x)",
    "n, x = 0, 'a'\nwhile (n := n + 1) < 3:\n    if n == 2: x = source()\nsink(x)",
    "x = source()\nwhile given(): x = 'a'\nsink(x)",
    "xs = ['a', source(), 'b']\nxs.remove('a')\nsink(xs[0])",
    "xs = ['a', source(), 'b']\nxs.remove(given)\nsink(xs[0])",
    "xs = [source(), 'b']\nxs.remove('b')\nsink(xs[0])",
    "xs = ['a'] * 3\nxs[2] = source()\nsink(xs[2])",
    "xs = [source()] * n\nsink(xs[0])",
    "sink(dict(zip(['k', 'm'], [source(), 'a']))['k'])",
    "for i, x in enumerate(['a', source()]): sink(x)",
    "sink(list(reversed([source(), 'a']))[1])",
]
CLEAN = [
    ONE_OF + "sink(f(source()))",
    ONE_OF + "sink(f(source(), False))",
    ONE_OF + "sink(f(source(), raw=False))",
    ONE_OF + "sink(f(raw=False, x=source()))",
    ONE_OF + "how = False\nsink(f(source(), how))",
    ONE_OF + "sink(f('a', True))\nsink(f(source()))",
    STATIC + "sink(A.f(source(), None))",
    "def f(x, raw=False):\n    if raw: sink(x)\n    else: run(x)\nf(source())",
    "def f(x, how='quoted'):\n    if how == 'plain': sink(x)\nf(source())",
    "def f(which, a, b): return {'a': a, 'b': b}[which]\nsink(f('a', 'x', source()))",
    MADE + "sink(A(source()).x)",
    TIMES + "sink(f(source(), 3))",
    "x = source()\nfor y in ['b', 'c']: x = y\nsink(x)",
    "ALL = ('b', 'c')\nx = source()\nfor y in ALL: x = y\nsink(x)",
    "x = source()\nfor i, y in enumerate(['b', 'c']): x = y\nsink(x)",
    "n, x = 0, source()\nwhile n < 3:\n    x = 'a'\n    n += 1\nsink(x)",
    "xs = ['a', source(), 'b']\nxs.remove('a')\nsink(xs[1])",
    "xs = ['a'] * 3\nxs[2] = source()\nsink(xs[0])",
    "sink(dict(zip(['k', 'm'], [source(), 'a']))['m'])",
    "sink(list(reversed([source(), 'a']))[0])",
]


@pytest.mark.parametrize("code", TAINTED)
def test_takes_the_way_to_the_sink(code: str) -> None:
    assert found(code)


@pytest.mark.parametrize("code", CLEAN)
def test_takes_another_way(code: str) -> None:
    assert not found(code)
