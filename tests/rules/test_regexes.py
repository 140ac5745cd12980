"""Regexes: what RE2 has to say of a long text is for nobody's terminal."""

from random import Random

import pytest

from vetbox.rules.regexes import re2_compiled


def test_a_text_that_takes_much_memory_is_searched_without_a_word(
    capfd: pytest.CaptureFixture[str],
) -> None:
    text = bytes(Random(1).choices(b"ab", k=20_000))
    assert re2_compiled(r"a(?s:.){800}a(?s:.){150}c").search(text) is None
    assert capfd.readouterr().err == ""
