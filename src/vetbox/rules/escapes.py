"""Escapes: a dangerous function handed on as a value to where the resolver cannot follow it.

`map(eval, texts)`, `key=eval`, `return eval`, `__getitem__ = eval`: whoever gets it may call it, so
in code that is about to run the reference itself is the finding.
"""

from collections.abc import Sequence

import libcst as cst

from vetbox.rules import indirection
from vetbox.rules.names import Resolver
from vetbox.rules.walk import identifier

# These look at a function or print it, and do not keep it.
_HARMLESS_CALLS = frozenset(
    {"print", "repr", "str", "type", "id", "hash", "callable", "isinstance", "issubclass", "help"}
    | {"len", "bool", "dir"}
)
_CONTAINERS = (cst.List, cst.Tuple, cst.Set, cst.Dict)
_TRANSPARENT = (
    cst.Element, cst.DictElement, cst.IfExp, cst.BooleanOperation, cst.NamedExpr, cst.Await,
    *_CONTAINERS,
)  # fmt: skip
_LOOKED_AT = (
    cst.Attribute, cst.ComparisonTarget, cst.Comparison, cst.Expr, cst.Annotation, cst.If,
    cst.While, cst.Assert, cst.FormattedStringExpression, cst.UnaryOperation, cst.Del,
    cst.Decorator, cst.Param, cst.ExceptHandler, cst.SubscriptElement, cst.Index,
)  # fmt: skip


def escapes(node: cst.CSTNode, facts: Resolver) -> bool:
    """Does the function that the expression stands for get out of sight here?"""
    if isinstance(node, cst.Call) and indirection.result(facts, node) is None:
        return False  # what it wraps or returns is judged where it is written
    return _gets_out(node, facts)


def _gets_out(node: cst.CSTNode, facts: Resolver) -> bool:
    child, above = node, facts.tree.parent(node)
    while isinstance(above, _TRANSPARENT):
        if isinstance(above, cst.NamedExpr) and child is above.target:
            return False
        if isinstance(above, cst.IfExp) and child is above.test:
            return False
        child, above = above, facts.tree.parent(above)
    match above:
        case cst.Call():
            return False  # it is called, or the call itself is judged
        case cst.Arg():
            return _argument_escapes(above, facts)
        case cst.Assign():
            targets = [target.target for target in above.targets]
            return _assignment_escapes(above, child, targets, facts)
        case cst.AnnAssign(target=target):
            return _assignment_escapes(above, child, [target], facts)
        case cst.AssignTarget() | cst.For() | cst.CompFor() | cst.WithItem() | cst.AsName():
            return isinstance(above, cst.For | cst.CompFor) and not isinstance(child, _CONTAINERS)
        case cst.Subscript():
            return False
    return not isinstance(above, _LOOKED_AT)


def _argument_escapes(arg: cst.Arg, facts: Resolver) -> bool:
    call = facts.tree.parent(arg)
    if not isinstance(call, cst.Call):
        return not isinstance(call, cst.ClassDef)
    if indirection.wrapped(facts, call) is arg.value:
        return _gets_out(call, facts)
    names = facts.names(call.func)
    if "type" in names and len(call.args) > 1:
        return True  # it makes a class, whose members nobody follows
    return not names & _HARMLESS_CALLS and not _looks_up(arg, call, names)


def _looks_up(arg: cst.Arg, call: cst.Call, names: frozenset[str]) -> bool:
    """`getattr(eval, …)`, `dict(k=eval)` that is followed by its name."""
    first = call.args[0] is arg
    return first and bool(names & {"getattr", "hasattr", "vars"})


def _assignment_escapes(
    statement: cst.CSTNode,
    value: cst.CSTNode,
    targets: Sequence[cst.BaseExpression],
    facts: Resolver,
) -> bool:
    if _in_class(statement, facts):
        return True
    if isinstance(value, _CONTAINERS):
        return not all(_unpacks(t) or _only_looked_up(t, facts) for t in targets)
    return not all(isinstance(target, cst.Name) for target in targets)


def _in_class(node: cst.CSTNode, facts: Resolver) -> bool:
    return isinstance(facts.scopes.of(node).node, cst.ClassDef)


def _unpacks(target: cst.BaseExpression) -> bool:
    parts = target.elements if isinstance(target, (cst.Tuple, cst.List)) else ()
    plain = (isinstance(p, cst.Element) and isinstance(p.value, cst.Name) for p in parts)
    return bool(parts) and all(plain)


def _only_looked_up(target: cst.BaseExpression, facts: Resolver) -> bool:
    """Is every use of a table a subscript, which the resolver follows?"""
    if not isinstance(target, cst.Name):
        return False
    name = identifier(target)
    uses = [n for n in facts.tree.by_type[cst.Name] if n is not target and identifier(n) == name]  # type: ignore[arg-type]
    return all(_is_looked_up(use, facts) for use in uses)


def _is_looked_up(use: cst.CSTNode, facts: Resolver) -> bool:
    match facts.tree.parent(use):
        case cst.Subscript(value=value):
            return use is value
        case cst.Attribute(attr=attr):
            return attr.value in ("get", "pop", "keys") or use is attr
        case cst.ComparisonTarget():
            return True
    return False
