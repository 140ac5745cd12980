"""Signs of broken syntax that can be seen without parsing: cheap, and often wrong."""

import re

_PAIRS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
_OLD_PYTHON = re.compile(
    rb"^[ \t]*(?:print[ \t]+[\"'\w%]|exec[ \t]+[\"'\w]|raise[ \t]+\w+[ \t]*,"
    rb"|except[ \t]+\w+[ \t]*,[ \t]*\w+[ \t]*:)"
    rb"|^(?:<{7}|>{7}|={7})(?:[ \r\n]|\Z)",
    re.MULTILINE,
)


def looks_broken(data: bytes) -> bool:
    """Whether a parser should look: brackets that do not add up, Python 2, merge conflicts.

    Brackets are counted in strings and comments too, so one sound file in ten looks broken.
    """
    unpaired = any(data.count(opening) != data.count(closing) for opening, closing in _PAIRS)
    return unpaired or _OLD_PYTHON.search(data) is not None
