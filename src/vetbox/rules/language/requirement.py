"""Requirement: which labels the data must carry that a sink refuses, or a source takes further."""

import ast
from collections.abc import Iterator, Set
from itertools import combinations
from typing import Final

from vetbox.late_dataclasses import dataclass

MAX_CHARACTERS = 500
MARKUP: Final = "MARKUP"
"""What a text of the program's own is that has a tag in it; no source has to give this label."""

_JOINED = {ast.And: "and", ast.Or: "or"}
_HOW = "write labels joined by and, or, not, as in `INPUT and not CHECKED`"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A label, or `and`, `or`, `not` with the parts that they join: words that no label can be."""

    word: str
    parts: tuple["Requirement", ...] = ()

    @classmethod
    def of(cls, text: str) -> "Requirement":
        """What `A and not (B or C)` asks for; raises ValueError for anything else."""
        if len(text) > MAX_CHARACTERS:
            raise ValueError(f"longer than {MAX_CHARACTERS} characters; split the rule")
        try:
            return _read(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise ValueError(f"'{text}' is no condition on labels; {_HOW}") from None

    def holds(self, labels: Set[str]) -> bool:
        """Does data with just these labels fulfil it?"""
        match self.word:
            case "and":
                return all(part.holds(labels) for part in self.parts)
            case "or":
                return any(part.holds(labels) for part in self.parts)
            case "not":
                return not self.parts[0].holds(labels)
        return self.word in labels

    @property
    def labels(self) -> frozenset[str]:
        """All that it names."""
        if not self.parts:
            return frozenset({self.word})
        return frozenset().union(*(part.labels for part in self.parts))

    @property
    def wanted(self) -> frozenset[str]:
        """What it names and does not deny."""
        if not self.parts:
            return frozenset({self.word})
        inner = () if self.word == "not" else self.parts
        return frozenset().union(*(part.wanted for part in inner))

    def weaker(self) -> Iterator["Requirement"]:
        """Itself with one part left out, or one `not`."""
        if self.word == "not":
            yield self.parts[0]
        elif self.parts:
            for kept in combinations(self.parts, len(self.parts) - 1):
                yield kept[0] if len(kept) == 1 else Requirement(self.word, kept)
        for number, part in enumerate(self.parts):
            for other in part.weaker():
                parts = (*self.parts[:number], other, *self.parts[number + 1 :])
                yield Requirement(self.word, parts)

    def __str__(self) -> str:
        if self.word == "not":
            return f"not {self._within(self.parts[0])}"
        return f" {self.word} ".join(map(self._within, self.parts)) or self.word

    def _within(self, part: "Requirement") -> str:
        joined = part.word in _JOINED.values() and part.word != self.word
        return f"({part})" if joined else str(part)


def _read(node: ast.expr) -> Requirement:
    match node:
        case ast.Name(id=label):
            return Requirement(label)
        case ast.BoolOp(op=op, values=values):
            return Requirement(_JOINED[type(op)], tuple(map(_read, values)))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Requirement("not", (_read(operand),))
    raise ValueError
