"""Functions that raise where what they are given is no good, and those that only look so."""

import pytest

from tests.rules.taint.test_flow import found
from tests.rules.taint.test_running import reported

CHECKED = [
    "def check(a):\n    if a not in ALLOWED: raise E",
    "def check(a):\n    if not safe(a): raise E\n    return 1",
    "def check(a):\n    if safe(a): return\n    raise E",
    "def both(a):\n    if a not in ALLOWED: raise E\ndef check(b): both(b)",
]
UNCHECKED = [
    "def check(a):\n    if a not in ALLOWED: log(a)",
    "def check(a):\n    if a not in ALLOWED: return",
    "def check(a):\n    if y: return\n    if a not in ALLOWED: raise E",
    "def check(a):\n    a = 'b'",
    "def check(a, b=1):\n    if b not in ALLOWED: raise E",
    "def check(*a):\n    if a not in ALLOWED: raise E",
    "def check(a):\n    if a not in ALLOWED: raise E\n    a = 'b'",
    "def check(a):\n    if safe(a): return\n    if a: return\n    raise E",
]
GLOBAL = "last = 'a'\ndef put(a):\n    global last\n    last = a\n"


@pytest.mark.parametrize("code", CHECKED)
def test_what_was_checked_is_clean(code: str) -> None:
    assert found(f"{code}\ndef f():\n    x = source()\n    check(x)\n    sink(x)") == 0


@pytest.mark.parametrize("code", UNCHECKED)
def test_what_was_not_checked_is_tainted(code: str) -> None:
    assert found(f"{code}\ndef f():\n    x = source()\n    check(x)\n    sink(x)") == 1


def test_only_the_variable_that_was_checked_is_clean() -> None:
    code = f"{CHECKED[0]}\ndef f():\n    x = source()\n    check(x[0])\n    sink(x)"
    assert found(code) == 1


def test_an_object_is_not_clean_for_one_attribute_that_is() -> None:
    code = f"{CHECKED[0]}\ndef f():\n    x = source()\n    check(x.a)\n    sink(x)"
    assert found(code) == 1


def test_methods_see_the_variables_of_the_module() -> None:
    assert (
        found(GLOBAL + "class A:\n    def f(self):\n        put(source())\n        sink(last)") == 1
    )


def test_methods_see_the_variables_around_their_class() -> None:
    code = "def f():\n    x = source()\n    class A:\n        x = 1\n        def g(self): sink(x)"
    assert found(code) == 1


PARSER = "import argparse\nparser = argparse.ArgumentParser()\nx = source()\n"


def test_a_parser_of_arguments_does_not_come_back_from_an_error() -> None:
    assert not reported(PARSER + "if x != 'a':\n    parser.error('no')\nsink(x)")
    assert reported(PARSER + "if x != 'a':\n    parser.print_help()\nsink(x)")
