"""Twins: patterns such as `$X += $X` and `$X = $X * $X`, which name nothing but repeat a part."""

from typing import NamedTuple

import libcst as cst

from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.pattern import Pattern
from vetbox.rules.patterns.tree import same


class Twins(NamedTuple):
    """The `hole` (`$X`), and what stands between the two: `+=` where it `augments`, else `*`."""

    hole: str
    sign: str
    augments: bool


def twins_of(pattern: Pattern) -> Twins | None:
    """The twins that a pattern looks for; None for any other pattern."""
    both: list[cst.BaseExpression]
    match pattern.statements:
        case (cst.AugAssign(target=target, operator=operator, value=value),):
            both, augments = [target, value], True
        case (
            cst.Assign(
                targets=[cst.AssignTarget(target=target)],
                value=cst.BinaryOperation(left=left, operator=operator, right=right),
            ),
        ):
            both, augments = [target, left, right], False
        case _:
            return None
    hole = _hole(target)
    if not hole or not all(same(target, other) for other in both):
        return None
    return Twins(hole, cst.Module([]).code_for_node(operator).strip(), augments)


def _hole(node: cst.BaseExpression) -> str:
    """The metavariable that it is; nothing for what is none, and for the anonymous one."""
    if not isinstance(node, cst.Name) or not node.value.startswith(spelling.METAVARIABLE):
        return ""
    name = node.value.removeprefix(spelling.METAVARIABLE)
    return "" if name == "_" else f"${name}"
