"""Factories: functions that always give an object which they have made themselves."""

from collections.abc import Iterator, Sequence

import libcst as cst

from vetbox.rules.patterns.tree import block_of, preorder
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.walk import identifier


def constructor_in(function: Function | None) -> cst.Name | None:
    """`C` of a function all of whose `return`s say `C(…)`, or a variable that was made so."""
    if function is None:
        return None
    body = [*preorder(block_of(function.node.body))]
    made = [_constructor(one.value, body) for one in body if isinstance(one, cst.Return)]
    names = {"" if one is None else identifier(one) for one in made}
    return made[0] if made and len(names) == 1 else None


def _constructor(given: cst.BaseExpression | None, body: Sequence[cst.CSTNode]) -> cst.Name | None:
    if isinstance(given, cst.Name):
        found = [*_assigned(identifier(given), body)]
        given = found[0] if len(found) == 1 else None
    match given:
        case cst.Call(func=cst.Name() as name):
            return name
    return None


def _assigned(name: str, body: Sequence[cst.CSTNode]) -> Iterator[cst.BaseExpression]:
    for node in body:
        match node:
            case (
                cst.Assign(targets=[cst.AssignTarget(cst.Name() as target)], value=value)
                | cst.AnnAssign(target=cst.Name() as target, value=cst.BaseExpression() as value)
            ) if identifier(target) == name:
                yield value
