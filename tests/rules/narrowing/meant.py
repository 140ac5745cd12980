"""Programs in which it depends on the object, or on a table, which function a call means."""

MEANT = [
    # same method annot
    """
class A:
    def run(self, x): return x
class B:
    def run(self, x): return "k"
def v():
    return go(A(), gets())
def go(o: A, q):
    runs(o.run(q))
""",
    # same method ifexp
    """
class A:
    def run(self, x): runs(x)
class B:
    def run(self, x): show(len(x))
def v():
    o = A() if gets() else B()
    o.run(gets())
""",
    # both branches
    """
if WINDOWS:
    def run(x): runs("dir " + x)
else:
    def run(x): runs("ls " + x)
def v():
    run(gets())
""",
    # try def
    """
try:
    import magic
    def run(x): runs("dir " + x)
except ImportError:
    def run(x): runs("ls " + x)
def v():
    run(gets())
""",
    # setter
    """
class J:
    @property
    def cmd(self): return self._c
    @cmd.setter
    def cmd(self, v): self._c = v
    def go(self): runs(self._c)
def v():
    j = J()
    j.cmd = gets()
    j.go()
""",
    # setter sink
    """
class J:
    @property
    def cmd(self): return 1
    @cmd.setter
    def cmd(self, v): runs(v)
def v():
    j = J()
    j.cmd = gets()
""",
    # dict
    """
class O: pass
def v():
    o = O()
    o.__dict__["c"] = gets()
    runs(o.c)
""",
    # fn list sink
    """
def one(x): show(x)
def two(x): runs(x)
HOOKS = [one, two]
def v():
    for f in HOOKS: f(gets())
""",
    # registered
    """
HOOKS = []
def hook(f):
    HOOKS.append(f)
    return f
@hook
def two(x): runs(x)
def v():
    for f in HOOKS: f(gets())
""",
    # registered dict
    """
CMDS = {}
def command(name):
    def put(f):
        CMDS[name] = f
        return f
    return put
@command("ls")
def two(x): runs(x)
def v(n):
    CMDS[n](gets())
""",
    # getattr magic
    """
class P:
    def __init__(self, d): self.d = d
    def __getattr__(self, n): return self.d[n]
def v():
    p = P({"c": gets()})
    runs(p.c)
""",
    # abc
    """
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def step(self, c): ...
class D(A):
    def step(self, c): runs(c)
class E(A):
    def step(self, c): show(c)
def make(k) -> A:
    return D() if k == "d" else E()
def v():
    make(gets()).step(gets())
""",
    # factory dict
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
KINDS = {"d": D, "e": E}
def v():
    KINDS[gets()]().step(gets())
""",
    # param annot
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def go(d: D):
    d.step(gets())
""",
    # attr obj
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
class S:
    def __init__(self):
        self.d = D()
    def handle(self):
        self.d.step(gets())
""",
    # attr obj annot
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
class S:
    def __init__(self, d: D):
        self.d = d
    def handle(self):
        self.d.step(gets())
""",
    # list objs
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
STEPS = [D(), E()]
def handle():
    for s in STEPS:
        s.step(gets())
""",
    # ret annot
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def make() -> D:
    return load("d")
def handle():
    make().step(gets())
""",
    # with obj
    """
class D:
    def __enter__(self): return self
    def __exit__(self, *a): pass
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def handle():
    with D() as d:
        d.step(gets())
""",
    # staticmeth
    """
class D:
    @staticmethod
    def step(c): runs(c)
class E:
    @staticmethod
    def step(c): show(c)
def handle():
    D.step(gets())
""",
    # fmt locals
    """
def go():
    q = gets()
    runs("ls %(q)s" % locals())
""",
    # unbound init
    """
class A:
    def __init__(self, c): self.c = c
class D(A):
    def __init__(self, c):
        A.__init__(self, c)
    def go(self): runs(self.c)
def v():
    D(gets()).go()
""",
    # unbound init2
    """
class A:
    def __init__(self, c): self.c = c
class M:
    def __init__(self): self.m = 1
class D(A, M):
    def __init__(self, c):
        M.__init__(self)
        A.__init__(self, c)
def v():
    d = D(gets())
    runs(d.c)
""",
    # unbound
    """
class A:
    def go(self, c): runs(c)
def v():
    a = A()
    A.go(a, gets())
""",
    # classmeth2
    """
class A:
    @classmethod
    def go(cls, c): runs(c)
class E:
    @classmethod
    def go(cls, c): show(c)
def v():
    A.go(gets())
""",
    # list annot
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def handle(steps: list[D]):
    for s in steps:
        s.step(gets())
""",
    # comp objs
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def handle():
    [s.step(gets()) for s in (D(), E())]
""",
    # append objs
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def handle():
    steps = []
    steps.append(D())
    for s in steps:
        s.step(gets())
""",
    # str annot
    """
class S:
    def __init__(self, d: "D"):
        self.d = d
    def handle(self):
        self.d.step(gets())
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
""",
    # opt annot
    """
from typing import Optional
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
class S:
    d: Optional[D] = None
    def handle(self):
        self.d.step(gets())
""",
    # chain attr
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
class M:
    def __init__(self):
        self.d = D()
class S:
    def __init__(self):
        self.m = M()
    def handle(self):
        self.m.d.step(gets())
""",
    # dict objs
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
STEPS = {"d": D(), "e": E()}
def handle():
    STEPS[gets()].step(gets())
""",
    # get objs
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
STEPS = {"d": D(), "e": E()}
def handle():
    STEPS.get(gets()).step(gets())
""",
    # or default
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def handle(d=None):
    d = d or D()
    d.step(gets())
""",
    # if objs
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def handle():
    if gets():
        o = D()
    else:
        o = E()
    o.step(gets())
""",
    # self passed
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def go(o, c): o.step(c)
def handle():
    go(D(), gets())
""",
    # visitor
    """
class D:
    def accept(self, v): v.visit(self, gets())
class E:
    def accept(self, v): pass
class V:
    def visit(self, n, c): runs(c)
class W:
    def visit(self, n, c): show(c)
def handle():
    D().accept(V())
""",
    # nested wrappers
    """
def a(f):
    def wrapper(x): return f(x)
    return wrapper
def b(f):
    def wrapper(x):
        runs(x)
        return f(x)
    return wrapper
@b
def go(x): return x
def handle():
    go(gets())
""",
    # loc1
    """
def go():
    q = gets()
    show(q)
def show(q):
    x = q + "a"
    y = 1
    runs("ls %(x)s" % locals())
""",
    # wrap method
    """
def b(f):
    def wrapper(self, x):
        runs(x)
        return f(self, x)
    return wrapper
class K:
    @b
    def go(self, x): return x
def handle():
    K().go(gets())
""",
    # wrap factory
    """
def b(n):
    def deco(f):
        def wrapper(*a):
            runs(a[0])
            return f(*a)
        return wrapper
    return deco
@b("x")
def go(x): return x
def handle():
    go(gets())
""",
]
"""What is called gives data to a sink."""

OTHERS = [
    # loc2
    """
def go():
    q = gets()
    show(q)
def show(q):
    x = q + "a"
    y = 1
    runs("ls %(y)s" % locals())
""",
    # wrap clean
    """
def b(f):
    def wrapper(x):
        return f(x)
    return wrapper
@b
def go(x): return int(x)
def handle():
    runs("ls %d" % go(gets()))
""",
    # other class
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
def handle(e: E):
    e.step(gets())
""",
    # other attr
    """
class D:
    def step(self, c): runs(c)
class E:
    def step(self, c): show(c)
class S:
    def __init__(self):
        self.d = D()
        self.e = E()
    def handle(self):
        self.e.step(gets())
    def other(self):
        self.d.step("ls")
""",
    # setter int
    """
class J:
    @property
    def n(self): return self._n
    @n.setter
    def n(self, v): self._n = int(v)
    def go(self): runs("ls %s" % self._n)
def v():
    j = J()
    j.n = gets()
    j.go()
""",
    # dict other
    """
class O: pass
def v():
    o = O()
    o.__dict__["c"] = gets()
    runs(o.d)
""",
    # unbound
    """
class A:
    def go(self, c): runs("ls")
def v():
    a = A()
    A.go(a, gets())
""",
    # registered
    """
HOOKS = []
def hook(f):
    HOOKS.append(f)
    return f
@hook
def two(x): show(x)
def three(x): runs(x)
def v():
    for f in HOOKS: f(gets())
    three("ls")
""",
    # both
    """
if WINDOWS:
    def run(x): return int(x)
else:
    def run(x): return len(x)
def v():
    runs("ls %s" % run(gets()))
""",
]
"""Another function of the name would; the one that is called does not."""
