"""Which part of a container, and which way out of a loop, `source()` takes into `sink()`."""

import pytest

from tests.rules.taint.test_flow import found

TAINTED = [
    "sink(run([source()], env={}))",
    "sink(render(env=source()))",
    "xs = [A()]\nxs[0].a = source()\nsink(xs[0].a)",
    "d = dict(zip(keys, [source()]))\nsink(d['a'])",
    "xs = list(enumerate(['a']))\nxs[0] = source()\nfor x in xs: sink(x)",
    "d = {'a': 1}\nsink(d.setdefault('b', source()))",
    "d = {}\nd.setdefault('b', []).append(source())\nsink(d['b'])",
    "d = {}\nd.setdefault('b', source())\nsink(d['b'])",
    "xs = ['a', *[source()]]\nsink(xs[1])",
    "def f():\n    while True:\n        x = source()\n        break\n    sink(x)",
    (
        "def f():\n    x = 'a'\n    for y in ys:\n        x = source()\n"
        "        if y: break\n        x = 'b'\n    sink(x)"
    ),
    (
        "def f():\n    x = 'a'\n    for y in ys:\n        sink(x)\n"
        "        x = source()\n        if y: continue\n        x = 'b'"
    ),
    (
        "def f():\n    try:\n        x = source()\n        return run(x)\n"
        "    except E:\n        sink(x)"
    ),
    "def f():\n    n = 0\n    while n < 3: n += 1\n    sink(source())",
    "def f():\n    try:\n        while True: step()\n    except E:\n        sink(source())",
    "d = {}\nd.update({'a': source()})\nsink(d['a'])",
    "d = {}\nd.update(other, a=source())\nsink(d['b'])",
    "d = {'a': 1}\nd.update(source())\nsink(d['a'])",
    "d = dict(source(), a=1)\nsink(d['b'])",
    "d = dict([('a', source()), ('b', 1)])\nsink(d['a'])",
    "d = {'a': 1} | source()\nsink(d['a'])",
    "d = {'a': 1}\nd |= {'a': source()}\nsink(d['a'])",
    "d = {**source(), 'a': 1}\nsink(d['b'])",
    "d = {'a': 1, **{'a': source()}}\nsink(d['a'])",
    "d = {'a': {}}\nd['a']['b'] = source()\nsink(d['a']['b'])",
    "d = {'a': {}}\nd[x]['b'] = source()\nsink(d['a']['b'])",
    "d = {'a': {}}\nd['a'][x].append(source())\nsink(d['a'])",
    "d = collections.defaultdict(list)\nd['a'].append(source())\nsink(d['a'][0])",
    "a, *b = 'x', source(), 'y'\nsink(b[0])",
    "a, *b = source()\nsink(a)",
    "*a, b = 'x', source()\nsink(b)",
    "xs = ['a'] + [source()]\nsink(xs[1])",
    "xs = ['a']\nxs += [source()]\nsink(xs[1])",
    "xs = ['a']\nxs += source()\nsink(xs[0])",
    "sink('%(a)s' % {'a': source()})",
    "sink('%(a)s' % source())",
    "q = collections.deque()\nq.append('a')\nq.append(source())\nq.popleft()\nsink(q.popleft())",
    "q = collections.deque(maxlen=3)\nq.appendleft(source())\nsink(q.pop())",
    "xs = [source(), 'a']\nxs.pop()\nsink(xs.pop())",
    "for i, x in enumerate(source()): sink(x)",
    "for a, b in zip(['a'], [source()]): sink(b)",
    "for a, b in zip(*source()): sink(b)",
    "xs = list(enumerate(['a', source()]))\nxs.pop(0)\nsink(xs[0][1])",
    "xs = list({'a': 1, 'b': source()}.values())\nxs.pop(0)\nsink(xs[0])",
    "xs = sorted({'a': source()}.items())\nfor k, v in xs: sink(v)",
    "xs = tuple(['a', source()])\nsink(xs[1])",
    "sink('a' and source())",
    "sink(source() and source())",
    "sink(list(map(f, source())))",
    "def f(x): return x\nsink(list(map(f, source())))",
    "def f(x): return 'a'\nsink(list(filter(f, source())))",
    "f = lambda a: a\nsink(f(source()))",
    "s = 'ab'\nif s.upper() == 'AB': sink(source())",
]
CLEAN = [
    "sink(run(['a'], env=source()))",
    "d = {'a': 1}\nd.setdefault('b', source())\nsink(d['a'])",
    "d = {'a': 1}\nd.setdefault('a', source())\nsink(d['a'])",
    "xs = ['a', *['b'], source()]\nsink(xs[1])",
    "xs = [A()]\nxs[0].a = 1\nsink(xs[0].a)",
    "def f():\n    x = source()\n    while True:\n        x = 'a'\n        break\n    sink(x)",
    "def f():\n    while True: step()\n    sink(source())",
    (
        "def f():\n    x = 'a'\n    for y in ys:\n        sink(x)\n"
        "        x = source()\n        break"
    ),
    "d = {'a': 1}\nd.update({'b': source()})\nsink(d['a'])",
    "d = {'a': 1}\nd.update(b=source())\nsink(d['a'])",
    "d = dict(a=1, b=source())\nsink(d['a'])",
    "d = collections.OrderedDict()\nd['b'] = source()\nd['a'] = 1\nsink(d['a'])",
    "d = dict([('a', source()), ('b', 1)])\nsink(d['b'])",
    "d = {'a': 1} | {'b': source()}\nsink(d['a'])",
    "d = {'a': source()}\nd |= {'a': 1}\nsink(d['a'])",
    "d = {'a': source(), **{'a': 1}}\nsink(d['a'])",
    "d = {'a': {}, 'b': {'c': 1}}\nd['a']['c'] = source()\nsink(d['b']['c'])",
    "d = collections.defaultdict(list)\nd['a'].append(source())\nd['b'].append(1)\nsink(d['b'][0])",
    "d = copy.deepcopy({'a': 1, 'b': source()})\nsink(d['a'])",
    "d = {'a': 1, 'b': source()}.copy()\nsink(d['a'])",
    "o = types.SimpleNamespace(a=1, b=source())\nsink(o.a)",
    "a, *b = 'x', source()\nsink(a)",
    "a, *b, c = source(), 'x', 'y'\nsink(b)",
    "xs = ['a'] + [source()]\nsink(xs[0])",
    "xs = ['a']\nxs += [source()]\nsink(xs[0])",
    "sink('%(a)s' % {'a': 1, 'b': source()})",
    "q = collections.deque()\nq.append(source())\nq.append('a')\nq.popleft()\nsink(q.popleft())",
    "xs = ['a', source()]\nxs.pop()\nsink(xs.pop())",
    "for i, x in enumerate(source()): sink(i)",
    "for a, b in zip(['a'], [source()]): sink(a)",
    "for k, v in sorted({'a': source()}.items()): sink(k)",
    "xs = tuple(['a', source()])\nsink(xs[0])",
    "sink(source() and 'a')",
    "def f(x): return 'a'\nsink(list(map(f, source())))",
    "s = 'ab'\nif s.upper() != 'AB': sink(source())",
    "class Mode(Enum):\n    A = 'a'\nsink(Mode(source()).value)",
]


@pytest.mark.parametrize("code", TAINTED)
def test_tainted_data_arrives(code: str) -> None:
    assert found(code) == 1


@pytest.mark.parametrize("code", CLEAN)
def test_clean_data_is_silent(code: str) -> None:
    assert found(code) == 0
