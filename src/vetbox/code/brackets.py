"""Brackets: where they are nested too deep for a parser; in strings and comments are none."""

import re

from vetbox.code.lexemes import bare

MAX_BRACKETS = 100
"""Real code stays under 16 (5,500 files of the standard library and popular packages)."""
_BRACKETS = re.compile(
    r"""(?:\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |\#[^\n\r]*|(?P<open>[(\[{])|(?P<close>[)\]}])""",
    re.VERBOSE | re.DOTALL,
)
_PAIRS = (b"()", b"[]", b"{}")
_PASSES = 15
_REST = bytes(byte for byte in range(256) if byte not in b"()[]{}")


def too_deep(text: str) -> int | None:
    """Where the first bracket opens that too many are around."""
    if text.count("(") + text.count("[") + text.count("{") <= MAX_BRACKETS or _are_shallow(text):
        return None
    depth = 0
    for found in _BRACKETS.finditer(text):
        if found["open"]:
            depth += 1
            if depth > MAX_BRACKETS:
                return found.start()
        elif found["close"]:
            depth = max(0, depth - 1)
    return None


def _are_shallow(text: str) -> bool:
    """Are all but a few gone when pairs with nothing in them are left out again and again?

    Each pass takes one level of a kind, so what is left and the passes bound the depth. That is
    seven times as fast as counting.
    """
    code = None if "\r" in text else bare(text.encode("ascii", "replace"))
    if code is None:
        return False
    left = code.translate(None, _REST)
    for passes in range(0, _PASSES, len(_PAIRS)):
        if len(left) <= MAX_BRACKETS - passes:
            return True
        for pair in _PAIRS:
            left = left.replace(pair, b"")
    return False
