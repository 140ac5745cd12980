"""Alternatives: what a regular expression offers to match, taken apart at its `|`."""

import re
from collections.abc import Iterator
from itertools import pairwise


def alternatives_of(regex: str) -> tuple[str, list[str], str]:
    """(head, alternatives, tail): those of the regex itself, else of its first whole group."""
    parts = _split(regex)
    if len(parts) > 1:
        return "", parts, ""
    for opening, closing in _groups(regex):
        inner = _split(regex[opening:closing])
        if len(inner) > 1:
            return regex[:opening], inner, regex[closing:]
    return "", [regex], ""


def _split(regex: str) -> list[str]:
    cuts = [place for place, depth, char in _scan(regex) if char == "|" and depth == 0]
    edges = [-1, *cuts, len(regex)]
    return [regex[left + 1 : right] for left, right in pairwise(edges)]


def _groups(regex: str) -> Iterator[tuple[int, int]]:
    """(start, end) of what stands inside every outermost group, flags like `?:` left out."""
    start = 0
    for place, depth, char in _scan(regex):
        if char == "(" and depth == 1:
            start = place + 1 + _prefix(regex[place + 1 :])
        elif char == ")" and depth == 0 and start:
            yield start, place


def _prefix(rest: str) -> int:
    match = re.match(r"\?(?:P<\w+>|[a-zA-Z-]*:)", rest)
    return match.end() if match else 0


def _scan(regex: str) -> Iterator[tuple[int, int, str]]:
    """(place, group depth after it, char) of every metacharacter outside escapes and classes."""
    depth = place = 0
    in_class = False
    while place < len(regex):
        char = regex[place]
        if char == "\\":
            place += 2
            continue
        if in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
            # `[]a]` and `[^]a]` hold a literal bracket first.
            place += len(re.match(r"\^?\]?", regex[place + 1 :])[0])  # type: ignore[index]
        else:
            depth += {"(": 1, ")": -1}.get(char, 0)
            yield place, depth, char
        place += 1
