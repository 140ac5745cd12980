"""Conditions on values of a whole tree, and on the modules that it imports."""

import ast
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from vetbox.rules.language import formula as f
from vetbox.rules.language.resemblance import resembled
from vetbox.rules.screening.composing import TreeConstants
from vetbox.rules.sifting.conditions import Conditions
from vetbox.rules.sifting.values import decoded


class TreeConditions(Conditions):
    """Conditions on the expressions of a whole tree, whose names are followed further."""

    def __init__(self, constants: TreeConstants, may_be: Callable[..., bool]) -> None:
        super().__init__(constants.assignments, constants)
        self._may_be = may_be

    def may_hold(self, condition: f.Condition, node: ast.expr) -> bool:
        if isinstance(condition, f.Named):  # a call of it counts as well
            called = isinstance(node, ast.Call) and self._may_be(condition.names, node.func)
            return called or self._may_be(condition.names, node, made=True)
        if isinstance(condition, f.Regex) and isinstance(node, ast.Constant):  # most that are asked
            text = node.value
            return isinstance(text, (str, bytes)) and f.re2_search(condition.regex, decoded(text))
        return super().may_hold(condition, node)

    def made(self, formatted: Iterable[ast.JoinedStr]) -> Sequence[str] | None:
        """What formatted texts come out as; None where one may be anything."""
        found = [self._texts_of(one) for one in formatted]
        told = [texts[0] for texts in found if texts and len(texts) == 1]
        return told if len(told) == len(found) else None


def is_module(formula: f.Import, module: str) -> bool:
    """Is it one of those that a formula looks for, a module of theirs, or like one of them?"""
    above = accumulate(module.split("."), "{}.{}".format)
    if any(name in formula.modules for name in above):
        return True
    return resembled(module.partition(".")[0], formula.resembles) is not None


class Spelt:
    """Texts one part of which is among some names."""

    def __init__(self, names: f.Names) -> None:
        self._names = names

    def __contains__(self, text: object) -> bool:
        return any(part in self._names for part in str(text).split("."))
