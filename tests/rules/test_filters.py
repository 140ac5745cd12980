"""Whatever a rule looks for, the filters before the judge lose nothing and add nothing."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest
import yaml

from tests.rules.made import Formula, formula
from vetbox.code.source import Source
from vetbox.errors import RuleError
from vetbox.rules import Profile, RuleSet, check, load_rules
from vetbox.rules.judging import findings
from vetbox.rules.program import program_of

FIXTURES = Path(__file__).parents[2] / "fixtures"
LONGEST = 8_000  # characters; judging whole takes its time
SEEDS = range(20)
RULES_EACH = 8
Make: TypeAlias = Callable[[ast.Module, Random], object]


def rule_of(asked: Mapping[str, Any], folder: Path) -> RuleSet:
    """A rule with this `match` or `taint`; RuleError for what no rule may look for."""
    rule = {"id": "made", "message": "x", "severity": "error", **asked}
    written = yaml.safe_dump({**rule, "why": "x", "instead": "x"}, sort_keys=False)
    (folder / "made.yaml").write_text(written)
    return load_rules(folder, shipped=False)


def filtered(code: str, rules: RuleSet, profile: Profile) -> set[tuple[int, int]]:
    found = check(Source.from_text(code), rules, profile=profile)
    return {(one.location.line, one.location.column) for one in found}


def whole(code: str, rules: RuleSet, profile: Profile) -> set[tuple[int, int]]:
    """The judge's own answer: every rule is asked everywhere."""
    program = program_of(rules, profile)
    with patch("vetbox.rules.judging.reduce", lambda *_: None):
        found = findings(Source.from_text(code), program, dict.fromkeys(rules.rules, ()))
    return {(one.location.line, one.location.column) for one in found}


def renamed(code: str, chance: Random) -> str:
    """The same code, now and then with other names for what it imports."""
    if chance.random() < 0.5:
        return code
    for name in re.findall(r"^import (\w+)$", code, re.MULTILINE):
        code = re.sub(rf"^import {name}$", f"import {name} as z_{name}", code, flags=re.MULTILINE)
        code = re.sub(rf"(?<![\w.]){name}\.", f"z_{name}.", code)
    return code


def fixtures(*packs: str) -> Iterator[str]:
    """The code of some packs' fixtures; of all, where none is named."""
    folders = packs or ("*",)
    for path in sorted(path for pack in folders for path in FIXTURES.glob(f"{pack}/*.py")):
        code = path.read_text(encoding="utf-8", errors="surrogateescape")
        if len(code) < LONGEST and code.isascii():
            yield code


def made_rules(
    seed: int, key: str, codes: Sequence[str], make: Make, folder: Path
) -> Iterator[tuple[object, str, RuleSet]]:
    """What is asked for under a key of a rule, code that may answer it, and the rule."""
    chance, made = Random(seed), 0
    while made < RULES_EACH:
        code = chance.choice(codes)
        asked = make(ast.parse(code), chance)
        code = renamed(code, chance)
        try:
            rules = None if asked is None else rule_of({key: asked}, folder)
        except RuleError:
            continue
        if rules is not None:
            made += 1
            yield asked, code, rules


CODES = tuple(fixtures())


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("seed", SEEDS)
def test_rules_of_any_making_find_what_the_judge_finds(
    seed: int, profile: Profile, tmp_path: Path
) -> None:
    for match, code, rules in made_rules(seed, "match", CODES, formula, tmp_path):
        assert filtered(code, rules, profile) == whole(code, rules, profile), match


STREAM = {"call": {"name": ["kubernetes.stream.stream", "*.exec_run"]}}
LISTED = {"call": {"name": "*", "args": {"command": {"is": "list"}}}}
KEY = "KINDS = {'d': paramiko.DSSKey, 'r': paramiko.RSAKey}\nKINDS[kind].from_file(path)"


@pytest.mark.parametrize(
    ("match", "code"),
    [
        (
            {"all": [STREAM, LISTED]},
            "from kubernetes.stream import stream\nrun = stream\nrun(command=['sh'])",
        ),
        (
            {"call": {"name": "*.text", "args": {0: {"is": "formatted", "regex": r"^a = '\{\}"}}}},
            "db.text(f\"a = '{name}'\")",
        ),
        (
            "ldap.initialize($A).bind($B)",
            "from ldap import initialize as begin\nline = begin('x')\nline.bind('y')",
        ),
        ("browser.new_page().goto($A)", "tab = browser.new_page()\ntab.goto(address)"),
        ("requests.Session(...)", "import requests as q\nself.web = q.sessions.Session()"),
        ("$CALL(**$GIVEN, ...)", "people.filter(city=city, **SHOWN)"),
        ("$A = $B\n...\nray.init(num=2)", "import ray\nplug = Plug(x)\nray.init(num=2)"),
        (
            {
                "all": [
                    {"call": {"name": ["paramiko.DSSKey.from_file", "*.from_text"]}},
                    {"call": {"name": ["*.from_file"]}},
                ]
            },
            f"import paramiko\n{KEY}",
        ),
        (
            {"call": {"name": ["print"], "args": {"any": {"regex": "\x1b\\[0m"}}}},
            r'print("\033[0m")',
        ),
    ],
)
def test_what_once_was_lost(match: Formula, code: str, tmp_path: Path) -> None:
    rules = rule_of({"match": match}, tmp_path)
    assert filtered(code, rules, Profile.REPO) == whole(code, rules, Profile.REPO) != set()
