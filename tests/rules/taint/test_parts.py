"""Which part of what a function is given reaches `sink()`: an attribute, a key, a place."""

import pytest

from tests.rules.taint.test_flow import found

JOB = "class Job:\n    def __init__(self, a, b): self.a, self.b = a, b\n"
GO = "    def go(self): sink(self.b)\n"
TAINTED = [
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
]
CLEAN = [
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
]


@pytest.mark.parametrize("code", TAINTED)
def test_the_part_that_is_bad_arrives(code: str) -> None:
    assert found(code) == 1


@pytest.mark.parametrize("code", CLEAN)
def test_another_part_is_clean(code: str) -> None:
    assert found(code) == 0
