"""Fences: taken off whatever wraps a command, never out of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.run.fence_processor import LegacyPrefixError, refuse_legacy_prefix, strip_fences


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("```python exec\nx\n```", "x\n"),
        ("``` {.python #id}\nx\n```", "x\n"),
        ("~~~py\nx\n~~~", "x\n"),
        ("````\n```\nx\n```\n````", "x\n"),
        ("```python\nx = 1```", "x = 1"),
        ("```python print(1)```", "print(1)"),
        ("``x``", "x"),
        ("\ufeffx", "x"),
        ("\ufeff```\nx\n```", "x\n"),
        ("\n\n  ```\nx\n```  \n", "x\n"),
        ("```python\nx = 1", "x = 1"),
        ("```\n" * 100 + "x\n" + "```\n" * 100, "x\n"),
        ("```\n\n\nx\n```", "\n\nx\n"),
    ],
)
def test_every_form_of_fence_is_taken_off(command: str, code: str) -> None:
    assert strip_fences(command) == code


@pytest.mark.parametrize("code", ["x = '```'", '"""\n```\ny\n```\n"""', "`a` + `b`", "", "`"])
def test_fences_inside_code_stay(code: str) -> None:
    assert strip_fences(code) == code


@given(st.lists(st.sampled_from(["```", "~~~", "````", "`", "python", "x = 1", "\n", " "])))
def test_stripping_twice_is_stripping_once(parts: list[str]) -> None:
    once = strip_fences("".join(parts))
    assert strip_fences(once) == once


def test_a_megabyte_of_backticks_is_read_in_no_time() -> None:
    assert strip_fences("`" * 1_000_000) == "`" * 1_000_000


def test_r6_the_error_says_what_to_write() -> None:
    with pytest.raises(LegacyPrefixError, match=r"invalid syntax.*: upper\(text=1\)"):
        refuse_legacy_prefix("!onetool upper(text=1)")
