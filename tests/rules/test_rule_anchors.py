"""Of the anchors of a rule, what says no more than another may go, and nothing else."""

from dataclasses import replace

import pytest

from vetbox.rules import Profile, Rule, load_rules
from vetbox.rules.filtering.anchoring import anchors_of
from vetbox.rules.filtering.prefilter import counting
from vetbox.rules.filtering.rule_anchors import rule_anchors, source_anchors
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.formula import Attr, Name, Names, Resolve
from vetbox.rules.loading.cache import compact

RULES = load_rules().rules.values()
LOOKED_UP = Name(Names.of("os.?", "sys.?"), resolve=Resolve.DYNAMIC)


def asks(anchor: Anchor) -> Anchor:
    return anchor._replace(words=frozenset(), texts=(), doubtful=False, outdone=False)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_what_is_outdone_holds_only_where_another_does(rule: Rule) -> None:
    anchors = rule_anchors(rule.matcher, None, judges=True)
    counted = counting(anchors, Profile.AGENT)
    for one in (one for one in anchors if one.outdone):
        assert any(
            asks(other) == asks(one)
            and other.words <= one.words
            and set(other.texts) <= set(one.texts)
            for other in counted
        )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_code_base_is_asked_for_all_that_is_not_in_doubt(rule: Rule) -> None:
    found = counting(rule_anchors(rule.matcher, None, judges=False), Profile.REPO)
    wanted = [one for one in anchors_of(rule.matcher) if not one.doubtful]
    assert [one._replace(outdone=False) for one in found] == wanted


def test_what_computes_a_name_waits_for_no_module_where_doubt_counts() -> None:
    anchors = rule_anchors(LOOKED_UP, None, judges=True)
    words = {one.words for one in counting(anchors, Profile.AGENT)}
    assert frozenset({"getattr"}) in words
    assert frozenset({"getattr", "os"}) not in words
    assert frozenset({"getattr", "os"}) in {one.words for one in counting(anchors, Profile.REPO)}


@pytest.mark.parametrize("base", ["shop", "shop.sales", "*.sales"])
def test_an_attribute_waits_for_what_it_is_of(base: str) -> None:
    (anchor,) = anchors_of(Attr(Names.of("form"), base=Names.of(base)))
    assert anchor.words > {"form"}


def test_of_two_that_ask_for_the_same_one_is_kept() -> None:
    for rule in (one for one in RULES if not one.flows):
        counted = [one._replace(doubtful=False) for one in counting(rule.anchors, Profile.AGENT)]
        assert len(set(counted)) == len(counted)


def test_of_a_rule_that_follows_data_each_place_keeps_its_own() -> None:
    for rule in (one for one in RULES if one.taint is not None):
        places = [*rule.taint.sinks, *rule.taint.sources]
        wanted = {anchor for place in places for anchor in anchors_of(place.formula)}
        anchors = rule_anchors(rule.matcher, rule.taint, judges=False)
        assert wanted == {*anchors, *source_anchors(rule.taint)}


@pytest.mark.parametrize("judges", [False, True])
def test_only_anchors_that_count_in_no_profile_are_left_out_of_the_cache(judges: bool) -> None:
    for rule in RULES:
        anchors = rule_anchors(rule.matcher, rule.taint, judges=judges)
        for on in (Profile.REPO, Profile.AGENT):
            whole = replace(rule, anchors=anchors, profiles={on: rule.severity})
            (kept,) = compact([whole])
            assert counting(kept.anchors, on) == counting(anchors, on)
            assert set(kept.anchors) == set(counting(anchors, on) or anchors)
