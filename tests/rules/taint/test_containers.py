"""Which part of a container, and which way out of a loop, `source()` takes into `sink()`."""

import pytest

from tests.rules.taint.test_flow import found

TAINTED = [
    "def f(xs):\n    for x in xs: yield x, 1\nfor a, b in f(source()): sink(a)",
    "def f(x):\n    yield 1, x\n    yield x, 2\nfor a, b in f(source()): sink(a)",
    "def f(x): yield 1, x\ndef g(x): yield from f(x)\nfor a, b in g(source()): sink(b)",
    "def f(x):\n    yield 'a'\n    yield x, 1\nfor a in f(source()): sink(a)",
    "@contextmanager\ndef f(x): yield x, 1\nwith f(source()) as (a, b): sink(a)",
    "@contextmanager\ndef f(x): yield x, 1\nwith f(source()) as both: sink(both[0])",
    "def f(x): yield x, 1\nsink(next(f(source()))[0])",
    "def f(x): yield x, 1\nsink(dict(f(source())))",
    "def f(x): yield x, 1\nsink([a for a, b in f(source())])",
    "def f(xs): yield from xs\nfor a in f([source()]): sink(a)",
    "def f():\n    d = source()\n    if d['a'] not in ('x', 'y'): return\n    sink(d['b'])",
    "def f():\n    d = source()\n    if d['a'] in ('x', 'y'): run()\n    sink(d['a'])",
    (
        "def f():\n    d = source()\n    if d['a'] not in ('x', 'y'): return\n"
        "    d = source()\n    sink(d['a'])"
    ),
    (
        "def f():\n    d = source()\n    if d['a'] not in ('x', 'y'): return\n"
        "    d[k] = source()\n    sink(d['a'])"
    ),
    "d = source()\nd['a'] = 'x'\nd['a'] = source()\nsink(d['a'])",
    "d = {'a': 'x'}\nfor c in cs: d[c] = source()\nsink(d['a'])",
    "d = {}\nfor c in cs: d[c] = source()\nd['a'] = 1\nd[k] = source()\nsink(d['a'])",
    "d = {}\nfor c in cs: d[c] = source()\nd['a'] = 1\nsink(d['b'])",
    "d = {}\nfor c in cs: d[c] = source()\nd['a'] = 1\nsink(d)",
    "d = dict(source(), a=1)\nd.update(x)\nsink(d['b'])",
    "d = {'a': 1, **source()}\nsink(d['a'])",
    "d = dict(source())\nfor k in d: sink(k)",
    "class A:\n    a: str\n    b: str\nsink([A(source(), 1) for x in y])",
    (
        "import dataclasses\n@dataclasses.dataclass\nclass A:\n    a: str\n    b: str\n"
        "xs = [A(source(), 1) for x in y]\nfor x in xs: sink(x.a)"
    ),
    "sink([source() for x in y][0])",
    "sink(' '.join([source() for x in y]))",
    "sink({source() for x in y}.pop())",
    "match source():\n    case str(a): sink(a)",
    (
        "class A:\n    def __init__(self, a): self.a = a\n    def __iter__(self):\n"
        "        for x in self.a: yield x\nfor x in A(source()): sink(x)"
    ),
    "match source():\n    case {'a': str() as a}: sink(a)",
    "match source():\n    case int(a) | [a]: sink(a)",
    "match source():\n    case Point(a): sink(a)",
    "d = source()\nd['a'] = 'x'\nsink(d['b'])",
    "d = source()\nd['a'] = 'x'\nsink(d)",
    "d = source()\nd['a'] = 'x'\nd.update(source())\nsink(d['a'])",
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
    "xs = ['a']\nxs += source()\nsink(xs[1])",
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
    'sink("{} {}".format("a", source()))',
    'sink("{1}".format("a", source()))',
    'sink("{a.b}".format(a=source()))',
    'sink("{a[b]!r:>10}".format(a=source(), b=1))',
    'sink("{:{}}".format("a", source()))',
    'sink("{".format(source()))',
    'sink("{0}".format(*source()))',
    "sink(text.format(source()))",
    'd = {"a": 1}\nsink(d.setdefault("b", source()))',
    'd = {"a": source()}\nsink(d.setdefault("a", 1))',
    'class A: pass\nb = A()\nsetattr(b, "a", source())\nsink(b.a)',
    "class A: pass\nb = A()\nsetattr(b, name, source())\nsink(b.a)",
    'class A: pass\nb = A()\nb.a = source()\nsink(getattr(b, "a"))',
    'class A: pass\nb = A()\nsink(getattr(b, "a", source()))',
    "class A: pass\nb = A()\nb.a = source()\nsink(getattr(b, name))",
    'p = configparser.ConfigParser()\np["s"] = {"a": source(), "b": 1}\nsink(p["s"]["a"])',
    'if "a" in ("a", "b"): sink(source())',
    'if "c" not in ("a", "b"): sink(source())',
    'if "a" in (x, "b"): sink(source())',
    'if "a" in {"a": 1}: sink(source())',
    'if len("abc") > 2: sink(source())',
    "match [source(), 1]:\n    case [a, b]: sink(a)",
    "match [source(), 1]:\n    case [a, *b]: sink(b)",
    'match [1, source()]:\n    case [_, {"a": b}]: sink(b)',
    "d = {'a': source()}\nif x: d['b'] = 1\nfor k, v in d.items(): sink(v)",
    "d = {'a': source()}\nif x: d['b'] = 1\nsink(d['a'])",
    "d = {}\nif x: d['a'] = source()\nsink(d['a'])",
    "d = {}\nif x: d['a'] = 1\nsink(d.get('a', source()))",
    "d = {}\nif x: d[source()] = 1\nfor k, v in d.items(): sink(k)",
    "d = {}\nif x: d['a'] = 1\nelse: d = {source(): 1}\nfor k in d: sink(k)",
    "def f(d):\n    for k, v in d.items(): sink(v)\nf({'a': source()})",
    "def f(d):\n    for k, v in d.items(): sink(k)\nf({source(): 1})",
    "def f(d):\n    for k in d.keys(): sink(k)\nf(source())",
    "def f(o):\n    for k, v in o.d.items(): sink(k)\nf(source())",
    'match {"a": source()}:\n    case {"a": b}: sink(b)',
    'match {"a": source()}:\n    case {"b": 1, **rest}: sink(rest)',
    "match source():\n    case [a, b]: sink(b)",
    "match Job(source()):\n    case Job(name=a): sink(a)",
    "match source():\n    case [1, [2, a]] | a: sink(a)",
    "match (source(), 1):\n    case (1 as a, b) | (a, 2 as b): sink(a)",
]
CLEAN = [
    "def f(xs):\n    for x in xs: yield 'a', x\nfor a, b in f(source()): sink(a)",
    "def f(x): yield 1, x\ndef g(x): yield from f(x)\nfor a, b in g(source()): sink(a)",
    (
        "def f(x): yield 1, x\ndef g(*xs):\n    for x in xs: yield from f(x)\n"
        "for a, b in g(source(), source()): sink(a)"
    ),
    "def f(x):\n    yield 1, x\n    yield 2, x\nfor a, b in f(source()): sink(a)",
    "d = {}\nfor c in cs: d[c] = source()\nd['a'] = 1\nsink(d['a'])",
    "d = dict(source(), a=1)\nsink(d['a'])",
    "d = {**source(), 'a': 1}\nsink(d['a'])",
    "d = {}\nd.update(source())\nd['a'] = 1\nsink(d['a'])",
    (
        "import dataclasses\n@dataclasses.dataclass\nclass A:\n    a: str\n    b: str\n"
        "xs = [A(source(), 1) for x in y]\nfor x in xs: sink(x.b)"
    ),
    "sink([{'a': source(), 'b': 1} for x in y][0]['b'])",
    "match source():\n    case int(a): sink(a)",
    (
        "class A:\n    def __init__(self, a): self.a = a\n    def __iter__(self):\n"
        "        for x in self.a: yield len(x)\nfor x in A(source()): sink(x)"
    ),
    (
        "class A:\n    def __init__(self, a): self.a = a\n    def __iter__(self):\n"
        "        for x in self.a: yield len(x)\nsink([x for x in A(source())])"
    ),
    "match source():\n    case {'a': int(a)}: sink(a)",
    "match source():\n    case {'a': float() as a}: sink(a)",
    "match x := source():\n    case int() | bool(): sink(x)",
    "def f():\n    d = source()\n    if d['a'] not in ('x', 'y'): return\n    sink(d['a'])",
    "def f():\n    d = source()\n    if d.get('a') not in ('x', 'y'): return\n    sink(d['a'])",
    "def f():\n    d = source()\n    if d['a'] in ('x', 'y'): sink(d.get('a', 'x'))",
    "def f(o):\n    o.d = source()\n    if o.d['a'] != 'x': return\n    sink(o.d['a'])",
    "d = source()\nd['a'] = 'x'\nsink(d['a'])",
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
    'sink("{0}".format("a", source()))',
    'sink("{} {}".format("a", "b", source()))',
    'sink("{a}".format(a="a", b=source()))',
    'sink("{{}} {a[b]}".format(source(), a=1))',
    'd = {"a": 1}\nsink(d.setdefault("a", source()))',
    'd = {"a": 1}\nsink(d.get("a", source()))',
    'class A: pass\nb = A()\nsetattr(b, "a", source())\nsetattr(b, "b", 1)\nsink(b.b)',
    'class A: pass\nb = A()\nb.a = source()\nb.b = 1\nsink(getattr(b, "b"))',
    'p = configparser.ConfigParser()\np["s"] = {"a": source(), "b": 1}\nsink(p["s"]["b"])',
    'if "c" in ("a", "b"): sink(source())',
    'if "a" not in ["a", "b"]: sink(source())',
    'if "b" in {"a": 1}: sink(source())',
    'if len("abc") > 3: sink(source())',
    "match [source(), 1]:\n    case [a, b]: sink(b)",
    'match {"a": source(), "b": 1}:\n    case {"b": b}: sink(b)',
    'match [1, {"a": source()}]:\n    case [a, _]: sink(a)',
    "d = {'a': source()}\nif x: d['b'] = 1\nfor k, v in d.items(): sink(k)",
    "d = {'a': source()}\nif x: d['b'] = 1\nsink(d.keys())",
    "d = {}\nfor c in ('a', 'b'): d[c] = source()\nfor k, v in d.items(): sink(k)",
    "def f(d):\n    for k, v in d.items(): sink(k)\nf({'a': source()})",
    "def f(d):\n    sink(', '.join(d.keys()))\nf(dict(a=source()))",
    "def f(o):\n    for k, v in o['d'].items(): sink(k)\nf({'d': {'a': source()}})",
]


@pytest.mark.parametrize("code", TAINTED)
def test_tainted_data_arrives(code: str) -> None:
    assert found(code) == 1


@pytest.mark.parametrize("code", CLEAN)
def test_clean_data_is_silent(code: str) -> None:
    assert found(code) == 0
