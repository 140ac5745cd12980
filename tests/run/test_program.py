"""Indentation is made valid; strings and line numbers are kept."""

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.run.program import normalised

LINES = st.sampled_from(["x = 1", "if x:\n    y = 2", 's = """a\n  b\n"""', "", "# note", "f(\n1)"])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("    x = 1\n    y = 2", "x = 1\ny = 2"),
        ("\tx = 1\n\ty = 2", "x = 1\ny = 2"),
        ("x = 1\n    y = 2\n    z = 3", "x = 1\ny = 2\nz = 3"),
        ("if x:\n\ty = 1\n    z = 2", "if x:\n    y = 1\n    z = 2"),
        ("  # why\n    x = 1\n    y = 2", "  # why\nx = 1\ny = 2"),
        ('    s = f"""\n    {x}\n    """', 's = f"""\n    {x}\n    """'),
        ("    if x:\n\n        y = 1\n    z = 2", "if x:\n\n    y = 1\nz = 2"),
    ],
)
def test_broken_indentation_is_mended(code: str, expected: str) -> None:
    assert normalised(code) == expected


@pytest.mark.parametrize(
    "code", ["x = (", "if x:\ny = 1", "def f():\n  return\n\treturn 1\n x", "\0"]
)
def test_what_cannot_be_mended_is_left_alone(code: str) -> None:
    assert normalised(code) == code


@given(st.lists(LINES, min_size=1))
def test_valid_code_is_never_touched(lines: list[str]) -> None:
    code = "\n".join(lines)
    assert normalised(code) == code


@given(st.lists(LINES.filter(lambda line: '"""' not in line), min_size=1))
def test_indented_code_means_the_same_on_the_same_lines(lines: list[str]) -> None:
    code = "\n".join(lines)
    mended = normalised(textwrap.indent(code, "    "))
    assert ast.dump(ast.parse(mended)) == ast.dump(ast.parse(code))
    assert mended.count("\n") == code.count("\n")
