"""Visiting: a module seen or rewritten by libcst's visitors, past all that is layout.

A visitor of libcst is shown every blank and bracket, and each node around them is made anew. No
rewrite asks for them: here a node that nothing changes stays the node that it is, so that a
statement in which nothing is rewritten need not be written out again.
"""

from functools import cache
from typing import Any, NamedTuple, TypeAlias

import libcst as cst

from vetbox.rules.walk import IS_NODE, child_fields

Visitor: TypeAlias = cst.CSTTransformer | cst.CSTVisitor


def seen(node: cst.CSTNode, visitor: cst.CSTVisitor) -> None:
    """Show a visitor the node and all that it holds, in the order in which it is written."""
    _visited(node, visitor)


def changed(node: cst.CSTNode, rewrite: cst.CSTTransformer) -> cst.CSTNode:
    """What a rewrite makes of the node; the node itself where it changes nothing."""
    new: cst.CSTNode = _visited(node, rewrite)
    return new


class _Plan(NamedTuple):
    """What a visitor asks of a kind of node, by the names of its methods; "" for nothing."""

    visit: str
    fields: tuple[tuple[str, str], ...]
    leave: str


_plans: dict[tuple[type[Visitor], type[cst.CSTNode]], _Plan] = {}


def _visited(node: cst.CSTNode, visitor: Visitor) -> Any:
    key = type(visitor), type(node)
    plan = _plans.get(key)
    if plan is None:
        plan = _plans[key] = _planned(type(visitor), node)
    updated = node
    if not plan.visit or getattr(visitor, plan.visit)(node) is not False:
        updated = _with_parts(node, plan, visitor)
    if not plan.leave:
        return updated
    left = getattr(visitor, plan.leave)
    return left(node, updated) if isinstance(visitor, cst.CSTTransformer) else left(node)


def _with_parts(node: cst.CSTNode, plan: _Plan, visitor: Visitor) -> cst.CSTNode:
    changes: dict[str, object] = {}
    for name, visit in plan.fields:
        if visit:
            getattr(visitor, visit)(node)
        value = getattr(node, name)
        if isinstance(value, list | tuple):
            parts = [_visited(part, visitor) for part in value]
            if any(new is not old for new, old in zip(parts, value, strict=True)):
                changes[name] = parts
        elif value is not None and IS_NODE[type(value)]:
            part = _visited(value, visitor)
            if part is not value:
                changes[name] = part
    return node.with_changes(**changes) if changes else node


def _planned(visitor: type[Visitor], node: cst.CSTNode) -> _Plan:
    kind = type(node).__name__
    fields = _ORDERS.get(type(node)) or _ORDERS.setdefault(type(node), _order(node))
    return _Plan(
        _own(visitor, f"visit_{kind}"),
        tuple((name, _own(visitor, f"visit_{kind}_{name}")) for name in fields),
        _own(visitor, f"leave_{kind}"),
    )


@cache
def _own(visitor: type[Visitor], name: str) -> str:
    """The name of a method, if the visitor has one that libcst's own visitors have not."""
    base = cst.CSTTransformer if issubclass(visitor, cst.CSTTransformer) else cst.CSTVisitor
    method = getattr(visitor, name, None)
    return name if method is not None and method is not getattr(base, name, None) else ""


_ORDERS: dict[type[cst.CSTNode], tuple[str, ...]] = {}
"""The fields of each kind of node that hold nodes with a meaning, as they are written."""


def _order(node: cst.CSTNode) -> tuple[str, ...]:
    meant = child_fields(type(node))
    noted = _Fields(node)
    node.visit(noted)
    return tuple(name for name in noted.names if name in meant)


class _Fields(cst.CSTVisitor):
    """Notes the fields of one node in the order in which libcst visits them."""

    def __init__(self, node: cst.CSTNode) -> None:
        self.node = node
        self.names: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        return node is self.node

    def on_visit_attribute(self, node: cst.CSTNode, attribute: str) -> None:
        self.names.append(attribute)
