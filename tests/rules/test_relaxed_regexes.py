"""Relaxed regexes find in a file all that the regex finds in the text alone, and more."""

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from vetbox.rules.filtering.relaxed_regexes import written
from vetbox.rules.language.values import Regex

REGEXES = [
    r"\bgh[pousr]_[A-Za-z0-9]{36}\b",
    r"^(?:a{12,15}|b{3,300}c)$",
    r"x{2}y{9}[^|;&]{3,300}z",
    r"[{9}]{10}",
    r"[]{9}a]{10}\{9}",
]


def relaxed(regex: str) -> str:
    (found,) = written(Regex(regex))
    return found


@pytest.mark.parametrize(
    ("regex", "short"),
    [
        ("a{36}", "a{8,}"),
        ("a{3,300}", "a{3,}"),
        ("a{12,15}", "a{8,}"),
        ("a{20,}", "a{8,}"),
        ("a{3}b{2,7}", "a{3}b{2,7}"),
        (r"\x{2066}", r"\x{2066}"),
        ("[{9}]", "[{9}]"),
        (r"a\{9}", r"a\{9}"),
    ],
)
def test_long_repetitions_are_cut_short(regex: str, short: str) -> None:
    assert relaxed(regex) == short


@pytest.mark.parametrize("regex", REGEXES)
@given(data=st.data())
def test_what_matches_is_found_in_a_file(regex: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(regex))
    if re2.search(regex, text):
        assert re2.search(relaxed(regex), f"key = '{text}'\n")


@pytest.mark.parametrize(
    ("regex", "found"),
    [
        (r"(?:^|\.)request$", "request"),
        (r"(?i)(?:^|[._-])(?:db|conn)$", "(?i)(?:db|conn)"),
        (r"(?:^|a)b|c", "b|c"),
        (r"(?:^|a)+b", "(?:|a)+b"),
        (r"(?:^|(?:a|b))c", "(?:|(?:a|b))c"),
        (r"(?:a|^)b", "(?:a|)b"),
    ],
)
def test_what_may_be_behind_something_is_found_wherever_it_is(regex: str, found: str) -> None:
    assert relaxed(regex) == found


@pytest.mark.parametrize("field", ["{}", "{name}", "{names[0]!r:>{width}}", "{\n name\n}"])
def test_a_field_is_found_whatever_is_in_it(field: str) -> None:
    assert re2.search(relaxed(r"^a = '\{\} b"), f'text(f"a = \'{field} b")')
    assert not re2.search(relaxed(r"^a = '\{\} b"), 'text(f"a = \'b")')
