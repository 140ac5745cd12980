"""Models under the gate: a row that no fixture needs is found, and so is one that does nothing."""

from pathlib import Path

import pytest

from vetbox.gate import Judgement, judge
from vetbox.gate.models import is_model, rule_around

MODEL = """\
# yaml-language-server: $schema=../schema/model.schema.json
kind: shout
role: sink
why: Everybody hears what is shouted.
places:
- match: {call: {name: [air.shout, "*.yell"]}}
  at: arg.text|0
- match: {call: {name: air.announce}}
  at: args
"""
FIXTURE = """\
import air

# each: name in places[0].match.call.name -> {name}(incoming())

# expect: shout
air.shout(text=incoming())
# expect: shout
air.announce(1, incoming())
# ok: shout (a constant)
air.shout("constant", incoming())
# ok: shout (another function)
air.whisper(incoming())
# ok: shout (who shouts, not what)
incoming().yell("constant")
"""
EQUIVALENT = """\
equivalent:
- clause: places[1].at
  why: What is announced comes back.
"""


def judged(folder: Path, model: str, fixture: str = FIXTURE) -> Judgement:
    file = folder / "rules" / "models" / "shout.yaml"
    held_by = folder / "fixtures" / "models" / "shout.py"
    for path, text in ((file, model), (held_by, fixture)):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return judge(file, mutate=True)


def test_model_whose_rows_are_all_needed_holds(tmp_path: Path) -> None:
    judgement = judged(tmp_path, MODEL + EQUIVALENT)
    assert judgement.problems == ()
    assert judgement.mutants == 8
    assert judgement.equivalent == 1


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("# each: name in places[0].match.call.name -> {name}(incoming())\n", "name[1]"),
        ("# expect: shout\nair.shout(text=incoming())\n", "without-text"),
        ("# expect: shout\nair.announce(1, incoming())\n", "places[1] is deleted"),
    ],
)
def test_row_that_no_line_needs_is_named(tmp_path: Path, line: str, clause: str) -> None:
    assert line in FIXTURE
    kept = FIXTURE.replace(line, "# expect: shout\nair.shout('' + incoming())\n" * 2)
    problems = judged(tmp_path, MODEL + EQUIVALENT, kept).problems
    assert any(clause in problem for problem in problems), problems


def test_model_without_a_fixture_is_told_to_have_one(tmp_path: Path) -> None:
    file = tmp_path / "rules" / "models" / "shout.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(MODEL)
    assert any("no fixture" in problem for problem in judge(file, mutate=False).problems)


def test_model_with_a_misspelt_key_is_refused_with_its_place(tmp_path: Path) -> None:
    (problem,) = judged(tmp_path, MODEL.replace("role:", "roles:")).problems
    assert "shout.yaml:3" in problem


@pytest.mark.parametrize("role", ["source", "sink", "sanitizer"])
def test_rule_around_a_model_has_its_places_in_their_role(role: str) -> None:
    rule = rule_around({"kind": "shout", "role": role, "places": [{"match": "x(...)"}]})
    assert isinstance(rule, dict)
    taint = rule["taint"]
    assert isinstance(taint, dict)
    assert taint[f"{role}s"] == [{"match": "x(...)"}]
    assert taint["sources"]
    assert taint["sinks"]


def test_models_are_known_by_their_folder() -> None:
    assert is_model(Path("rules/models/sql.yaml"))
    assert not is_model(Path("rules/sql/formatted-query.yaml"))
