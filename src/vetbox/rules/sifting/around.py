"""Around: what is written over the functions that a line is in."""

import re
from collections.abc import Iterator, Set

from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.excerpt.targets import SCOPE

_PLAIN = re.compile(rb"\s*@\s*(?:\w+\s*\.\s*)*(\w+)\s*(?:\([^()]*\))?\s*")
_WORD = re.compile(rb"\w+")


def decorators_around(layout: Layout, line: int) -> Set[str]:
    """The last words of the decorators of all functions and classes around a line, and its own."""
    openers = [line, *layout.enclosing(line)]
    return {word for opener in openers for word in _above(layout, opener)}


def _above(layout: Layout, line: int) -> Iterator[str]:
    if not SCOPE.match(layout.codes[line]):
        return
    while line and layout.codes[line - 1].lstrip().startswith(b"@"):
        line -= 1
        code = layout.codes[line]
        plain = _PLAIN.fullmatch(code)
        yield from (word.decode() for word in ([plain[1]] if plain else _WORD.findall(code)))
