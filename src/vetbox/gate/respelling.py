"""Respelling: the same tokens in another layout or alphabet."""

import io
import keyword
import tokenize
from collections.abc import Iterator, Sequence
from itertools import pairwise


def disguise_identifiers(text: str) -> str:
    """Every name gets one mathematical letter, which Python reads as the plain one (NFKC)."""
    lines = text.splitlines(keepends=True)
    for token in reversed(list(_outside_fstrings(text))):
        if token.type == tokenize.NAME and not _reserved(token.string):
            row, (start, end) = token.start[0] - 1, (token.start[1], token.end[1])
            lines[row] = lines[row][:start] + _disguised(token.string) + lines[row][end:]
    return "".join(lines)


def _outside_fstrings(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens as before Python 3.12, which also reads the inside of f-strings.

    There the `r` of `{x!r}` is a name of its own, and no identifier.
    """
    inside = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        inside += {"FSTRING_START": 1, "FSTRING_END": -1}.get(kind, 0)
        if not inside and kind != "FSTRING_END":
            yield token


def _reserved(name: str) -> bool:
    return keyword.iskeyword(name) or keyword.issoftkeyword(name) or name == "__future__"


def _disguised(name: str) -> str:
    place = next((index for index, char in enumerate(name) if "a" <= char <= "z"), None)
    if place is None:
        return name
    letter = chr(ord("\N{MATHEMATICAL SANS-SERIF SMALL A}") + ord(name[place]) - ord("a"))
    return f"{name[:place]}{letter}{name[place + 1 :]}"


def split_lines(text: str) -> tuple[str, tuple[int, ...]]:
    """(text with a new line after the bracket of every call, the old line of every new line)."""
    lines = text.splitlines(keepends=True)
    breaks = [0] * len(lines)
    tokens = list(_outside_fstrings(text))
    for row, column in reversed(list(_call_brackets(tokens))):
        lines[row - 1] = f"{lines[row - 1][:column]}\n{lines[row - 1][column:]}"
        breaks[row - 1] += 1
    origin = [row + 1 for row, count in enumerate(breaks) for _ in range(count + 1)]
    return "".join(lines), tuple(origin)


def _call_brackets(tokens: Sequence[tokenize.TokenInfo]) -> Iterator[tuple[int, int]]:
    """(row, column behind it) of the bracket of every call."""
    for before, token in pairwise(tokens):
        callee = before.type == tokenize.NAME and not keyword.iskeyword(before.string)
        if token.string == "(" and (callee or before.string in {")", "]"}):
            yield token.end
