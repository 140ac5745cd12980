"""Patterns of semgrep's generic language as regular expressions: words and signs, spaces aside."""

import re
from collections.abc import Mapping
from itertools import chain, pairwise, zip_longest
from typing import Any

from vetbox.semgrep.unsupported import Unsupported

_PART = re.compile(r"\.\.\.|\$(?:\.\.\.)?[A-Z_][A-Z0-9_]*|\w+|[^\w\s]", re.ASCII)
_LINES = 10
"""An ellipsis goes no further than this."""
_ELLIPSIS = rf"(?:[^\n]*\n){{0,{_LINES}}}?[^\n]*?"
_METAVARIABLE = r"\w+"


_AS_TEXT = {"pattern": "pattern-regex", "pattern-not": "pattern-not-regex"}


def as_text(written: Mapping[str, Any], *, generic: bool) -> dict[str, Any]:
    """A formula about text with the regular expressions that its patterns are; may raise."""
    done: dict[str, Any] = {}
    for key, value in written.items():
        if key in _AS_TEXT and generic:
            done[_AS_TEXT[key]] = as_regex(str(value))
        elif key == "pattern-either" and isinstance(value, list):
            parts = [as_text(part, generic=generic) for part in value]
            if any(set(part) != {"pattern-regex"} for part in parts):
                raise Unsupported("a choice of more than single patterns about text")
            done["pattern-regex"] = "|".join(f"(?:{part['pattern-regex']})" for part in parts)
        elif key == "patterns" and isinstance(value, list):
            done[key] = [as_text(part, generic=generic) for part in value]
        elif key in _AS_TEXT.values():
            done[key] = value
        else:
            raise Unsupported(f"{key} about text")
    return done


def as_regex(pattern: str) -> str:
    """What finds the same texts; raises Unsupported for a metavariable that stands there twice."""
    parts = _PART.findall(pattern)
    names = [part for part in parts if part.startswith("$") and part != "$_"]
    if len(set(names)) < len(names):
        raise Unsupported("a metavariable twice in a pattern of language generic")
    if all(map(_is_ellipsis, parts)):
        raise Unsupported("a pattern of language generic without a word")
    between = (_between(one, other) for one, other in pairwise(("", *parts, "")))
    return "".join(chain.from_iterable(zip_longest(between, map(_of, parts), fillvalue="")))


def _between(one: str, other: str) -> str:
    """A word ends where another begins; what is left out takes the spaces beside it."""
    if _is_word(one) and _is_word(other):
        return r"\s+"
    edge = r"\b" if _is_word(one) or _is_word(other) else ""
    is_plain = bool(one and other) and not _is_ellipsis(one) and not _is_ellipsis(other)
    return r"\s*" if is_plain else edge


def _is_word(part: str) -> bool:
    return (part[:1].isalnum() or part[:1] in {"_", "$"}) and not _is_ellipsis(part)


def _is_ellipsis(part: str) -> bool:
    return part == "..." or part.startswith("$...")


def _of(part: str) -> str:
    if _is_ellipsis(part):
        return _ELLIPSIS
    return _METAVARIABLE if part.startswith("$") and _is_word(part) else re.escape(part)
