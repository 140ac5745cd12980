"""Literals: the whole words that stand in every text a regex matches."""

import builtins
import keyword
import re
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any

# Python's own parser knows the syntax that RE2 shares with it; it has no public name.
_parser: Any = re._parser  # type: ignore[attr-defined]

_EDGE = " "  # here no letter, digit or underscore can stand
_LOOSE = "~"  # here nothing stands, or what is no part of a word
_UNKNOWN = "?"
_LOOSE_EDGE = re.compile(f"{_LOOSE}+(?={_EDGE})|(?<={_EDGE}){_LOOSE}+")
_WHOLE = re.compile(rf"(?<=[{_EDGE}])\w+(?=[{_EDGE}])", re.ASCII)
_PART = re.compile(r"\w", re.ASCII)
_ANY_CASE = re.IGNORECASE
# They stand in most files: to look for the regex beside others takes less time than alone.
_COMMON = frozenset((*keyword.kwlist, *vars(builtins)))


def sure_words(regex: str) -> frozenset[str]:
    """Words, not common ones, without which it matches nothing: of `\\.acquire\\(` acquire."""
    try:
        parsed = _parser.parse(regex)
    except (re.error, RecursionError, OverflowError):
        return frozenset()  # RE2's own syntax
    if parsed.state.flags & _ANY_CASE:
        return frozenset()
    return frozenset(_words(parsed)) - _COMMON


def _words(items: Iterable[Any]) -> Iterator[str]:
    """The words of a sequence: those spelt out by itself, and those in its parts."""
    spelt = ""
    for item in items:
        sign, words = _read(item)
        spelt += sign
        yield from words
    yield from _WHOLE.findall(_LOOSE_EDGE.sub(_EDGE, spelt))


def _read(item: Any) -> tuple[str, frozenset[str]]:
    """What one part of a regex spells, and the words that are sure to stand inside it."""
    op, argument = item
    match str(op):
        case "LITERAL":
            return _sign(chr(argument)), frozenset()
        case "IN":
            return (_UNKNOWN if _may_be_word(argument) else _EDGE), frozenset()
        case "AT":
            return (_UNKNOWN if "NON" in str(argument) else _EDGE), frozenset()
        case "SUBPATTERN":
            _, on, _, part = argument
            return _UNKNOWN, frozenset() if on & _ANY_CASE else frozenset(_words(part))
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, _, part = argument
            signs = {_read(one)[0] for one in part}
            sign = _LOOSE if signs <= {_EDGE, _LOOSE} else _UNKNOWN
            if not least:
                return sign, frozenset()
            return (_EDGE if signs == {_EDGE} else sign), frozenset(_words(part))
        case "BRANCH":
            ways = [frozenset(_words(way)) for way in argument[1]]
            return _UNKNOWN, reduce(frozenset.intersection, ways)
    return _UNKNOWN, frozenset()


def _sign(char: str) -> str:
    return char if _PART.match(char) else _EDGE


def _may_be_word(members: Iterable[Any]) -> bool:
    """May one of a set of characters be part of a word?"""
    for op, argument in members:
        match str(op):
            case "LITERAL" if not _PART.match(chr(argument)):
                continue
            case "CATEGORY" if str(argument) in ("CATEGORY_SPACE", "CATEGORY_NOT_WORD"):
                continue
        return True
    return False
