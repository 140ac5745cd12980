"""A rule is only half as sure where one of its doubts holds, and finds the same all the same."""

from pathlib import Path

import pytest

from vetbox.code.source import Source
from vetbox.findings import Confidence
from vetbox.rules import Profile, RuleError, RuleSet, check
from vetbox.rules.explain import explain
from vetbox.rules.language.rule import Rule
from vetbox.rules.loading.loader import rule_from_data

RULE = {
    "id": "r",
    "message": "{callee}() of $WHAT",
    "severity": "error",
    "match": {"pattern": "launch($WHAT)"},
}
DOUBTFUL = {**RULE, "doubtful": [{"inside": {"pattern": "if $CHOICE: ..."}}]}
CODE = """\
launch(a)
if told:
    launch(b)
else:
    launch(c)
"""


def rule(**more: object) -> Rule:
    return rule_from_data({**DOUBTFUL, **more}, "r")


def test_every_match_is_found_and_the_doubtful_ones_are_of_medium_confidence() -> None:
    found = check(Source.from_text(CODE), RuleSet.of([rule()]), profile=Profile.REPO)
    assert [(one.location.line, one.confidence) for one in found] == [
        (1, Confidence.HIGH),
        (3, Confidence.MEDIUM),
        (5, Confidence.MEDIUM),
    ]


def test_of_code_about_to_run_nothing_is_doubted() -> None:
    found = check(Source.from_text(CODE), RuleSet.of([rule()]), profile=Profile.AGENT)
    assert [(one.location.line, one.confidence) for one in found] == [
        (line, Confidence.HIGH) for line in (1, 3, 5)
    ]


def test_what_a_doubt_binds_is_unknown_to_what_the_rule_denies() -> None:
    denied = {"inside": {"pattern": "if $CHOICE: ..."}, "where": [SURE]}
    code = f"if told:\n    {CODE.replace(chr(10), chr(10) + '    ').replace('told', 'sure')}"
    found = check(Source.from_text(code), RuleSet.of([rule(unless=[denied])]), profile=Profile.REPO)
    assert [one.location.line for one in found] == [2]


SURE = {"metavariable": "$CHOICE", "regex": "^sure$"}


def test_a_message_speaks_of_what_the_rule_has_bound_only() -> None:
    found = check(Source.from_text(CODE), RuleSet.of([rule()]), profile=Profile.REPO)
    assert [one.message for one in found][1].endswith("of b")


def test_an_explanation_tells_which_way_is_doubtful() -> None:
    found = explain(Source.from_text(CODE), rule(), 3, profile=Profile.REPO)
    (either,) = [one.clause for one in found.places if one.clause.holds]
    assert [(one.text, one.holds) for one in either.parts] == [
        ("all of", False),
        ("doubtful, so of less confidence", True),
    ]


def test_doubts_of_a_rule_of_medium_confidence_leave_low() -> None:
    found = check(
        Source.from_text(CODE), RuleSet.of([rule(confidence="medium")]), profile=Profile.REPO
    )
    said = [one.confidence for one in found]
    assert said == [Confidence.MEDIUM, Confidence.LOW, Confidence.LOW]


def test_what_a_flow_of_medium_confidence_doubts_is_of_low() -> None:
    sources = [{"match": "ask()", "doubtful": True}, {"match": "read()"}]
    sink = {"match": {"call": {"name": "launch"}}, "at": "arg.0"}
    flow = {"sources": sources, "sinks": [sink]}
    data = {"id": "r", "message": "m", "severity": "error", "confidence": "medium", "taint": flow}
    code = Source.from_text("def run():\n    launch(ask())\n    launch(read())\n")
    found = check(code, RuleSet.of([rule_from_data(data, "r")]), profile=Profile.REPO)
    assert [one.confidence for one in found] == [Confidence.LOW, Confidence.MEDIUM]


def test_the_lowest_confidence_cannot_be_doubted() -> None:
    with pytest.raises(RuleError, match="`doubtful` lowers the confidence"):
        rule_from_data({**DOUBTFUL, "confidence": "low"}, str(Path("r.yaml")))
