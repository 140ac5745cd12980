"""Which part of what a function is given reaches `sink()`: an attribute, a key, a place."""

import pytest

from tests.rules.taint.test_flow import found

JOB = "class Job:\n    def __init__(self, a, b): self.a, self.b = a, b\n"
GO = "    def go(self): sink(self.b)\n"
ROW = "class A(models.Model):\n    a = models.CharField()\n"
INNER = "class B(BaseModel):\n    a: str\n    n: int\nclass A(BaseModel):\n    b: B\n    s: str\n"
SPREAD = (
    "class A:\n    def __init__(self, **given):\n"
    "        for k, v in given.items(): setattr(self, k, v)\n"
)
UPDATED = "class A:\n    def __init__(self, **given): self.__dict__.update(given)\n"
POST = "@dataclass\nclass A:\n    a: str\n    b: str\n    def __post_init__(self):\n"
TASK = "@app.task(bind=True)\ndef f(self, a, b): sink(b)\n"
TAINTED = [
    f"{ROW}sink(A(a=source()).a)",
    f"{ROW}sink(A(**source()).a)",
    f"{ROW}a = A(a=1)\na.a = source()\nsink(a.a)",
    f"{INNER}def go(a: A): sink(a.b.a)\ngo(source())",
    f"{INNER}def go(a: A): sink(a.s)\ngo(source())",
    f"{INNER}class C(BaseModel):\n    of: list[B]\ndef go(c: C): sink(c.of[0].a)\ngo(source())",
    f"{INNER}class C(BaseModel):\n    of: list[str]\ndef go(c: C): sink(c.of[0])\ngo(source())",
    f"{SPREAD}sink(A(a=source()).a)",
    f"{SPREAD}def go(a): sink(a.a)\ngo(A(a=source(), b=1))",
    f"{UPDATED}sink(A(a=source()).a)",
    "class A:\n    def __init__(self, **given): vars(self).update(given)\nsink(A(a=source()).a)",
    f"{TASK}f.delay(1, source())",
    f"{TASK}f(1, source())",
    f"{POST}        self.a = self.a.strip()\nsink(A(source(), 1).a)",
    f"{POST}        self.a = 'x' + self.b\nsink(A(1, source()).a)",
    f"{POST}        if self.b: self.a = 1\nsink(A(source(), 1).a)",
    f"{POST}        self.a = 1\nsink(A(source(), source()).b)",
    f"{JOB}{GO}Job(1, source()).go()",
    f"{JOB}def go(job): sink(job.a)\ngo(Job(source(), 1))",
    f"{JOB}def go(job): sink(job)\ngo(Job(source(), 1))",
    f"{JOB}def go(job): sink(vars(job)['a'])\ngo(Job(source(), 1))",
    f"{JOB}def go(job):\n    for one in job: sink(one)\ngo(Job(source(), 1))",
    "def go(d): sink(d['a'])\ngo({'a': source(), 'b': 1})",
    "def go(d): sink(d.get('a'))\ngo({'a': source(), 'b': 1})",
    "def go(d): sink(d[n])\ngo({'a': source(), 'b': 1})",
    "def go(d): sink(str(d)[0])\ngo({'a': source(), 0: 1})",
    "def go(d): sink(('x' + d)[0])\ngo([1, source()])",
    "def go(d): sink(d[0].a)\ngo([source()])",
    "def go(d): sink(d[0])\ngo(source())",
    "def inner(d): sink(d['a'])\ndef go(d): inner(d['x'])\ngo({'x': {'a': source()}, 'y': 1})",
    "def inner(d): sink(d[0][1][2][3])\ninner([[1, [1, 2, [1, 2, 3, source()]]]])",
    "def go(*args): sink(args[1])\ngo(1, source())",
    "def go(a, *args): sink(args[0])\ngo(1, source())",
    "def go(*args): sink(args[0])\ngo(*source())",
    "def go(**given): sink(given['a'])\ngo(a=source(), b=1)",
    "def go(**given): sink(given['a'])\ngo(**source())",
    "def go(**given): sink(given.get('a'))\ngo(a=source())",
    "def go(*args):\n    for one in args: sink(one)\ngo(1, source())",
    "def go(*args): inner(*args)\ndef inner(a, b): sink(b)\ngo(1, source())",
    (
        "class A:\n    def __init__(self, a): self.a = a\nclass B(A):\n    def __init__(self, a):\n"
        "        super().__init__(a)\n        self.b = 1\nsink(B(source()).a)"
    ),
    "class A:\n    def __init__(self, a): self.a = a\nclass B(A): pass\nsink(B(source()).a)",
    "class A(C):\n    def __init__(self, a): self.a = a\nsink(A(source()).b)",
    (
        "class A:\n    def __init__(self, a, b): self.a, self.b = a, b\n"
        "    @classmethod\n    def make(cls, a): return cls(a, 1)\nsink(A.make(source()).a)"
    ),
    (
        "@dataclass\nclass A:\n    a: str\n    b: str\n"
        "sink(dataclasses.replace(A(1, 2), a=source()).a)"
    ),
    (
        "@dataclass\nclass A:\n    a: str\n    b: str\n"
        "sink(dataclasses.replace(A(source(), 2), b=1).a)"
    ),
    "class A(BaseModel):\n    a: str\n    b: int\ndef go(n: A): sink(n.a)\ngo(source())",
    "class A(BaseModel):\n    a: int\n    b: list[int]\ndef go(n: A): sink(n)\ngo(source())",
    "class A(BaseModel):\n    a: str = Field(max_length=3)\ndef go(n: A): sink(n.a)\ngo(source())",
    (
        "class A:\n    def __init__(self, a):\n        self.a = a\n"
        "        self.b = self.made()\n    def made(self): return self.a + '!'\n"
        "    def go(self): sink(self.b)\nA(source()).go()"
    ),
    (
        "class A:\n    def f(self, a):\n        self.a = a\n        self.g()\n"
        "    def g(self): sink(self.a)\nA().f(source())"
    ),
    (
        "class A:\n    def f(self, x):\n        x.a = source()\n        x.f()\n"
        "        self.g(x)\n    def g(self, x): sink(x.a)"
    ),
    (
        "class A(BaseModel):\n    a: constr(min_length=1)\n    b: int\n"
        "def go(n: A): sink(n.a)\ngo(source())"
    ),
    (
        "class A(BaseModel):\n    a: Annotated[str, Field(title='a')]\n    b: int\n"
        "def go(n: A): sink(n.a)\ngo(source())"
    ),
]
CLEAN = [
    f"{ROW}sink(A(a=source(), b=1).b)",
    f"{ROW}a = A(a=source())\na.a = 1\nsink(a.a)",
    f"{INNER}def go(a: A): sink(a.b.n)\ngo(source())",
    (
        f"{INNER}class C(BaseModel):\n    of: list[B]\n"
        "def go(c: C):\n    for one in c.of: sink(one.n)\ngo(source())"
    ),
    f"{SPREAD}sink(A(a=source(), b=1).b)",
    f"{SPREAD}def go(a): sink(a.b)\ngo(A(a=source(), b=1))",
    f"{UPDATED}sink(A(a=source(), b=1).b)",
    "class A:\n    def __init__(self, **given): print(given)\nsink(A(a=source()).a)",
    f"{TASK}f.delay(source(), 1)",
    f"{POST}        self.a = len(self.a)\nsink(A(source(), 1).a)",
    f"{POST}        self.a = 'x' + self.b\nsink(A(source(), 1).a)",
    (
        "class A(BaseModel):\n    a: constr(pattern='^[a-z]+$') | None\n"
        "def go(n: A): sink(n.a)\ngo(source())"
    ),
    (
        "class A(BaseModel):\n    a: Annotated[str, StringConstraints(pattern='^[a-z]+$')]\n"
        "def go(n: A): sink(n.a)\ngo(source())"
    ),
    f"{JOB}{GO}Job(source(), 1).go()",
    f"{JOB}def go(job): sink(job.b)\ngo(Job(source(), 1))",
    f"{JOB}def inner(job): sink(job.b)\ndef go(job): inner(job)\ngo(Job(source(), 1))",
    "def go(d): sink(d['b'])\ngo({'a': source(), 'b': 1})",
    "def go(d): sink(d.get('b'))\ngo({'a': source(), 'b': 1})",
    "def go(d): sink(d[0])\ngo([1, source()])",
    "def inner(d): sink(d['b'])\ndef go(d): inner(d['x'])\ngo({'x': {'a': source(), 'b': 1}})",
    "def go(*args): sink(args[0])\ngo(1, source())",
    "def go(*args): return args[0]\nsink(go(1, source()))",
    "def go(**given): sink(given['b'])\ngo(a=source(), b=1)",
    "def go(a, *args): sink(args[0])\ngo(source(), 1)",
    (
        "class A:\n    def __init__(self, a): self.a = a\nclass B(A):\n    def __init__(self, a):\n"
        "        super().__init__(a)\n        self.b = 1\nsink(B(source()).b)"
    ),
    (
        "class A:\n    def __init__(self, a, b): self.a, self.b = a, b\n"
        "    @classmethod\n    def make(cls, a): return cls(a, 1)\nsink(A.make(source()).b)"
    ),
    (
        "@dataclass\nclass A:\n    a: str\n    b: str\n"
        "sink(dataclasses.replace(A(1, 2), a=source()).b)"
    ),
    (
        "@dataclass\nclass A:\n    a: str\n    b: str\n"
        "sink(dataclasses.replace(A(source(), 2), a=1).a)"
    ),
    "class A(BaseModel):\n    a: str\n    b: Optional[int]\ndef go(n: A): sink(n.b)\ngo(source())",
    (
        "class A(BaseModel):\n    a: str\n    b: Literal['a', 'b'] | None\n"
        "def go(n: A): sink(n.b)\ngo(source())"
    ),
    (
        "class A(BaseModel):\n    a: str = Field(pattern='^[a-z]+$')\n"
        "def go(n: A): sink(n.a)\ngo(source())"
    ),
    (
        "class A:\n    def __init__(self, a):\n        self.a = a\n"
        "        self.b = self.made()\n    def made(self): return self.c + '!'\n"
        "    def go(self): sink(self.b)\nA(source()).go()"
    ),
    (
        "class A:\n    def f(self, a):\n        self.a = a\n        self.g()\n"
        "    def g(self): sink(self.b)\nA().f(source())"
    ),
]


@pytest.mark.parametrize("code", TAINTED)
def test_the_part_that_is_bad_arrives(code: str) -> None:
    assert found(code) == 1


@pytest.mark.parametrize("code", CLEAN)
def test_another_part_is_clean(code: str) -> None:
    assert found(code) == 0
