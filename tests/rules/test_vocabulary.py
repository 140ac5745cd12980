"""The automaton of a vocabulary finds the words that splitting the text finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.rules.filtering import regex_search, vocabulary
from vetbox.rules.filtering.regex_search import Texts
from vetbox.rules.filtering.vocabulary import Vocabulary

WORDS = frozenset({b"a", b"ab", b"b", b"_", b"_b", b"a_b", b"import", b"port", b"A", b"x1", b"1"})
CODES = st.lists(
    st.sampled_from([*sorted(WORDS), b" ", b".", b"\n", b"\xc3\xa9", b"\xff", b"\x80", b"(", b"0"])
).map(b"".join)


@pytest.fixture
def always_automaton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "_SPLIT_BYTES", -1)


def split(data: bytes, words: frozenset[bytes] = WORDS) -> frozenset[bytes]:
    return words.intersection(vocabulary.words_of(data))


@given(CODES | st.binary())
def test_it_finds_what_splitting_finds(data: bytes) -> None:
    known = Vocabulary(WORDS)
    for _ in range(2):  # by splitting, then by the automaton
        assert known.found_in(data) == split(data)
        known._split_bytes = vocabulary._SPLIT_BYTES + 1


def test_many_bytes_are_not_split() -> None:
    known = Vocabulary(WORDS)
    large = b"ab port\n" * vocabulary._SPLIT_BYTES
    assert [known.found_in(large) for _ in range(3)] == [{b"ab", b"port"}] * 3
    assert known._split_bytes == len(large)


@pytest.mark.usefixtures("always_automaton")
def test_no_words_are_found_nowhere() -> None:
    assert Vocabulary(frozenset()).found_in(b"import a") == frozenset()


@pytest.mark.usefixtures("always_automaton")
@pytest.mark.parametrize("bytes_", [1, 20_000, 200_000])
def test_too_many_words_for_an_automaton_are_split(
    monkeypatch: pytest.MonkeyPatch, bytes_: int
) -> None:
    monkeypatch.setattr(regex_search, "_MEMORY_BYTES", bytes_)
    words = frozenset(b"word%d" % number for number in range(2_000))
    known = Vocabulary(words)
    for data in (b"word7 word77.word777", b" ".join(words), b"word", b"word7"):
        assert known.found_in(data) == split(data, words)


@pytest.mark.parametrize("bytes_", [1, 20_000, 200_000, 32_000_000])
def test_regexes_too_many_for_an_automaton_are_looked_for_alone(
    monkeypatch: pytest.MonkeyPatch, bytes_: int
) -> None:
    monkeypatch.setattr(regex_search, "_MEMORY_BYTES", bytes_)
    regexes = [rf"key{number}.{{0,20}}end" for number in range(200)]
    found = Texts(regexes).found_in(
        b"key7 end, key77 and the end, key99 and after long years an end"
    )
    assert set(found.first) == {regexes[7], regexes[77]}
    assert {regex for regex in regexes if found[regex]} == set(found.first)
