"""Lexemes: strings and comments of Python code, told from the rest of its bytes."""

import re
from functools import lru_cache

# Groups are not possessive: Python 3.11 gets those wrong before 3.11.5.
_STRING = (
    rb'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*"""'
    rb"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*'''"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*'"
)
# A quote without its partner takes all that follows, or every other quote would be tried after it.
# Each choice begins with one letter, no class of them: so the engine leaps from one to the next.
_LEXEME = re.compile(rb"""(#[^\n]*+|%s|".*+|'.*+)""" % _STRING, re.DOTALL)
_WHOLE = re.compile(_STRING, re.DOTALL)


def first_from(data: bytes, at: int) -> "re.Match[bytes] | None":
    """The first lexeme that begins at an offset of code or behind it."""
    return _LEXEME.search(data, at)


@lru_cache(maxsize=1)
def parts(data: bytes) -> tuple[bytes, ...] | None:
    """Code, lexeme, code, lexeme, …, code; None where a string never ends."""
    found = _LEXEME.split(data)
    last = found[-2] if len(found) > 1 else b"#"
    return tuple(found) if last[:1] == b"#" or _WHOLE.fullmatch(last) else None


def bare(data: bytes) -> bytes | None:
    """The code with an empty string for each lexeme; None where a string never ends."""
    found = parts(data)
    return None if found is None else b'""'.join(found[::2])


@lru_cache(maxsize=1)
def lines_in_strings(data: bytes) -> frozenset[int]:
    """The lines, from 1, that begin within a string; none where one never ends."""
    line, found = 1, set[int]()
    for number, part in enumerate(parts(data) or ()):
        breaks = part.count(b"\n")
        if number % 2:
            found.update(range(line + 1, line + breaks + 1))
        line += breaks
    return frozenset(found)
