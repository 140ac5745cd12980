"""A rule is asked at the sites that its own words lead to, not at those of the others."""

import pytest

from vetbox.rules import Profile, RuleSet
from vetbox.rules.excerpt.askers import Askers
from vetbox.rules.excerpt.layout import laid_out
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.filtering.prefilter import anchors_in
from vetbox.rules.loading.loader import rule_from_data

RULES = RuleSet.of(
    [
        rule_from_data(
            {"id": name, "message": "found", "severity": "warning", "match": match}, name
        )
        for name, match in (
            ("eval", {"call": {"name": "eval"}}),
            ("run", {"call": {"name": ["subprocess.run", "*.run"]}}),
            ("key", {"any": ["$CALL(..., auth=($USER, $WORD), ...)"]}),
        )
    ]
)


def asked_at(code: str) -> dict[int, set[str]]:
    """The rules that are asked at each site, by line from 1."""
    layout = laid_out("import subprocess\n" + code)
    anchors = anchors_in(RULES.rules.values(), Profile.REPO)
    sites = Sites(layout, [one for found in anchors.values() for one in found])
    askers = Askers(layout, sites, anchors)
    return {line: {*askers.at(line, askers.words(line))} for line in sites.lines}


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("eval(x)", {1: {"eval"}}),
        ("subprocess.run(x)", {1: {"run"}}),
        ("f(auth=(a, b))", {1: {"key"}}),
        ("f(eval(x), auth=(a, b))", {1: {"eval", "key"}}),
        ("run = eval\nrun(x)", {1: {"eval", "run"}, 2: {"eval", "run"}}),
        ("go = again = eval\nagain(x)", {1: {"eval"}, 2: {"eval"}}),
        ("from subprocess import run as go\ngo(x)", {1: {"run"}, 2: {"run"}}),
        ("def give():\n    return eval\ngive()(x)", {2: {"eval"}, 3: {"eval"}}),
    ],
)
def test_a_rule_is_asked_where_its_words_lead(code: str, asked: dict[int, set[str]]) -> None:
    assert {line: rules for line, rules in asked_at(code).items() if rules} == asked
