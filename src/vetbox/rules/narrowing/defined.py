"""Defined names: those of a file's functions and classes, and of what these are given."""

import re
from collections.abc import Set

from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.layout import Layout

_DEFINED = re.compile(rb"\b(?:def|class)[\s\\]+(\w+)")
_PARAMETERS = re.compile(rb"\bdef[\s\\]+\w+[^(]{0,99}\(((?:[^()]|\([^()]*\))*)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CALLED = re.compile(rb"(?<![.\w])([A-Za-z_]\w*)\(")


@dataclass(frozen=True, slots=True)
class Defined:
    """The names of a file's functions and classes, and those of all parameters."""

    names: Set[str]
    parameters: Set[str]

    @classmethod
    def of(cls, layout: Layout) -> "Defined":
        """Read by regex from the masked text; a few names too many do no harm."""
        names = frozenset(word.decode() for word in _DEFINED.findall(layout.masked))
        given = b" ".join(_PARAMETERS.findall(layout.masked))
        return cls(names, frozenset(word.decode() for word in _WORD.findall(given)))

    def applying(self, layout: Layout) -> Set[str] | None:
        """The names of functions, if one may call what it is given; None: any may, by any name."""
        if not layout.masked.isascii():
            return None
        called = {word.decode() for word in _CALLED.findall(layout.masked)}
        return frozenset() if self.parameters.isdisjoint(called - self.names) else self.names
