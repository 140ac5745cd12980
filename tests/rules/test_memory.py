"""A process that judges one program after the other keeps nothing of them."""

import gc
from pathlib import Path

import libcst as cst

from tests.sampling import sample
from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules
from vetbox.rules.program import MAX_COMBINATIONS, program_of
from vetbox.rules.remembering import Bounded

FIXTURES = Path(__file__).parents[2] / "fixtures"
RULES = load_rules()
PROGRAMS = [path.read_text() for path in sample(sorted(FIXTURES.glob("[d-f]*/*.py")))]


def trees() -> int:
    return sum(isinstance(one, cst.Module) for one in gc.get_objects())


def judge_all(profile: Profile, comment: str) -> None:
    for program in PROGRAMS:
        source = Source.from_bytes(f"{program}\n# {comment}\n".encode(), "app.py")
        check(source, RULES, profile=profile)


def test_the_trees_of_judged_code_are_let_go() -> None:
    for profile in Profile:
        judge_all(profile, "first")  # and patterns are parsed
        gc.collect()
        before = trees()
        judge_all(profile, "second")
        gc.collect()
        assert trees() <= before


def test_tables_of_what_was_asked_together_start_over() -> None:
    table = Bounded[int, str](3)
    for number in range(10):
        table[number] = str(number)
        assert table[number] == str(number)
        assert len(table) <= 3
    program = program_of(RULES, Profile.AGENT)
    for kept in (program.dispatches, program.surveys):
        assert isinstance(kept, Bounded)
        assert len(kept) <= MAX_COMBINATIONS
