"""Patterns of semgrep's generic language as regular expressions."""

import pytest

from vetbox.rules.language.values import re2_search
from vetbox.semgrep.generic import as_regex, as_text
from vetbox.semgrep.unsupported import Unsupported

MATCHED = [
    ("SELECT ... FROM", "SELECT a FROM t", True),
    ("SELECT ... FROM", "SELECT a\n\n\nFROM t", True),
    ("SELECT ... FROM", "SELECT" + "\n" * 11 + "FROM", False),
    ("SELECT ... FROM", "SELECTED FROM", False),
    ("SELECT ... FROM", "SELECT a FROMAGE", False),
    ("SELECT * FROM $T", "SELECT  *  FROM users", True),
    ("SELECT * FROM $T", "SELECT * FROM", False),
    ("{{ ... | safe }}", "{{a|safe}}", True),
    ("{{ ... | safe }}", "{{ a }}", False),
    ("<a ... >", "<a href='x'>", True),
    ("<a ... >", "<abbr>", False),
    ("a", "b a c", True),
    ("a", "abc", False),
]


@pytest.mark.parametrize(("pattern", "text", "matches"), MATCHED)
def test_a_pattern_matches_words_and_signs(pattern: str, text: str, matches: bool) -> None:
    assert re2_search(as_regex(pattern), text) is matches


@pytest.mark.parametrize("pattern", ["", "...", "$X is $X"])
def test_what_would_match_anything_or_twice_the_same_is_refused(pattern: str) -> None:
    with pytest.raises(Unsupported):
        as_regex(pattern)


def test_what_is_no_pattern_about_text_is_refused() -> None:
    with pytest.raises(Unsupported, match="pattern-inside about text"):
        as_text({"pattern-inside": "a"}, generic=True)
    with pytest.raises(Unsupported, match="single patterns"):
        as_text({"pattern-either": [{"pattern-not": "a"}]}, generic=True)
