"""Around: the blocks that a line is in, and what is written over its functions."""

import re
from collections.abc import Iterator, Mapping, Set
from functools import cached_property

from vetbox.rules.excerpt.layout import IN_FSTRING, IN_STRING, Layout
from vetbox.rules.excerpt.targets import IMPORTS, SCOPE, first_word
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.givens import NameGivens
from vetbox.rules.sifting.naming import is_called
from vetbox.rules.sifting.patterned import begun_by, opened_by, words_around

_PLAIN = re.compile(rb"\s*@\s*(?:\w+\s*\.\s*)*(\w+)\s*(?:\([^()]*\))?\s*")
_STATED = re.compile(rb"\s*(?:\w+\.)*\w+")
_COMMENT = b" "[0]
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

    def has_all(self, words: Set[str]) -> bool:
        """Are they all written in the file, be it as parts of others?"""
        return all(word.encode() in self._layout.data for word in words)

    def mentions(self, words: Set[str] | None) -> bool:
        """Is one of them written in the file, be it as a part of another? None: any word."""
        return words is None or any(word.encode() in self._layout.data for word in words)

    def may_follow(self, called: str) -> bool:
        """May a call of this come before the line, as a statement of a block around it?"""
        layout, word = self._layout, called.encode()
        blocks = {*self._lines}
        for start in layout.occurrences(word):
            kind = layout.masked[start]
            if kind in (_COMMENT, IN_STRING):
                continue
            line = layout.line_at(start)
            code = layout.codes[line]
            if first_word(code) in IMPORTS and b" as " not in code:
                continue
            end = start + len(word) - layout.starts[line]
            if (
                kind == IN_FSTRING
                or not _STATED.fullmatch(code, 0, end)
                or code[end : end + 1] != b"("
            ):
                return True  # it may go by another name
            if line <= self._line and blocks.issuperset(layout.enclosing(line)):
                return True
        return False

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


def may_be_around(formula: f.Formula, around: Around, givens: NameGivens) -> bool:
    """May it hold at something around the line?"""
    match formula:
        case f.All(parts=parts):
            return all(may_be_around(part, around, givens) for part in parts)
        case f.Any(parts=parts):
            return any(may_be_around(part, around, givens) for part in parts)
        case f.Def(names=names, decorator=decorator):
            return _is_named(names, "def", around) and (
                decorator is None or _is_decorated(decorator, around, givens)
            )
        case f.Class(names=names):
            return _is_named(names, "class", around)
        case f.Has(part=f.Call(names=names, resolve=level)):
            return level is f.Resolve.DYNAMIC or around.mentions(names.last_words)
        case f.Code(pattern=pattern):
            openers = opened_by(pattern)
            stands = not openers or not openers.isdisjoint(around.openers)
            if not stands or not around.has_all(words_around(pattern)):
                return False
            called = begun_by(pattern)
            return called is None or around.may_follow(called)
    return True


def _is_named(names: f.Names, kind: str, around: Around) -> bool:
    """May a function or a class around have one of the names?"""
    return around.named is None or any(name in names for name in around.named[kind])


def _is_decorated(names: f.Names, around: Around, givens: NameGivens) -> bool:
    wanted = names.last_words
    return wanted is None or any(
        is_called(word, wanted) or givens.is_bound(word) or givens.is_member(word)
        for word in around.decorators
    )
