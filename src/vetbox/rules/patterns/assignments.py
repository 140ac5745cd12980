"""Assignments as (target, value) pairs, one for each target of a statement."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import libcst as cst

Pair: TypeAlias = tuple[Sequence[cst.BaseExpression], cst.BaseExpression]
"""Targets, and the value they are all given."""


def assignments(node: cst.CSTNode, targets: int) -> Iterator[Pair]:
    """Those of a statement or a walrus, by so many targets: `a = b = c` has two, or each alone.

    `a, b = c, d` gives each of them its own.
    """
    match node:
        case cst.Assign() if targets > 1:
            found = [one.target for one in node.targets]
            if len(found) == targets:
                yield found, node.value
        case cst.Assign():
            for one in node.targets:
                yield from _each(one.target, node.value)
        case cst.AnnAssign(value=cst.BaseExpression() as value) if targets == 1:
            yield [node.target], value
        case cst.NamedExpr() if targets == 1:
            yield [node.target], node.value


def _each(target: cst.BaseExpression, value: cst.BaseExpression) -> Iterator[Pair]:
    yield [target], value
    match target, value:
        case ((cst.Tuple() | cst.List()), (cst.Tuple() | cst.List())):
            parts = [*target.elements, *value.elements]
            whole = all(isinstance(part, cst.Element) for part in parts)
            if whole and len(target.elements) == len(value.elements):
                for one, given in zip(target.elements, value.elements, strict=True):
                    yield [one.value], given.value


def as_assignment(target: cst.Name, value: cst.BaseExpression) -> cst.Assign:
    """A pattern's `($X := $Y)` as `$X = $Y`, which stands for both."""
    return cst.Assign([cst.AssignTarget(target)], value)
