"""Looks: one line, and the nodes on it at which the rules in question may hold."""

import ast
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.relevant_parts import WHOLE, Asked, Expressions

Place: TypeAlias = tuple[str, f.Formula, ast.AST | None]
"""A rule, what it looks for, and where that may be; None: a line that is not read."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What was seen on a line."""

    at: int
    asked: Asked
    places: Sequence[Place]

    def by(self, places: Iterable[Place]) -> list[Expressions]:
        """The expressions on which the verdicts at some places of it depend."""
        found = [
            WHOLE if node is None else self.asked.at(formula, node) for _, formula, node in places
        ]
        return [WHOLE] if self.asked.binds(found) else found
