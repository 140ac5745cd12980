"""The characters that a part of a regular expression matches, as bits: ASCII, and all others."""

import re
from typing import Any

_ASCII = 128
_OTHERS = 1 << _ASCII
_ALL = (1 << (_ASCII + 1)) - 1


def _bits(regex: str, *, others: bool) -> int:
    """The ASCII characters that match, and all others or none."""
    found = re.compile(regex)
    bits = sum(1 << code for code in range(_ASCII) if found.match(chr(code)))
    return bits | (_OTHERS if others else 0)


_CATEGORIES = {
    "CATEGORY_DIGIT": _bits(r"\d", others=False),
    "CATEGORY_NOT_DIGIT": _bits(r"\D", others=True),
    "CATEGORY_SPACE": _bits(r"\s", others=False),
    "CATEGORY_NOT_SPACE": _bits(r"\S", others=True),
    "CATEGORY_WORD": _bits(r"\w", others=True),
    "CATEGORY_NOT_WORD": _bits(r"\W", others=False),
}
"""Of what is not ASCII letters are meant: they are what regular expressions meet."""


class Alphabet:
    """What single items match under the flags of a pattern."""

    def __init__(self, flags: int) -> None:
        self._ignores_case = bool(flags & re.IGNORECASE)
        self._takes_lines = bool(flags & re.DOTALL)

    def of(self, op: Any, argument: Any) -> int:
        """The characters of a literal, of a class, of `.`."""
        match str(op):
            case "LITERAL":
                return self._literal(argument)
            case "NOT_LITERAL":
                return _ALL & ~(self._literal(argument) & ~_OTHERS)
            case "ANY":
                return _ALL if self._takes_lines else _ALL & ~(1 << ord("\n"))
        return self._class(argument)

    def _literal(self, code: int) -> int:
        if code >= _ASCII:
            return _OTHERS
        cased = {chr(code), chr(code).swapcase()} if self._ignores_case else {chr(code)}
        return sum(1 << ord(one) for one in cased)

    def _class(self, items: Any) -> int:
        bits, negated = 0, False
        for op, argument in items:
            match str(op):
                case "NEGATE":
                    negated = True
                case "RANGE":
                    low, high = argument
                    for code in range(low, min(high, _ASCII) + 1):
                        bits |= self._literal(code)
                    bits |= _OTHERS if high >= _ASCII else 0
                case "CATEGORY":
                    bits |= _CATEGORIES.get(str(argument), _ALL)
                case _:
                    bits |= self._literal(argument)
        return _ALL & ~(bits & ~_OTHERS) if negated else bits
