"""Certainty: whether a condition holds of an expression, whatever the rest of the file says.

A condition that it denies here may hold: see conditions for those that surely do not.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from vetbox.rules.language import formula as f
from vetbox.rules.matching.measuring import OPERATORS, SCALARS, is_kind, same
from vetbox.rules.sifting.arguments import Given
from vetbox.rules.sifting.conditions import Conditions, parts_at
from vetbox.rules.sifting.values import decoded

_LENGTH = 1_000
"""Longer texts the judge may not want to look at."""
_LARGE = 10**9
_FORMS: Mapping[str, tuple[type[ast.expr], ...]] = {
    "call": (ast.Call,),
    "lambda": (ast.Lambda,),
    "name": (ast.Name, ast.Attribute),
    "list": (ast.List, ast.ListComp),
    "dict": (ast.Dict, ast.DictComp),
    "set": (ast.Set, ast.SetComp),
    "tuple": (ast.Tuple,),
}
Naming: TypeAlias = Callable[[ast.expr], str | None]
"""The only name of an expression, where it has one."""


class UnsureError(Exception):
    """More than plain names and constants has a say in it."""


def is_given(
    formula: f.Call,
    call: ast.Call,
    any_holds: Callable[[f.Condition, Sequence[ast.expr]], bool],
) -> bool:
    """Has a call surely the arguments that a formula asks for? Raises UnsureError."""
    if not (formula.arguments or formula.absent or formula.no_splat):
        return True
    given = Given.of(call)
    if given.splat or given.entries:
        raise UnsureError
    return not any(map(given.surely, formula.absent)) and all(
        any_holds(condition, given.candidates(argument) or ())
        for argument, condition in formula.arguments
    )


class Surely:
    """Answers for the expressions of one line."""

    def __init__(self, conditions: Conditions, naming: Naming) -> None:
        self._conditions, self._naming = conditions, naming

    def holds(self, condition: f.Condition, node: ast.expr) -> bool:
        check = _CHECKS.get(type(condition))
        return check is not None and check(self, condition, node)

    def _is(self, condition: f.Is, node: ast.expr) -> bool:
        word = condition.word
        if word == "any":
            return True
        if word in ("non_literal", "not_none") and self._conditions.constants.of(node) == ():
            return True
        if isinstance(node, _FORMS.get(word, ())):
            return True
        test = _OF_CONSTANTS.get(word)
        return test is not None and _value(lambda _, value: test(value))(self, condition, node)

    def _named(self, condition: f.Named, node: ast.expr) -> bool:
        name = self._naming(node)
        return name is not None and name.removesuffix("()") in condition.names

    def _item(self, condition: f.Item, node: ast.expr) -> bool:
        parts = parts_at(node, condition.key)
        return any(self.holds(condition.element, part) for part in parts)

    def _unlike(self, condition: f.Unlike, node: ast.expr) -> bool:
        return not self._conditions.may_hold(condition.part, node)


def _is_simple(node: Any) -> bool:
    """Is it a constant that the judge reads as it is?"""
    if not isinstance(node, ast.Constant):
        return False
    value = node.value
    if isinstance(value, (str, bytes)):
        return len(value) <= _LENGTH
    if isinstance(value, int):
        return abs(value) < _LARGE
    return value is None


_OF_CONSTANTS: Mapping[str, Callable[[Any], bool]] = {
    "literal": lambda value: True,
    "truthy": bool,
    "falsy": lambda value: not value,
    "none": lambda value: value is None,
    "not_none": lambda value: value is not None,
    "name": lambda value: value is None or isinstance(value, bool),
    **{word: partial(is_kind, kinds=kinds) for word, kinds in SCALARS.items()},
}


def _value(test: Callable[[Any, Any], bool]) -> Callable[[Surely, Any, Any], bool]:
    return lambda own, condition, node: _is_simple(node) and test(condition, node.value)


def _compares(condition: f.Compare, value: object) -> bool:
    return isinstance(value, int) and OPERATORS[condition.operator](value, condition.bound)


_CHECKS: Mapping[type[object], Callable[[Surely, Any, ast.expr], bool]] = {
    f.Is: Surely._is,
    f.Named: Surely._named,
    f.Item: Surely._item,
    f.Unlike: Surely._unlike,
    f.Regex: _value(lambda c, v: isinstance(v, (str, bytes)) and f.re2_search(c.regex, decoded(v))),
    f.In: _value(lambda c, v: any(same(v, wanted) for wanted in c.values)),
    f.Compare: _value(_compares),
    f.Bits: _value(lambda c, v: isinstance(v, int) and bool(v & c.mask)),
    f.Both: lambda own, c, node: all(own.holds(part, node) for part in c.parts),
    f.Either: lambda own, c, node: any(own.holds(part, node) for part in c.parts),
}
