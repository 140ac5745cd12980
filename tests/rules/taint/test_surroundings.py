"""Surroundings: a nested function sees what is around it when it is called."""

import pytest

from tests.rules.taint.test_running import reported

INNER = "def main():\n d = {'m': source()}\n x = 'a'\n def inner(s='b'): sink(x)\n"
SEEN = [
    "for i in 'ab':\n  x = d['m']\n  rows = [inner(i)]",
    "try: y = 1\n finally:\n  for i in 'ab':\n   x = d['m']\n   inner(i)",
    "inner()\n x = d['m']\n inner()",
    "if y:\n  x = d['m']\n  inner()",
    "inner()\n x = d['m'] if y else 'b'\n n = 0\n while (n := n + 1) < 3: inner()",
    "def other(): inner()\n inner()\n x = d['m']\n other()",
]
UNSEEN = [
    "inner()\n x = d['m']",
    "if y: x = d['m']\n else: inner()",
    "x = d['m']\n x = 'b'\n inner()",
]


@pytest.mark.parametrize("body", SEEN)
def test_what_is_assigned_before_the_call_is_seen(body: str) -> None:
    assert reported(f"{INNER} {body}\nmain()\n")


@pytest.mark.parametrize("body", UNSEEN)
def test_what_is_assigned_elsewhere_is_not(body: str) -> None:
    assert not reported(f"{INNER} {body}\nmain()\n")


def test_the_place_of_the_definition_does_not_matter() -> None:
    code = (
        "def main():\n x = 'a'\n if y:\n  def inner(): sink(x)\n  inner()\n x = source()\n inner()"
    )
    assert reported(code)
