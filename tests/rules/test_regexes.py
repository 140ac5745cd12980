"""Regexes: what RE2 has to say of a long text is for nobody's terminal."""

import pytest

from vetbox.rules.regexes import re2_compiled


def test_a_text_that_takes_much_memory_is_searched_without_a_word(
    capfd: pytest.CaptureFixture[str],
) -> None:
    text = bytes(b"ab"[(n * n // 7 + n // 3) % 2] for n in range(20_000))
    assert re2_compiled(r"a(?s:.){800}a(?s:.){150}c").search(text) is None
    assert capfd.readouterr().err == ""
