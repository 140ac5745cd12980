"""What makes a rule slow on large code bases is said when it is tested."""

from typing import Any

import pytest

from vetbox.gate.cost import costs
from vetbox.rules import Profile, load_rules
from vetbox.rules.loading.loader import rule_from_data

FRAME = {"id": "the-rule", "message": "m", "severity": "error"}
WHOLE_FILES = {
    "debug-setting",
    "permissive-umask",
    "route-without-neighbours-login",
    "url-checked-by-part",
}
"""Shipped rules that need whole files, behind a word that few files have."""


def said(**rule: Any) -> str:
    return " ".join(costs(rule_from_data({**FRAME, **rule}, "pack/the-rule.yaml")))


@pytest.mark.parametrize(
    "match",
    [
        {"call": {"name": "os.system"}},
        "os.system($COMMAND)",
        {"raw": {"regex": "x+y"}},
    ],
)
def test_a_rule_with_a_word_and_a_line_costs_nothing_more(match: Any) -> None:
    assert said(match=match) == ""


def test_a_rule_without_a_word_reads_every_file() -> None:
    assert "every file is parsed" in said(match="$A($B) == $B")


def test_a_rule_on_texts_that_are_names_reads_whole_files() -> None:
    match = {"string_ref": {"regex": "^secret_word$", "uses": ["getattr"]}}
    assert "whole files" in said(match=match)


def test_a_flow_whose_source_has_no_word_reads_every_file_with_its_sink() -> None:
    taint = {"sources": [{"match": "$A + $B"}], "sinks": [{"match": "runs($X)"}]}
    assert "every file" in said(taint=taint)


def test_a_rule_of_the_agent_profile_reads_one_short_program() -> None:
    assert said(match="$A($B) == $B", profiles={"agent": "error", "repo": "off"}) == ""


def test_no_shipped_flow_has_every_file_parsed() -> None:
    flows = [rule for rule in load_rules().rules.values() if rule.flows]
    assert len(flows) > 40
    assert {rule.id: list(costs(rule)) for rule in flows if list(costs(rule))} == {}


def test_shipped_rules_that_need_whole_files_are_known() -> None:
    rules = load_rules().rules.values()
    on = [rule for rule in rules if not rule.flows and rule.profiles.get(Profile.REPO)]
    assert {rule.id for rule in on if list(costs(rule))} <= WHOLE_FILES
