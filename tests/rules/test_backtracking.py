"""Whether a regular expression takes exponential time to refuse a text."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.rules.matching.backtracking import backtracks

SLOW = [
    r"^(a+)+$", r"(a*)*b", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"^(a|aa)+$", r"(x|x)*y",
    r"^(\w+\s?)*$", r"(.*,)*x", r"^(\d+)*(\.\d+)*$", r"^((ab)*)*$", r"^(\s*\w+\s*)+$",
    r"(\d+|\w+)*z", r"^(/?[\w-]+)+$", r'([^"]|\\.)*"', r"(?P<n>(?:[a-z]+)+)!",
    r"([a-z]{2,4})+@", r"(?:a+b?)+?c", r"(é?|\w)*!",
    r"(?s)(?:.|\n)*x", r"(?i)(?:a\d|A\w)*c", r"(?:[^,]*,?)*;", r"(a+){1,12}b",
    r"(-(?:[a-z]?){2,4})*!", r"(,?[a-z]{2,3})*!",
]  # fmt: skip
QUICK = [
    r"^a+$", r"^[a-z]+(-[a-z]+)*$", r"^(?:\d{1,3}\.){3}\d{1,3}$", r"^([a-z]{1,3}){1,3}$",
    r"(?:[^,]+,)*[^,]+$", r'"(?:[^"\\]|\\.)*"', r"(?:<[^>]+>)+!", r"([0-9a-f]{4})+:",
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$", r"(a+)+", r"(a+)+b*", r"(a+){3}b",
    r"(?>(a+)+)b", r"(?:a+)*+b", r"(a|A)*c", r"(?i)(a|A)*c", r"(?:(?!a)\w|a)*b", r"(.|\n)*x",
    r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", r"(,[a-z]{0,3})*!", r"(;(?:[a-z]-?){1,4})*!",
    r"([0-9a-f]{64}\n)+!", r"((a)\2)*b", "(", "(a+)+" * 1000,
]  # fmt: skip


@pytest.mark.parametrize("pattern", SLOW)
def test_what_can_be_read_in_many_ways_is_slow_to_refuse(pattern: str) -> None:
    assert backtracks(pattern)


@pytest.mark.parametrize("pattern", QUICK)
def test_what_is_read_in_one_way_or_cannot_fail_is_not(pattern: str) -> None:
    assert not backtracks(pattern)


@pytest.mark.parametrize("pattern", [r"(a+)+", r"(\w+)+?(.*)", r"(?:[^,]*,?)*"])
def test_what_must_match_the_whole_text_may_always_fail(pattern: str) -> None:
    assert backtracks(pattern, whole=True)
    assert not backtracks(pattern)


BODIES = st.recursive(
    st.sampled_from(["a", "b", "[ab]", ".", r"\w", "c"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        inner.map(lambda one: f"(?:{one})+"),
        inner.map(lambda one: f"(?:{one})?"),
    ),
    max_leaves=6,
)


@given(BODIES)
def test_a_repetition_of_a_repetition_is_slow(body: str) -> None:
    assert backtracks(f"(?:(?:{body})+)+!")


@given(BODIES)
def test_what_is_said_to_be_quick_is_quick(body: str) -> None:
    pattern = f"(?:{body})+!"
    if not backtracks(pattern):
        found = re.compile(pattern)
        started = time.perf_counter()
        for text in ("a", "b", "c", "ab", "ba", "ac", "abc", "aab"):
            assert not found.match(text * (60 // len(text)))
        assert time.perf_counter() - started < 1


@given(st.text(alphabet="ab()[]{}|*+?.\\^$,1-:<>=!#i \n", max_size=60))
def test_any_text_is_answered(text: str) -> None:
    assert backtracks(text) in (True, False)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:" + "[ab]?" * 150 + ")*$",
        "(" * 90 + "a" + "|b)*c" * 90,
        "(?:" * 200 + "a?b?" + "x)*" * 200 + "!",
        "((a{1,20}){1,20}b)+!",
        "(a" * 400 + ")*" * 400 + "b",
    ],
)
def test_no_pattern_takes_long(pattern: str) -> None:
    started = time.perf_counter()
    backtracks(pattern)
    assert time.perf_counter() - started < 1
