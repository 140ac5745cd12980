r"""Escaped regexes: one on a text made into one that finds the text as a literal spells it.

A line break in a text is `\n` in most literals, a quote may be `\"` and a backslash is mostly two.
"""

import re
from functools import lru_cache

_PARTS = re.compile(
    r"\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|\\x(?:\{[^}]*\}|[0-9A-Fa-f]{2})|\(\?[a-zA-Z]*[:)]|\\.|.",
    re.S,
)
_UNBOUNDED = ("*", "+")
_BLANKS = "nrtfv"
_OUT_OF_PLAIN = {
    r"\s": rf"(?:\s|\\[{_BLANKS}])",
    r"\W": r"(?:\W|\\.)",
    r"\D": r"(?:\D|\\.)",
    **{
        spelt: rf"(?:\{blank}|\\{blank})"
        for blank, itself in zip(_BLANKS, "\n\r\t\f\v", strict=True)
        for spelt in (rf"\{blank}", itself, f"\\{itself}")
    },
    r"\\": r"(?:\\\\?)",
    **dict.fromkeys(('"', r"\""), r'(?:\\?")'),
    **dict.fromkeys(("'", r"\'"), r"(?:\\?')"),
}
"""What may be spelt with a backslash before it, and so is found in either spelling."""
_SPELT_SO = re.compile(r"\\[snrtfvWDS\\\"']|[\"'\n]|\[:(?:space|punct|cntrl|print|graph|ascii):\]")
_NUMBERED = r"\\(?:[xuU][0-9A-Fa-f]{2,8}|[0-7]{1,3}|N\{[^}]*\})"
"""A character by its number or name, as nearly all literals spell what cannot be seen."""
_UNSEEN = re.compile(r"\\x[0-9A-Fa-f]{2}|[\x00-\x1f\x7f-\x9f]")
_LEAVES_OUT_SOME = re.compile(r"\\[wdDSW\\]|\w|\[:")


@lru_cache(maxsize=1_000)
def escaped(regex: str) -> str:
    """The regex, which finds all that it finds in a text also where a literal spells the text.

    Of characters by their numbers (`\\x1b`) only those are thought of that are so in the regex.
    """
    parts = _PARTS.findall(regex)
    following = (*parts[1:], "")
    return "".join(map(_escaped, parts, following))


def _escaped(part: str, following: str) -> str:
    """One part of a regex; what repeats without end takes a backslash for one more of its own."""
    if part in _OUT_OF_PLAIN:
        return _OUT_OF_PLAIN[part]
    if _UNSEEN.fullmatch(part):
        return rf"(?:{part}|{_NUMBERED})"
    if part in (".", r"\S"):
        return part if following in _UNBOUNDED else rf"(?:\\?{part})"
    if part.startswith("[^"):
        takes_all = following in _UNBOUNDED and not _LEAVES_OUT_SOME.search(part)
        return part if takes_all else rf"(?:{part}|\\.)"
    if part.startswith("[") and _SPELT_SO.search(part):
        return rf"(?:{part}|\\.)"
    return part
