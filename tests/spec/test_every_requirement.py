"""Every requirement of the specification has a test that bears its number."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

# How many requirements each letter has; tests/README.md says what the letters stand for.
COUNTS = {"v": 21, "r": 67, "s": 31, "p": 26, "a": 24, "e": 10}
_NAME = re.compile(r"^def test_((?:[vrspae]\d+_(?:to_)?)+)", re.MULTILINE)
_NUMBER = re.compile(r"([vrspae])(\d+)_(to_)?")


def numbers_in_names() -> set[tuple[str, int]]:
    """The numbers that tests here have in their names; `r50_to_r57` has those between."""
    texts = (path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    found: set[tuple[str, int]] = set()
    for name in (name for text in texts for name in _NAME.findall(text)):
        numbers = [(letter, int(digits), to) for letter, digits, to in _NUMBER.findall(name)]
        found |= {(letter, number) for letter, number, _ in numbers}
        for (letter, first, to), (_, last, _) in pairwise(numbers):
            found |= {(letter, number) for number in range(first, last) if to}
    return found


@pytest.mark.parametrize("letter", COUNTS)
def test_no_number_is_left_out_and_none_is_made_up(letter: str) -> None:
    numbers = {number for its, number in numbers_in_names() if its == letter}
    assert numbers == set(range(1, COUNTS[letter] + 1))
