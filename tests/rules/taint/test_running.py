"""What runs tells: where data arrives when a program is run, a flow is reported.

The programs are made at random of containers, objects, functions and branches. The other way does
not hold: what may happen by the look of it need not happen.
"""

import pytest

from tests.rules.taint.programs import arrivals, program
from vetbox.code.source import Source
from vetbox.rules import Profile, check
from vetbox.rules.language.rule import RuleSet
from vetbox.rules.loading.loader import rule_from_data

RULE = {
    "id": "the-rule",
    "message": "m",
    "severity": "error",
    "taint": {
        "sources": [{"match": "source()"}],
        "sinks": [{"match": "sink($X)"}],
        "sanitizers": [{"match": "clean($X)"}],
    },
}
RULES = RuleSet.of([rule_from_data(RULE, "pack/the-rule.yaml")])
BATCH = 40


def reported(code: str) -> set[int]:
    found = check(Source.from_text(code), RULES, profile=Profile.REPO)
    return {one.location.line for one in found}


@pytest.mark.parametrize("batch", range(10))
def test_what_arrives_when_it_runs_is_reported(batch: int) -> None:
    arrived = 0
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        code = program(number)
        lines = arrivals(code)
        assert lines <= reported(code), code
        arrived += len(lines)
    assert arrived > BATCH  # else little would be said by this


CALLS = [
    "def main():\n inner = same\n sink(inner(source()))\n def inner(a): return 'b'\nmain()",
    "def main():\n def inner(a): return 'b'\n if x: inner = same\n sink(inner(source()))\nmain()",
    "def inner(a): return 'b'\nif x: inner = same\nsink(inner(source()))",
    "from m import inner\nsink(inner(source()))\ndef other():\n def inner(a): return 'b'",
    "def main(inner):\n sink(inner(source()))\ndef other():\n def inner(a): return 'b'",
    "def main(inner):\n sink(inner(source()))\nmain(same)",
    "def main():\n x = source()\n i = same\n i(1)\n def i(a): sink(x)\n i(1)\nmain()",
]
OWN_CALLS = [
    "def main():\n def inner(a): return 'b'\n sink(inner(source()))\nmain()",
    "def inner(a): return 'b'\nsink(inner(source()))\ndef other():\n inner = same",
    "try: from m import inner\nexcept E:\n def inner(a): return 'b'\nsink(inner(source()))",
]


@pytest.mark.parametrize("code", CALLS)
def test_a_name_may_stand_for_something_else_than_the_function_called_so(code: str) -> None:
    assert reported(f"def same(a): return a\n{code}\n")


@pytest.mark.parametrize("code", OWN_CALLS)
def test_a_function_is_what_its_name_stands_for(code: str) -> None:
    assert not reported(f"def same(a): return a\n{code}\n")
