"""What the layout of a file tells of its words."""

import pytest

from vetbox.rules.excerpt.layout import laid_out


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("a.word()", True),
        ("class word: pass", True),
        ("f('word')", True),
        ("x = [\n  'word'\n]", True),
        ("return 'word'", True),
        ("f'{word}'", True),
        ("f'a word'", True),  # code may stand in it
        ("class A: 'word'", True),
        ("x = 'a' \\\n'word'", True),
        ("sword = words", False),
        ("x = 1  # word", False),
        ("'''\nof a word\n'''", False),
        ("def f():\n    r'''of a word'''  # and a word\n", False),
        ("def f():\n\tu'of a word'\n\tf('other')\n", False),
    ],
)
def test_words_that_are_only_written_about_are_not_read(text: str, is_read: bool) -> None:
    assert laid_out(text).is_read(b"word") == is_read
