"""Raising: what blocks code about to run is looked for behind every lookup; the repo is not."""

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, load_rules
from vetbox.rules.program import program_of

LOADS = "{call: {name: pickle.loads}}"
HIDDEN = [
    "import pickle as p\ngetattr(p, 'lo' + 'ads')(x)",
    "import pickle\npickle.__dict__['loads'](x)",
    "import sys\nsys.modules['pickle'].loads(x)",
    "import importlib\nimportlib.import_module('pickle').loads(x)",
    "import logging\nlogging.pickle.loads(x)",
    "import pickle\nlist(map(pickle.loads, xs))",
]


@pytest.mark.parametrize("code", HIDDEN)
def test_what_blocks_is_found_behind_a_lookup(found, code: str) -> None:
    assert [finding.callee for finding in found(LOADS, code)] == ["pickle.loads"]
    assert found(LOADS, code, profile="repo") == []


def test_what_only_warns_keeps_its_own_level(found) -> None:
    warns = {"profiles": {"agent": "warning", "repo": "warning"}}
    assert found(LOADS, HIDDEN[0], **warns) == []


HANDED = "import torch\nlist(map(torch.load, paths))"


def test_what_warns_does_so_in_other_hands_too(found) -> None:
    load = "{call: {name: torch.load}}"
    warns = {"profiles": {"agent": "warning", "repo": "warning"}}
    assert [finding.callee for finding in found(load, HANDED, **warns)] == ["torch.load"]
    assert found(load, HANDED, profile="repo", **warns) == []


@pytest.mark.parametrize(
    "rule",
    [
        "{call: {name: torch.load, args: {0: {is: str}}}}",
        "{call: {name: '*.load'}}",
        "{call: {name: torch.load}, inside: 'def $F(...): ...'}",
    ],
)
def test_what_only_some_calls_do_may_be_handed_on(found, rule: str) -> None:
    assert found(rule, HANDED, profiles={"agent": "warning", "repo": "off"}) == []


def test_what_excuses_a_call_by_its_arguments_excuses_no_function_in_other_hands(found) -> None:
    rule = (
        "{all: [{call: {name: torch.load}}, {not: {call: {name: '*', args: {safe: {is: any}}}}}]}"
    )
    warns = {"profiles": {"agent": "warning", "repo": "off"}}
    assert found(rule, HANDED, **warns) != []
    assert found(rule, "import torch\nload = torch.load\nload(x, safe=1)\nvars(x)", **warns) == []


def test_what_excuses_a_place_excuses_a_function_that_is_handed_on_there(found) -> None:
    rule = "{all: [{call: {name: torch.load}}, {not: {inside: {call: {name: trusted}}}}]}"
    warns = {"profiles": {"agent": "warning", "repo": "off"}}
    assert found(rule, "import torch\ntrusted(map(torch.load, paths))", **warns) == []
    assert found(rule, HANDED, **warns) != []


def test_what_is_denied_is_not_looked_for_behind_a_lookup(found) -> None:
    rule = "{all: [{call: {name: pickle.loads}}, {not: {call: {name: '*', args: {1: {is: any}}}}}]}"
    assert found(rule, HIDDEN[0]) != []


def test_plain_code_is_parsed_for_no_rule() -> None:
    """A rule without words to wait for would have every snippet parsed."""
    program = program_of(load_rules(), Profile.AGENT)
    assert program.hits(Source.from_text("total = price * 2\n")) == {}
