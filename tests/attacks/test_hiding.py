"""Programs that hide a module and get it back, run for real: what starts a process is reported."""

import itertools
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.sampling import sample
from vetbox.validation import validate_python_code

Place: TypeAlias = tuple[str, str]
"""How something is put there, and the expression that gets it back."""


def places() -> list[Place]:
    text = Path(__file__).with_name("hiding_places.txt").read_text("utf-8")
    blocks = [block for block in text.strip().split("\n\n") if not block.startswith("#")]
    return [(put, got) for put, _, got in (block.partition("\n=> ") for block in blocks)]


PLACES = places()
PAIRS = random.Random(1).sample([*itertools.product(PLACES, repeat=2)], 2_400)


def program(way: Sequence[Place]) -> str:
    """`os` in the first place, what is got from there in the next, and a call of it at last."""
    lines, held = ["import os"], "os"
    for number, (put, got) in enumerate(way):
        lines.append(put.replace("_9", f"_{number}").replace("HELD", held))
        held = got.replace("_9", f"_{number}").replace("HELD", held)
    return "\n".join([*lines, f'{held}.system("true")\n'])


def starts(code: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Does it come to its end, where it asks for a process?"""
    asked: list[str] = []
    monkeypatch.setattr(os, "system", asked.append)
    exec(compile(code, "program", "exec"), {"__name__": "program", "exit": type("Exit", (), {})()})
    return asked == ["true"]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[1])
def test_what_is_hidden_in_one_place_is_found(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = program([place])
    assert starts(code, monkeypatch)
    assert validate_python_code(code).findings, code


def test_what_is_hidden_in_one_place_after_the_other_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = 0
    for way in sample(PAIRS):
        code = program(way)
        try:
            started = starts(code, monkeypatch)
        except (TypeError, ValueError, NameError):  # the second place does not take what there is
            continue
        run += started
        assert not started or validate_python_code(code).findings, code
    assert run > len(sample(PAIRS)) * 0.9
