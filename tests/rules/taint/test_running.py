"""What runs tells: where data arrives when a program is run, a flow is reported.

The programs are made at random of containers, objects, functions and branches. The other way does
not hold: what may happen by the look of it need not happen.
"""

import pytest

from tests.rules.taint.programs import arrivals, program
from vetbox.rules import Profile, check
from vetbox.rules.language.rule import RuleSet
from vetbox.rules.loading.loader import rule_from_data
from vetbox.source import Source

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
