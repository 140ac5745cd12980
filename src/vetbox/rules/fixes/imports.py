"""Adds the imports that corrected code needs, below those the file has."""

import ast
import re
from collections.abc import Sequence

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ENDING = re.compile(r"\r\n|\r|\n")


def with_imports(text: str, modules: Sequence[str]) -> str:
    """The text with `import m` for each module it does not import yet by that name."""
    missing = sorted(set(modules) - _imported(text)) if modules else []
    if not missing:
        return text
    lines = _LINES.findall(text)
    position = _position(text)
    newline = line_end(text)
    new = [f"import {module}{newline}" for module in missing]
    if position and not lines[position - 1].endswith(("\n", "\r")):
        lines[position - 1] += newline
    return "".join([*lines[:position], *new, *lines[position:]])


def line_end(text: str) -> str:
    """How the lines of a text end, by the first of them."""
    ending = _ENDING.search(text)
    return ending[0] if ending else "\n"


def _imported(text: str) -> set[str]:
    """The modules that are bound under their own name at module level."""
    return {
        alias.name
        for statement in ast.parse(text).body
        if isinstance(statement, ast.Import)
        for alias in statement.names
        if alias.asname is None
    }


def _position(text: str) -> int:
    """How many lines stay above: those of the head's imports, else of the docstring."""
    position = _lines_of_comments(text)
    for index, statement in enumerate(ast.parse(text).body):
        is_docstring = (
            index == 0
            and isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Constant)
            and isinstance(statement.value.value, str)
        )
        if not is_docstring and not isinstance(statement, (ast.Import, ast.ImportFrom)):
            break
        position = statement.end_lineno or position
    return position


def _lines_of_comments(text: str) -> int:
    """A file's leading `#!`, coding and licence lines stay first."""
    count = 0
    for line in _LINES.findall(text):
        if not line.startswith("#"):
            break
        count += 1
    return count
