"""Around: the blocks that a line is in, and what is written over its functions."""

import re
from collections.abc import Iterator, Mapping, Set
from functools import cached_property

from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.excerpt.targets import SCOPE, first_word

_PLAIN = re.compile(rb"\s*@\s*(?:\w+\s*\.\s*)*(\w+)\s*(?:\([^()]*\))?\s*")
_WORD = re.compile(rb"\w+")
_NAMED = re.compile(rb"\s*(?:async\b[\s\\]*)?(def|class)\b[\s\\]*(\w+)")


class Around:
    """Answers about one line; each is worked out when it is first asked for."""

    def __init__(self, layout: Layout, line: int) -> None:
        self._layout = layout
        self._line = line

    @cached_property
    def _lines(self) -> list[int]:
        return [self._line, *self._layout.enclosing(self._line)]

    @cached_property
    def decorators(self) -> Set[str]:
        """The last words of the decorators of all functions and classes around, and its own."""
        return {word for opener in self._lines for word in _above(self._layout, opener)}

    @cached_property
    def named(self) -> Mapping[str, Set[str]] | None:
        """What the functions (`def`) and classes around are called, its own too; None: not told."""
        if any(first_word(self._layout.codes[opener]) == b"@" for opener in self._lines):
            return None  # a part of what is below
        found: dict[str, set[str]] = {"def": set(), "class": set()}
        for opener in self._lines:
            scope = _NAMED.match(self._layout.codes[opener])
            if scope:
                found[scope[1].decode()].add(scope[2].decode())
        return found

    @cached_property
    def openers(self) -> Set[str]:
        """The first words of the blocks around it, and its own."""
        return {first_word(self._layout.codes[opener]).decode() for opener in self._lines}


def _above(layout: Layout, line: int) -> Iterator[str]:
    if not SCOPE.match(layout.codes[line]):
        return
    while line and layout.codes[line - 1].lstrip().startswith(b"@"):
        line -= 1
        code = layout.codes[line]
        plain = _PLAIN.fullmatch(code)
        yield from (word.decode() for word in ([plain[1]] if plain else _WORD.findall(code)))
