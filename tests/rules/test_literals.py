"""Words that are sure to stand in what a regex matches are there, whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.rules import load_rules
from vetbox.rules.filtering.literals import sure_words
from vetbox.rules.filtering.vocabulary import words_of

PARTS = [
    "a",
    "b",
    " ",
    r"\b",
    r"\.",
    r"\s*",
    "[ ,]",
    "[a ]?",
    "(?:a|b )",
    "(?: a)+",
    "^",
    "(?: b)?",
]


@pytest.mark.parametrize(
    ("regex", "words"),
    [
        (r"\.acquire\(\)", {"acquire"}),
        (r"^release x", {"release"}),
        (r"\brelease\b", {"release"}),
        (r"\bopen\(", set()),  # common words
        (r"^if x", set()),
        (r"\.exempt[ \t]*\n", {"exempt"}),
        (r"(?:x|y) of [ab]z", {"of"}),
        (r"(?: of )+", {"of"}),
        (r"\w*lock\.", set()),
        (r" of[ ]*the ", set()),
        (r"(?: of )?", set()),
        (r"(?: of | for )", set()),
        (r"(?i) of ", set()),
        (r"(?i: of )", set()),
        (r"[^ ]of ", set()),
        (r"\Bof ", set()),
        (r" o\Bf ", set()),
        (r"\x{200B} of ", set()),  # not Python's syntax
    ],
)
def test_the_words_of_a_regex(regex: str, words: set[str]) -> None:
    assert sure_words(regex) == words


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=6), st.data())
def test_whatever_matches_holds_the_words(parts: list[str], data: st.DataObject) -> None:
    regex = "".join(parts)
    words = sure_words(regex)
    text = data.draw(st.from_regex(regex, alphabet="ab .,_\n"))
    assert words <= {word.decode() for word in words_of(text.encode())}


def test_shipped_rules_wait_for_the_words_of_their_texts() -> None:
    anchors = load_rules().rules["lock-kept"].anchors
    assert all({"acquire", "release"} == one.words for one in anchors)
