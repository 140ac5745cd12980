"""Marked text cannot leave its boundary, whatever it says."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from vetbox.run.sanitize import redacted, sanitized

PIECES = st.lists(
    st.sampled_from(
        [
            "<",
            "/",
            ">",
            " ",
            "external-content",
            "EXTERNAL-content",
            "-1234",
            "!onetool",
            "__ot",
            "\u200b",
            "a",
        ]
    )
)


@given(PIECES)
@example(["<", "/", "external-content", "-1234", ">"])
@example(["<", "\u200b", "/", "\u200b", "external-content", "-1234", ">"])
def test_r58_no_boundary_tag_of_its_own_is_left(pieces: list[str]) -> None:
    text = "".join(pieces)
    inner = redacted(text)
    seen = inner.replace("\u200b", "")
    assert not re.search(r"<[\s/]*external-content", seen, re.IGNORECASE)


def test_r58_the_source_cannot_forge_an_attribute() -> None:
    first = sanitized("x", source='a" b="<>').splitlines()[0]
    assert first.endswith(' source="a_ b____">')


def test_each_boundary_is_new() -> None:
    assert sanitized("x", source="s") != sanitized("x", source="s")


def test_words_that_only_contain_a_trigger_stay() -> None:
    assert redacted("x__ot __other run__ot !onetools") == "x__ot __other run__ot !onetools"


def test_configured_triggers_are_redacted() -> None:
    assert redacted("ask @agent now", ["@agent"]) == "ask [REDACTED:trigger] now"


def test_a_megabyte_of_spaces_is_read_in_no_time() -> None:
    text = "<" + " " * 1_000_000
    assert redacted(text) == text
