import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.rules.remembering import Found, MadeOf, remembered


def test_a_text_is_worked_on_once() -> None:
    seen: list[str] = []

    @remembered
    def size(text: str) -> int:
        seen.append(text)
        return len(text)

    assert [size("ab"), size("c"), size("ab")] == [2, 1, 2]
    assert seen == ["ab", "c"]


@given(st.lists(st.text(max_size=3)))
def test_memory_changes_no_answer(texts: list[str]) -> None:
    @remembered
    def upper(text: str) -> str:
        return text.upper()

    assert [upper(text) for text in texts] == [text.upper() for text in texts]


def test_what_was_found_is_looked_for_once_and_only_as_far_as_somebody_asks() -> None:
    looked: list[int] = []
    found = Found(looked.append(n) or n for n in range(3))
    assert next(iter(found)) == 0
    assert looked == [0]
    assert [*found] == [*found] == looked == [0, 1, 2]


def test_a_search_that_failed_fails_for_whoever_asks_again() -> None:
    found = Found(1 // n for n in (1, 0, 1))
    for _ in range(2):
        known = iter(found)
        assert next(known) == 1
        with pytest.raises(ZeroDivisionError):
            next(known)


def test_what_is_made_of_an_object_is_made_again_unless_it_is_kept() -> None:
    known, of = MadeOf[list[int]](), (1, 2)
    assert known.get(of, "a", lambda: [*of]) is not known.get(of, "a", lambda: [*of])
    with known.kept():
        made = known.get(of, "a", lambda: [*of])
        assert known.get(of, "a", list) is made
        assert known.get(of, "b", list) == []
        assert known.get((1, 2, 3), "a", list) == []
    assert known.get(of, "a", list) == []


def test_no_object_takes_the_place_of_one_that_is_gone() -> None:
    known, numbers = MadeOf[int](), range(99)
    with known.kept():
        assert [known.get([one], "", iter([one]).__next__) for one in numbers] == [*numbers]
