"""Signs of broken syntax that can be seen without parsing: cheap, and sometimes wrong."""

from functools import cache
from typing import Any

from vetbox.code.lexemes import bare
from vetbox.rules.filtering.signs import AT_LINE_START_OLD_PYTHON

_PAIRS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"))
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"()[]{}")


def are_meant(data: bytes) -> bool:
    """Whether the signs stand in the code: one file in ten has one in a string or a comment."""
    code = bare(data)
    return code is None or has_signs(code)


def has_signs(data: bytes) -> bool:
    """Whether brackets do not add up, or anything looks like Python 2 or a merge conflict."""
    return unpaired(data) or _old_python().search(b"\n" + data) is not None


def unpaired(data: bytes) -> bool:
    """Whether brackets do not add up."""
    brackets = data.translate(None, _NO_BRACKETS)
    return any(brackets.count(opening) != brackets.count(closing) for opening, closing in _PAIRS)


@cache
def _old_python() -> Any:
    """RE2 leaps from one line end to the next; by `^` it would go from byte to byte."""
    import re2

    return re2.compile(r"\n" + AT_LINE_START_OLD_PYTHON)
