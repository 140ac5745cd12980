"""A pattern that would overflow the parser is refused: rule files come from projects, too."""

import pytest

from vetbox.rules.patterns import PatternError, parse_pattern

DEEP = {
    "brackets": "(" * 3_000,
    "closed brackets": "[" * 900 + "]" * 900,
    "signs": "-" * 9_000 + "1",
    "signs before an error": "-" * 5_000 + ")",
    "attributes": "a" + ".b" * 4_000,
    "negations": "not " * 2_000 + "$X",
    "openers": "if a:\n" * 1_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_a_pattern_too_deep_to_parse_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        parse_pattern(text)


def test_a_pattern_that_only_libcst_does_not_take_is_refused() -> None:
    with pytest.raises(PatternError, match="space after 'for'"):
        parse_pattern("for*$A in $B: ...")


def test_a_long_pattern_may_leave_out_its_body() -> None:
    arguments = ", ".join(f"argument_number_{n}" for n in range(40))
    assert parse_pattern(f"def $F({arguments}): ...").statements
    assert parse_pattern(f"def $F({arguments}):").statements
    assert parse_pattern(f"@$D\ndef $F({arguments}):").statements
