"""Set operators and methods that only take elements away."""

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.data.values import CLEAN, Value
from vetbox.rules.taint.sanitizing.allow_lists import is_listed

_SETS = frozenset({"set", "frozenset"})
_COMMON = frozenset({"intersection", "difference"})


def left_of(node: cst.BinaryOperation, left: Value, facts: Facts) -> Value | None:
    """What `x & y` and `x - y` leave of sets; None where that is not known."""
    match node.operator:
        case cst.BitAnd() if is_listed(node.left, facts) or is_listed(node.right, facts):
            return CLEAN
        case cst.Subtract() if _is_set(node.left, facts) or _is_set(node.right, facts):
            return Value(left.all_taints)
    return None


def left_by(node: cst.Call, receiver: Value, facts: Facts) -> Value | None:
    """What `x.intersection(y)` and `x.difference(y)` leave of x; None where that is not known."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=of, attr=cst.Name(value=name)), args=[first, *_]
        ) if name in _COMMON:
            is_own = is_listed(of, facts) and not receiver.all_taints
            if is_own or (name == "intersection" and is_listed(first.value, facts)):
                return CLEAN
            return Value(receiver.all_taints)
    return None


def _is_set(node: cst.BaseExpression, facts: Facts) -> bool:
    made = facts.behind(node) if isinstance(node, cst.Name) else node
    match made:
        case cst.Set() | cst.SetComp():
            return True
        case cst.Call(func=cst.Name(value=name)):
            return name in _SETS
    return False
