"""Mutants: every clause of a rule is deleted or weakened once."""

from pathlib import Path

import pytest

from vetbox.documents import read_yaml
from vetbox.gate.alternatives import alternatives_of
from vetbox.gate.clauses import Data, at, parse, replaced, spell, without
from vetbox.gate.mutants import mutants
from vetbox.gate.trial import Trial
from vetbox.rules import Rule, RuleError
from vetbox.rules.loading.loader import shared_parts

RULES = Path(__file__).parents[2] / "rules"

RULE = {
    "id": "a-rule",
    "message": "M",
    "severity": "error",
    "profiles": {"agent": "error", "repo": "off"},
    "match": {
        "call": {
            "name": ["os.system", "os.popen"],
            "args": {0: {"is": "literal", "regex": "^(?:rm|mv) "}, "n": {"compare": "< 10"}},
        }
    },
    "unless": [{"call": {"name": "x"}}],
    "doubtful": [{"call": {"name": "y"}}],
    "report": {"at": "arg.0"},
    "why": "because",
}


def test_every_clause_of_a_rule_has_its_mutants() -> None:
    assert [mutant.key for mutant in mutants(RULE)] == [
        "message~change",
        "profiles.agent~change",
        "profiles.agent~off",
        "profiles.repo~change",
        "match.call.name[0]",
        "match.call.name[1]",
        "match.call.args.0",
        "match.call.args.0~widen",
        "match.call.args.0.is",
        "match.call.args.0.is~flip",
        "match.call.args.0.regex",
        "match.call.args.0.regex~without-alternative-0",
        "match.call.args.0.regex~without-alternative-1",
        "match.call.args.n",
        "match.call.args.n~widen",
        "match.call.args.n.compare~bound+1",
        "match.call.args.n.compare~bound-1",
        "unless[0]",
        "doubtful[0]",
        "report",
        "match.resolve~lower",
    ]


def test_a_requirement_asks_for_each_of_its_labels() -> None:
    sink = {"match": "run($X)", "requires": "A and not (B or C)"}
    rule = {"message": "M", "taint": {"sources": [{"match": "f()"}], "sinks": [sink]}}
    assert [mutant.key for mutant in mutants(rule)][2:] == [
        "taint.sinks",
        "taint.sinks[0].match",
        "taint.sinks[0].requires",
        "taint.sinks[0].requires~asking A",
        "taint.sinks[0].requires~asking not (B or C)",
        "taint.sinks[0].requires~asking A and (B or C)",
        "taint.sinks[0].requires~asking A and not B",
        "taint.sinks[0].requires~asking A and not C",
    ]


def test_ancestors_are_more_than_bases() -> None:
    rule = {"message": "M", "match": {"class": {"ancestor": ["a.B", "c.D"]}}}
    assert [mutant.key for mutant in mutants(rule)][1:] == [
        "match.class.ancestor~bases-alone",
        "match.class.ancestor[0]",
        "match.class.ancestor[1]",
    ]


def test_mutant_leaves_the_rule_it_came_from_alone() -> None:
    before = repr(RULE)
    list(mutants(RULE))
    assert repr(RULE) == before


def test_severity_is_a_clause_where_a_profile_is_silent_about_it() -> None:
    keys = [mutant.key for mutant in mutants({"severity": "info", "profiles": {"repo": "off"}})]
    assert "severity~change" in keys


def test_path_is_spelt_and_parsed_back() -> None:
    path = ("match", "all", 1, "args", "Loader|1", "a b")
    assert spell(path) == "match.all[1].args.Loader|1{a b}"
    assert parse(spell(path)) == path


def test_numeric_keys_of_yaml_are_reached_by_their_text() -> None:
    assert at({"args": {0: "x"}}, ("args", "0")) == "x"
    assert replaced({"args": {0: "x"}}, ("args", "0"), "y") == {"args": {0: "y"}}
    assert without({"args": {0: "x"}}, ("args", "0")) == {"args": {}}


def test_regex_alternatives_are_split_at_the_top_or_in_the_first_group() -> None:
    assert alternatives_of("a|b[|]") == ("", ["a", "b[|]"], "")
    assert alternatives_of(r"^\((?:a|(?:b|c))$") == (r"^\((?:", ["a", "(?:b|c)"], ")$")
    assert alternatives_of("(?i)abc") == ("", ["(?i)abc"], "")


def test_every_part_of_a_fix_is_a_clause() -> None:
    rule: Data = {
        "match": {"call": {"name": "f"}},
        "fix": {"set-arg": {"a": "1"}, "remove-arg": ["b", "c"], "safety": "unsafe"},
    }
    keys = {mutant.key for mutant in mutants(rule) if mutant.path[0] == "fix"}
    assert keys == {
        "fix.set-arg.a",
        "fix.set-arg.a~change",
        "fix.remove-arg[0]",
        "fix.remove-arg[1]",
        "fix.safety~change",
    }


def test_alternatives_in_a_list_and_parts_with_a_name_have_mutants_too() -> None:
    rule = {"subpatterns": {"key": ["a", "b|c"]}, "match": {"raw": {"regex": ["(?&key)x", "y"]}}}
    assert [mutant.key for mutant in mutants(rule)] == [
        "subpatterns.key[0]",
        "subpatterns.key[1]",
        "subpatterns.key[1]~without-alternative-0",
        "subpatterns.key[1]~without-alternative-1",
        "match.raw.regex[0]",
        "match.raw.regex[1]",
    ]


@pytest.mark.parametrize("path", sorted(RULES.glob("*/*.yaml"))[::40], ids=lambda path: path.stem)
def test_a_mutant_that_shares_parts_with_others_is_the_rule_that_it_is_alone(path: Path) -> None:
    document = read_yaml(path.read_text(encoding="utf-8"), str(path))
    trial = (Trial.read_model if path.parent.name == "models" else Trial.read)(document)
    some = [*mutants(trial.data)][::7]
    with shared_parts():
        together = [made(trial, mutant.data) for mutant in some]
    assert together == [made(trial, mutant.data) for mutant in some]


def made(trial: Trial, data: Data) -> Rule | str:
    """The rule of some data, or what is wrong with it."""
    try:
        return trial.with_data(data).rule
    except RuleError as error:
        return str(error)
