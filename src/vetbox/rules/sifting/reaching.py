"""Reaching: how far a rule looks from one place: parts that surely do not hold there ask nothing.

What is denied in the whole file is denied in a part of it too, so nothing of it has to be shown.
"""

import ast
from functools import lru_cache

from vetbox.rules.filtering.anchors import Reach
from vetbox.rules.filtering.reach import reach_of, widest
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.formulas import Line

_NEAR = frozenset({Reach.LINE, Reach.BLOCK, Reach.NAMES})
"""Nothing nearer is worth a question."""
_of_part = lru_cache(maxsize=1_000)(reach_of)


def reach_from(node: ast.AST | None, line: Line, formula: f.Formula, reach: Reach) -> Reach:
    """How far a formula of some reach looks from a node of a line at which it may hold."""
    return reach if node is None or reach in _NEAR else _reach(formula, node, line)


def _reach(formula: f.Formula, node: ast.AST, line: Line) -> Reach:
    match formula:
        case f.Any(parts=parts):
            open_ = (part for part in parts if line.may_hold(part, node))
            return widest(*(_reach(part, node, line) for part in open_))
        case f.All(parts=parts):
            return widest(*(_reach(part, node, line) for part in parts))
        case f.Not(part=part) | f.Focused(part=part):
            return _reach(part, node, line) if line.may_hold(part, node) else Reach.LINE
    return _of_part(formula)
