"""Folding: what operators give where something is known of both sides."""

import operator
from collections.abc import Callable
from typing import Any

import libcst as cst

from vetbox.rules.numbers import numeric_places
from vetbox.rules.taint.values import CLEAN, UNKNOWN, Value, mixed

MAX_TEXT = 10_000
"""Longer constants are not folded."""
_FOLDS: dict[type[cst.CSTNode], Callable[[Any, Any], object]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.Divide: operator.truediv,
    cst.AddAssign: operator.add,
    cst.SubtractAssign: operator.sub,
    cst.MultiplyAssign: operator.mul,
}
_COMPARES: dict[type[cst.CSTNode], Callable[[Any, Any], object]] = {
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
    cst.In: lambda item, container: item in container,
    cst.NotIn: lambda item, container: item not in container,
    cst.Is: operator.is_,
    cst.IsNot: operator.is_not,
}
NUMBERS = (int, float)


def fold(operation: type[cst.CSTNode], left: Value, right: Value) -> object:
    """The operator's result on small constants of one kind."""
    operate, a, b = _FOLDS.get(operation), left.constant, right.constant
    both_text = isinstance(a, str) and isinstance(b, str) and len(a) + len(b) <= MAX_TEXT
    both_numbers = isinstance(a, NUMBERS) and isinstance(b, NUMBERS)
    if operate is None or not (both_numbers or (both_text and operate is operator.add)):
        return UNKNOWN
    try:
        return operate(a, b)
    except (ArithmeticError, ValueError):
        return UNKNOWN


def compare(operation: type[cst.CSTNode], left: Value, right: Value) -> object:
    """Whether a comparison holds between two constants."""
    holds = _COMPARES.get(operation)
    if holds is None or left.constant is UNKNOWN or right.constant is UNKNOWN:
        return UNKNOWN
    try:
        return bool(holds(left.constant, right.constant))
    except TypeError:
        return UNKNOWN


def after_percent(text: object, given: Value) -> Value:
    """What `text % given` holds of what is given: nothing of what stands for a number."""
    numeric = numeric_places(text)
    if numeric and all(numeric):
        return CLEAN
    exact = given.items is not None and given.is_sequence and len(given.items) == len(numeric)
    if not exact:
        return given
    parts = [given.item(place) for place, number in enumerate(numeric) if not number]
    return mixed([Value(given.taints), *parts])
