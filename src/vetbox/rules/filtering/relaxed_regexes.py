"""Relaxed regexes: one on a text made into one that finds the text inside a file."""

import re
from collections.abc import Iterator
from functools import lru_cache

from vetbox.rules.filtering.escaped_regexes import escaped
from vetbox.rules.language import values as v

_EDGES = ("^", "$", r"\A", r"\z", r"\b")

_BEGUN_OR_BEHIND = re.compile(
    r"\A(\(\?[a-z]+\))?\(\?:(?:\^|\\A)\|(?:[^()\[\]\\]|\[\^?[\w./_-]+\]|\\[.\w])*\)(?![*+?{|])"
)
OBSCURED = r"""\\[xuUN0-7]|["'][\s\\]+[rRbBuUfF]{0,2}["']|\w["']{2}\w|\w["'][rRbBuUfF]{1,2}["']\w"""
"""A literal that may spell a text otherwise than it reads."""
SPLIT = r"""[\w-]["'][\s\\+]*[rRbBuUfF]{0,2}["'][\w-]"""
"""A word that is put together of several literals."""


_WORDS = re.compile(
    r"(?:\(\?i\))?\^(?:\(\?:(?:\\[wd]|[\w+*?|])+\)|(?:\\[wd]|[\w+*?])+)\$",
)


@lru_cache(maxsize=1_000)
def finds_words(regex: str) -> bool:
    """Does it surely match nothing but single words?"""
    return _WORDS.fullmatch(regex) is not None


@lru_cache(maxsize=1_000)
def relaxed(regex: str, *, edge: str = "") -> str:
    """The regex with its edges (`^`, `$`, word boundaries) replaced: it finds the text in a file.

    It finds all that the regex finds in the text alone, and more. Where it may begin with the text
    or behind something, it does not ask for that: RE2 leaps to what always begins a match.
    """
    if not edge:
        regex = _BEGUN_OR_BEHIND.sub(r"\1", regex)
    kept: list[str] = []
    in_class = False
    at = 0
    while at < len(regex):
        part = regex[at : at + 2] if regex[at] == "\\" else regex[at]
        at += len(part)
        if part in "[]":
            in_class = part == "["
        kept.append(edge if part in _EDGES and not in_class else part)
    return "".join(kept)


_COUNTED = re.compile(r"\\x\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(,\d*)?\}", re.S)
"""A repetition that is counted; before it, what only looks like one: characters and their sets."""
_COUNTED_UP_TO = 8


@lru_cache(maxsize=1_000)
def _shortened(regex: str) -> str:
    """The regex with long repetitions cut short: it finds more, by a smaller automaton."""
    return _COUNTED.sub(_at_most_some, regex)


def _at_most_some(counted: re.Match[str]) -> str:
    if counted[1] is None:
        return counted[0]
    least, most = int(counted[1]), counted[2]
    few = most is None and least <= _COUNTED_UP_TO
    bounded = most is not None and most != "," and int(most[1:]) <= _COUNTED_UP_TO
    return counted[0] if few or bounded else f"{{{min(least, _COUNTED_UP_TO)},}}"


_FIELD = r"\{\}"
"""What a field of an f-string is to a condition; in a file there is an expression in it."""


def _with_fields(regex: str) -> str:
    return regex.replace(_FIELD, r"\{(?s:.*)\}")


_REPEATED = r"[*+?}|][^\n]{0,200}\)[*+{]"
"""A group that is repeated, and a repetition or a choice in it."""
_SEAM = r"""(?:["'][\s\\+]*["'])?"""
_SHORT = 30  # characters; nobody splits a word of a longer text


def _in_pieces(text: str) -> str:
    """The text, also where its literal is split: `"dis" "able"`."""
    spelt = [escaped(re.escape(character)) for character in text]
    return (_SEAM if len(text) <= _SHORT else "").join(spelt)


def written(condition: v.Condition) -> Iterator[str]:
    """Regexes of which each must be found in a file where a value meets the condition.

    Honest code writes such a text in one piece; for code about to run `doubtful` anchors follow.
    """
    match condition:
        case v.Regex(regex=regex):
            yield escaped(_with_fields(_shortened(relaxed(regex))))
        case v.Backtracks():
            yield _REPEATED
        case v.In(values=values) if all(isinstance(value, str) and value for value in values):
            yield "|".join(_in_pieces(str(value)) for value in values)
        case v.Contains(element=element) | v.Item(element=element):
            yield from written(element)
        case v.Both(parts=parts):
            for part in parts:
                yield from written(part)
