"""Letters beyond ASCII: are all of them in string literals, and none in identifiers?"""

import ast
import re
from collections.abc import Iterator
from itertools import accumulate

from vetbox.code.nodes import children_of

_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")


_ODD = ("\r", "\f", "\\\n", "\ufeff")


def are_lines_odd(text: str) -> bool:
    """Is there more to tell its lines apart than newlines?"""
    return any(odd in text for odd in _ODD)


def quotes_the_rest(text: str, tree: ast.Module) -> bool:
    """Is everything beyond ASCII inside of string literals? Formatted ones do not count."""
    data = text.encode("utf-8", "surrogatepass")
    beyond = [found.span() for found in _BEYOND_ASCII.finditer(data)]
    if not beyond:
        return True
    starts = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
    spans = [
        (starts[one.lineno - 1] + one.col_offset, starts[one.end_lineno - 1] + one.end_col_offset)
        for one in _literals(tree)
        if one.end_lineno is not None and one.end_col_offset is not None
    ]
    return all(any(low < start and end < high for low, high in spans) for start, end in beyond)


def _literals(tree: ast.Module) -> Iterator[ast.Constant]:
    """The string literals that hold no code; within formatted ones places are not sure."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, (str, bytes)):
                yield node
        elif not isinstance(node, ast.JoinedStr) and type(node).__name__ != "TemplateStr":
            waiting += children_of(node)
