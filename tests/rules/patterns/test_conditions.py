"""What `where` asks of metavariables as they are written, and of several of them together."""

import sys
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.code.source import Source
from vetbox.rules import Profile, RuleError, RuleSet, check
from vetbox.rules.language.comparison import Comparison
from vetbox.rules.loading.loader import rule_from_data


def lines(match: object, code: str, **more: object) -> list[int]:
    data = {"id": "the-rule", "message": "m", "severity": "error", "match": match, **more}
    rules = RuleSet.of([rule_from_data(data, "pack/the-rule.yaml")])
    found = check(Source.from_text(code), rules, profile=Profile.REPO)
    return [finding.location.line for finding in found]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"metavariable": "$X", "written": "^'"}, [1]),
        ({"metavariable": "$X", "not-written": "^'"}, [2, 3, 4]),
        ({"metavariable": "$X", "written": "^one$"}, [3]),
        ({"metavariable": "$X", "regex": "^one$"}, [1, 2, 3]),
        ({"metavariable": "$X", "written": r"\+ 1$"}, [4]),
    ],
)
def test_code_is_asked_as_it_is_written(where: object, expected: list[int]) -> None:
    assert lines("f($X)", "f('one')\nf(\"one\")\nf(one)\nf(two + 1)\n", where=[where]) == expected


def test_what_stands_in_quotes_is_written_without_them() -> None:
    where = [{"metavariable": "$X", "written": "^one$"}]
    assert lines("f('$X')", "f('one')\nf(\"one\")\nf(one)\n", where=where) == [1, 2]


@pytest.mark.parametrize(
    ("comparison", "expected"),
    [
        ("$X > $Y", [2]),
        ("$X * 2 == $Y", [1]),
        ("$X + $Y in [3, 7]", [1, 2]),
        ("not $X < $Y", [2]),
        ("$X < $Y and $Y < 10", [1]),
        ("str($X) == '4'", [2]),
        ("$X & 4", [2]),
        ("re.match('ab', $X)", [4]),
        ("len($X) == 3 and len($Y) == 1", [4]),
        ("int($X) == 1", [1]),
        ("$X / 0 == 1", []),
        ("$X ** 1000000 > 1", []),
        ("$X.y == 1", None),
        ("open($X) == 1", None),
        ("re.match('(', $X)", None),
        ("re.match($X, 'a')", None),
        ("1 == 1", None),
        ("$X ==", None),
        ("lambda: $X", None),
    ],
)
def test_metavariables_are_compared_by_what_they_stand_for(
    comparison: str, expected: list[int] | None
) -> None:
    code = "f(1, 2)\nN = 3\nf(4, N)\nf(a, b)\nf('abc', 'd')\n"
    rows = {1: 1, 2: 3, 3: 4, 4: 5}
    if expected is None:
        with pytest.raises(RuleError, match="is no comparison; compare what metavariables"):
            lines("f($X, $Y)", code, where=[{"comparison": comparison}])
    else:
        found = lines("f($X, $Y)", code, where=[{"comparison": comparison}])
        assert found == [rows[row] for row in expected]


@pytest.mark.parametrize(
    "comparison",
    [
        "(" * 12 + "$X" + " ** 64)" * 12 + " > 1",
        "(" * 12 + "$X" + " << 64)" * 12 + " > 1",
        "-" * 480 + "$X > 1",
    ],
)
def test_a_comparison_never_takes_long(comparison: str) -> None:
    start = process_time()
    deep = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        Comparison.of(comparison).holds({"X": 10**50})
    finally:
        sys.setrecursionlimit(deep)
    assert process_time() - start < 2


NUMBERS = st.integers(-1000, 1000)
OPERATORS = st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "<", "<=", "==", "!=", ">="])


@given(st.lists(OPERATORS, min_size=1, max_size=5), st.lists(NUMBERS, min_size=6, max_size=6))
def test_a_comparison_is_what_python_computes(operators: list[str], numbers: list[int]) -> None:
    names = [f"$V{number}" for number in range(len(operators) + 1)]
    text = names[0] + "".join(
        f" {sign} {name}" for sign, name in zip(operators, names[1:], strict=True)
    )
    values = {name[1:]: number for name, number in zip(names, numbers, strict=False)}
    try:
        expected = bool(eval(text.replace("$", ""), {}, dict(values)))
    except ZeroDivisionError:
        expected = False
    if not any(isinstance(number, bool) for number in values.values()):
        assert Comparison.of(text).holds(values) is expected


def test_a_run_of_statements_has_a_name() -> None:
    code = "a()\nx()\ny()\nb()\na()\nb()\n"
    where = [{"metavariable": "$...MID", "match": "y()"}]
    assert lines("a()\n$...MID\nb()", code, where=where) == [1]
    assert lines("def $F(...):\n  $...BODY", "def f():\n  y()\n", where=[]) == [1]


def test_text_does_not_count_where_other_text_overlaps_it() -> None:
    assert lines({"raw": {"regex": "se.", "unless": ["set", "sexy"]}}, "see\nset\nsex\nsexy\n") == [
        1,
        3,
    ]


@pytest.mark.parametrize(
    ("pattern", "code", "expected"),
    [
        ("async def $F(): ...", "def f(): pass\nasync def g(): pass\n", [2]),
        ("def $F(): ...", "def f(): pass\nasync def g(): pass\n", [1, 2]),
        ("@a(...)\ndef $F(): ...", "@a\ndef f(): pass\n@a(1)\ndef g(): pass\n", [1, 3]),
        ("@a(1)\ndef $F(): ...", "@a\ndef f(): pass\n@a(1)\ndef g(): pass\n", [3]),
        ("try: ...\nexcept: ...", "try: a\nexcept E: b\ntry: a\nexcept: b\n", [3]),
        ("try: ...\nexcept $E: ...", "try: a\nexcept E: b\ntry: a\nexcept: b\n", [1]),
    ],
)
def test_what_a_pattern_says_is_there(pattern: str, code: str, expected: list[int]) -> None:
    assert lines(pattern, code) == expected
