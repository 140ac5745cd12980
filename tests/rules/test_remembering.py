from hypothesis import given
from hypothesis import strategies as st

from vetbox.rules.remembering import remembered


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
