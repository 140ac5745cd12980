"""Lexemes: which lines of a file begin within a string, as Python's own tokenizer has it."""

import io
import tokenize
from pathlib import Path

import pytest

from tests.sampling import sample
from vetbox.code.lexemes import lines_in_strings

ROOT = Path(__file__).parents[2]
FILES = sorted((*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py")))
BEGINS = {"STRING", "FSTRING_START", "TSTRING_START"}
ENDS = {"STRING", "FSTRING_END", "TSTRING_END"}

CODE = [
    ('"""a\nb\n"""\nc = 1\n', {2, 3}),
    ('x = \'a\' # """\ny = 2\n', set()),
    ("x = 'a\\\nb'\ny = 2\n", {2}),
    ('x = ("a"\n"b")\n', set()),
    ('\'\'\'a\n"""\nb\'\'\'\n"""\nc\n"""\n', {2, 3, 5, 6}),
    ('"""never\nends\n', set()),
]


@pytest.mark.parametrize(("code", "lines"), CODE)
def test_the_lines_that_a_string_goes_on_over(code: str, lines: set[int]) -> None:
    assert lines_in_strings(code.encode()) == lines


def test_it_is_what_the_tokenizer_says() -> None:
    for file in sample(FILES):
        text = file.read_text("utf-8")
        assert lines_in_strings(text.encode()) == tokenized(text), file


def tokenized(text: str) -> set[int]:
    """The same, told by the tokens of the standard library."""
    found: set[int] = set()
    begun: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name in BEGINS:
            begun.append(token.start[0])
        if name in ENDS:
            found.update(range(begun.pop() + 1, token.end[0] + 1))
    return found
