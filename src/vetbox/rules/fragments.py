"""Fragments: one logical line parsed alone by `ast`, forty times quicker than by libcst."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from vetbox.code.nodes import nodes_of

_PARTNER = re.compile(r"elif\b|else\b|try\b|finally\b|except\b|case\b|match\b|@")


class Unreadable(Exception):
    """A line that means nothing by itself: only the whole file says what it is."""


@lru_cache(maxsize=300)  # the lines of one file; each holds a tree, and thousands ten megabytes
def nodes_in(code: str) -> tuple[ast.AST, ...]:
    """The nodes of a line; what its block needs around it is made up. Raises Unreadable."""
    try:
        tree = ast.parse(_completed(code.strip()))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable from error
    return tuple(nodes_of(tree))


def span_in(code: str, node: Any) -> tuple[int, int]:
    """The offsets between which a node stands in the text of its line."""
    stripped = code.strip()
    written = _completed(stripped)
    found = _PARTNER.match(stripped)
    shift = code.index(stripped) + (_shift(found[0], written, stripped) if found else 0)
    start = _offset(written, node.lineno, node.col_offset)
    return shift + start, shift + _offset(written, node.end_lineno, node.end_col_offset)


def _shift(word: str, written: str, code: str) -> int:
    """How much further on the code behind a word stands than in what was completed."""
    return _LATER[word] if word != "case" or written != code else 0


def _offset(text: str, line: int, column: int) -> int:
    """The offset of a place in a text, whose columns are counted in bytes."""
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    if text.isascii():
        return start + column
    return start + len(text[start : start + column].encode()[:column].decode(errors="ignore"))


def _completed(code: str) -> str:
    found = _PARTNER.match(code)
    completed = _COMPLETED[found[0]] if found else str
    return completed(f"{code} pass" if code.endswith(":") else code)


def _matched(code: str) -> str:
    """A `match` statement needs a case; what only begins with that word is as it is."""
    return f"{code[:-5]}\n case _: pass" if code.endswith(": pass") else code


_COMPLETED: Mapping[str, Callable[[str], str]] = {
    "elif": lambda code: code[2:],
    "else": lambda code: f"if 1{code[4:]}",
    "try": lambda code: f"if 1{code[3:]}",
    "finally": lambda code: f"if 1{code[7:]}",
    "except": lambda code: f"try: pass\n{code}",
    "case": lambda code: f"match 0:\n {code}" if code.endswith(": pass") else code,
    "match": _matched,
    "@": lambda code: f"{code}\ndef _(): pass",
}
_LATER: Mapping[str, int] = {
    "elif": 2,
    "else": 0,
    "try": -1,
    "finally": 3,
    "match": 0,
    "@": 0,
    **dict.fromkeys(("except", "case"), -10),
}
"""How many characters more, or fewer, stand before what follows each word in the line itself."""


def identifiers(root: ast.AST) -> Iterator[str]:
    """The names and attributes in an expression."""
    for node in nodes_of(root):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
