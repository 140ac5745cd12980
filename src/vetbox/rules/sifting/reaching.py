"""Reaching: how far a rule looks from one place: parts that surely do not hold there ask nothing.

What is denied in the whole file is denied in a part of it too, so nothing of it has to be shown.
"""

import ast
from collections.abc import Sequence

from vetbox.late_dataclasses import dataclass
from vetbox.rules.filtering.reach import WIDTHS, reach_of
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Reach
from vetbox.rules.language.doubting import split_in
from vetbox.rules.sifting.formulas import Line

_NEAR = frozenset({Reach.LINE, Reach.BLOCK, Reach.NAMES})
"""Nothing nearer is worth a question."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """How far a formula looks at most, as a place in WIDTHS, and its parts, the widest first."""

    formula: f.Formula
    width: int
    parts: Sequence["Outlook"] = ()

    @classmethod
    def of(cls, formula: f.Formula) -> "Outlook":
        match formula:
            case f.Any(parts=(sure, _)) if split_in(formula):
                return cls.of(sure)  # which denies the doubts
            case f.Any(parts=parts) | f.All(parts=parts):
                below = [cls.of(part) for part in parts]
            case f.Not(part=part) | f.Focused(part=part):
                below = [cls.of(part)]
            case _:
                return cls(formula, WIDTHS.index(reach_of(formula)))
        below.sort(key=lambda part: part.width, reverse=True)
        return cls(formula, below[0].width if below else 0, below)


def reach_from(node: ast.AST | None, line: Line, outlook: Outlook) -> Reach:
    """How far a formula looks from a node of a line at which it may hold."""
    reach = WIDTHS[outlook.width]
    return reach if node is None or reach in _NEAR else WIDTHS[_width(outlook, node, line, 0)]


def _width(outlook: Outlook, node: ast.AST, line: Line, known: int) -> int:
    """The wider of what is known and how wide this looks; who looks no wider is not asked."""
    if outlook.width <= known:
        return known
    if not outlook.parts:
        return outlook.width
    is_asked = not isinstance(outlook.formula, f.All)
    for part in outlook.parts:
        if part.width <= known:
            break
        if not is_asked or line.may_hold(part.formula, node):
            known = _width(part, node, line, known)
    return known
