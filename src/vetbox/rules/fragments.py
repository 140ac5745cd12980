"""Fragments: one logical line of a file parsed alone, by `ast`: forty times quicker than libcst."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from vetbox.nodes import nodes_of

_PARTNER = re.compile(r"elif\b|else\b|try\b|finally\b|except\b|case\b|match\b|@")


class Unreadable(Exception):
    """A line that means nothing by itself: only the whole file says what it is."""


@lru_cache(maxsize=4_000)
def nodes_in(code: str) -> tuple[ast.AST, ...]:
    """The nodes of a line; what its block needs around it is made up. Raises Unreadable."""
    code = code.strip()
    found = _PARTNER.match(code)
    completed = _COMPLETED[found[0]] if found else str
    try:
        tree = ast.parse(completed(f"{code} pass" if code.endswith(":") else code))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable from error
    return tuple(nodes_of(tree))


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


def identifiers(root: ast.AST) -> Iterator[str]:
    """The names and attributes in an expression."""
    for node in nodes_of(root):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
