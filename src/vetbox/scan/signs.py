"""Signs of broken syntax that can be seen without parsing: cheap, and sometimes wrong."""

from functools import cache
from typing import Any

from vetbox.lexemes import bare

_PAIRS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()[]{}")
# RE2 leaps from one line end to the next; from line to line by `^` it would go byte by byte.
_OLD_PYTHON = (
    r"\n(?:[ \t]*(?:print[ \t]+[\"'\w%]|exec[ \t]+[\"'\w]|raise[ \t]+\w+[ \t]*,"
    r"|except[ \t]+\w+[ \t]*,[ \t]*\w+[ \t]*:)"
    r"|(?:<{7}|>{7}|={7})(?:[ \r\n]|\z))"
)


def looks_broken(data: bytes) -> bool:
    """Whether a parser should look: brackets that do not add up, Python 2, merge conflicts."""
    return has_signs(data) and are_meant(data)


def are_meant(data: bytes) -> bool:
    """Whether the signs stand in the code: one file in ten has one in a string or a comment."""
    code = bare(data)
    return code is None or has_signs(code)


def has_signs(data: bytes) -> bool:
    """Whether anything looks broken, wherever it stands."""
    return _unpaired(data) or _old_python().search(b"\n" + data) is not None


def _unpaired(data: bytes) -> bool:
    brackets = data.translate(None, _NO_BRACKETS)
    return any(brackets.count(opening) != brackets.count(closing) for opening, closing in _PAIRS)


@cache
def _old_python() -> Any:
    """RE2: Python's engine looks at every line of a large code base for a second and more."""
    import re2

    return re2.compile(_OLD_PYTHON)
