"""Whatever flows a rule asks for, narrowing loses none of them and adds none."""

from pathlib import Path
from unittest.mock import patch

import pytest

from tests.rules.made import flow
from tests.rules.test_filters import filtered, fixtures, made_rules, rule_of
from vetbox.rules import Profile, RuleSet
from vetbox.rules.narrowing import Narrowed

SEEDS = range(15)
CODES = tuple(fixtures("flow", "models"))


def whole(code: str, rules: RuleSet) -> set[tuple[int, int]]:
    """What is found when every function of the file is followed."""
    everything = Narrowed(frozenset(rules.rules))
    with patch("vetbox.rules.following.narrowed", lambda *_: everything):
        return filtered(code, rules, Profile.REPO)


@pytest.mark.parametrize("seed", SEEDS)
def test_flows_of_any_making_are_those_of_the_whole_file(seed: int, tmp_path: Path) -> None:
    for taint, code, rules in made_rules(seed, "taint", CODES, flow, tmp_path):
        assert filtered(code, rules, Profile.REPO) == whole(code, rules), taint


@pytest.mark.parametrize(
    ("source", "sink", "code"),
    [
        ("$READ('id_ed25519')", "sent($DATA)", "sent(home.joinpath('id_ed25519'))"),
        ("$DATA['value']", "$SET('X-Name', ...)", "set_header('X-Name', query['value'])"),
        ("$CALL('HOST', $OTHER)", "sent(...)", "host = get('HOST', 'localhost')\nsent(host)"),
    ],
)
def test_what_once_was_lost(source: str, sink: str, code: str, tmp_path: Path) -> None:
    """Places without a name are looked for on every line."""
    taint = {"sources": [{"match": source}], "sinks": [{"match": sink}]}
    rules = rule_of({"taint": taint}, tmp_path)
    assert filtered(code, rules, Profile.REPO) == whole(code, rules) != set()


def test_what_a_call_is_given_may_be_written_before_it(tmp_path: Path) -> None:
    given = {"call": {"name": ["*"], "args": {"0": {"is": "formatted", "regex": r"y \{\}"}}}}
    taint = {"sources": [{"match": "read(...)"}], "sinks": [{"match": given}]}
    rules = rule_of({"taint": taint}, tmp_path)
    code = 'line = f"say {read()}"\nrun(line)\n'
    assert filtered(code, rules, Profile.REPO) == whole(code, rules) == {(2, 1)}
