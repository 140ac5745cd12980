"""Explanations: the answer of every clause, for lines that fire and lines that do not."""

from vetbox.rules import Profile, load_rules
from vetbox.rules.explain import Clause, explain
from vetbox.source import Source

CODE = """\
import subprocess
subprocess.run("ls " + folder, shell=False)
subprocess.run(
    "ls " + folder, shell=True)
list(map(eval, xs))
"""


def clauses(clause: Clause) -> dict[str, bool]:
    found = {clause.text: clause.holds}
    for part in clause.parts:
        found |= clauses(part)
    return found


def explained(rule: str, line: int, profile: Profile = Profile.REPO):
    return explain(Source.from_text(CODE), load_rules().rules[rule], line, profile=profile)


def test_a_line_that_does_not_fire_names_the_clause_that_failed() -> None:
    answer = explained("shell-true", 2)
    assert not answer.fires
    assert all(clause.holds for clause in answer.conditions)
    (place,) = answer.places
    assert clauses(place.clause)["shell= is truthy"] is False


def test_a_line_inside_a_call_explains_the_call() -> None:
    answer = explained("shell-true", 4)
    assert answer.fires
    assert answer.places[0].code.startswith("subprocess.run(\n")


def test_a_line_without_such_code_has_no_places() -> None:
    assert explained("shell-true", 1).places == ()


def test_a_function_that_is_handed_on_is_explained_in_the_agent_profile() -> None:
    answer = explained("eval-call", 5, Profile.AGENT)
    assert answer.fires
    assert "handed on" in answer.places[-1].clause.text
    assert not explained("eval-call", 5).fires


def test_a_rule_that_waits_for_other_words_says_so() -> None:
    on, *_, words = explained("pickle-load", 2).conditions
    assert (on.holds, words.holds) == (True, False)
