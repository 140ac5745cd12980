"""Code frames: what is underlined, and what hostile or enormous lines look like."""

from vetbox.findings import Location
from vetbox.reports.frames import MAX_COLUMNS, frame


def drawn(location: Location, *lines: str) -> list[str]:
    return ["".join(text for text, _ in line) for line in frame(location, lines)]


def test_the_matched_code_is_underlined_below_two_lines_of_context() -> None:
    lines = drawn(Location("a.py", 4, 5, 4, 9), "a = 1", "b = 2", "c = 3", "d = eval(x)")
    assert lines == [
        " 2 │ b = 2",
        " 3 │ c = 3",
        " 4 │ d = eval(x)",
        "   │     ━━━━",
    ]


def test_a_call_over_several_lines_is_underlined_on_each() -> None:
    assert drawn(Location("a.py", 1, 1, 3, 2), "run(", "    x,", ")") == [
        " 1 │ run(",
        "   │ ━━━━",
        " 2 │     x,",
        "   │     ━━",
        " 3 │ )",
        "   │ ━",
    ]


def test_a_long_call_is_folded() -> None:
    lines = drawn(Location("a.py", 1, 1, 40, 2), *["x("] * 40)
    assert lines[-1] == "   ┆ … to line 40"


def test_a_line_of_minified_code_is_cut_around_the_finding() -> None:
    line = "a;" * 10_000 + "eval(x);" + "b;" * 10_000
    code, mark = drawn(Location("a.py", 1, 20_001, 1, 20_005), line)
    assert len(code) <= MAX_COLUMNS + len(" 1 │ ……")
    assert code[mark.index("━") : mark.rindex("━") + 1] == "eval"


def test_no_line_of_code_is_longer_than_a_narrow_terminal() -> None:
    line = "    value = " + "f(" * 30 + "eval(x)" + ")" * 30
    for columns in (40, 60, 80):
        drawing = frame(Location("a.py", 1, 73, 1, 77), [line], columns)
        code, mark = ["".join(text for text, _ in row) for row in drawing]
        assert max(len(code), len(mark)) <= columns
        assert code[mark.index("━") : mark.rindex("━") + 1] == "eval"


def test_terminal_escapes_and_bidi_controls_cannot_act() -> None:
    [code, _] = drawn(Location("a.py", 1, 1, 1, 2), "x = '\x1b[2J\u202e'")
    assert code == " 1 │ x = '·[2J·'"


def test_wide_characters_keep_the_underline_in_place() -> None:
    [_, mark] = drawn(Location("a.py", 1, 6, 1, 10), "'日本'+eval(x)")
    assert mark == "   │ " + " " * 7 + "━━━━"


def test_a_file_that_is_gone_has_no_frame() -> None:
    assert drawn(Location("a.py", 7, 1, 7, 5)) == []
