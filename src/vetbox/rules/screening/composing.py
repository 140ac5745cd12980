"""Composed texts: may a program put a name together that it does not write as a whole?

Asked with the constants of sifting: what the folder can work out is among them, or they are ANY.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Mapping, Set
from functools import cached_property
from typing import Any

from vetbox.rules.screening.endings import Endings
from vetbox.rules.screening.leads import Leads
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.sifting.assignments import GIVING, given_by
from vetbox.rules.sifting.values import ANY, CONSTANTS, Constants, Values

_JOINING = frozenset(
    {ast.AugAssign, ast.BinOp, ast.JoinedStr, ast.Call, ast.Subscript}
    | {ast.ListComp, ast.GeneratorExp}
)
_NONE = ()
_DEPTH = 6


class TreeGivens:
    """What the names of a whole tree may have been given, scopes left aside."""

    def __init__(self, words: Occurrences) -> None:
        self._words = words
        self._values: dict[str, list[ast.expr]] = defaultdict(list)
        self._unread: set[str] = set()
        for node in words.of(GIVING):
            for name, value in given_by(node):
                if value is None:
                    self._unread.add(name)
                else:
                    self._values[name].append(value)

    def of(self, name: str) -> tuple[ast.expr, ...] | None:
        """The whole values that a name is assigned somewhere; None when they are not read."""
        return None if name in self._unread else tuple(self._values.get(name, ()))

    def anywhere(self, name: str) -> tuple[ast.expr, ...] | None:
        return self.of(name)

    def is_member(self, name: str) -> bool:
        """Whether a name may stand for something that is called otherwise."""
        return name in self._words.given

    is_bound = is_member
    is_unpacked = is_member
    is_anything = is_member


class TreeConstants(Constants):
    """The constants of a whole tree, where names lead only to what is written."""

    def __init__(self, leads: Leads) -> None:
        super().__init__(TreeGivens(leads.words))
        self._leads = leads
        self.endings = Endings(leads)

    @cached_property
    def are_composed(self) -> bool:
        """May some text be worked out that is not written as a whole?"""
        return any(_composed(node, self) for node in self._leads.words.of(_JOINING))

    def of(self, node: ast.expr, depth: int = _DEPTH) -> Values:
        self._leads.spend(1)
        read = _READERS.get(type(node)) if depth else None
        return super().of(node, depth) if read is None else read(self, node, depth - 1)

    def _may_be(self, callee: ast.expr, words: Set[str]) -> bool:
        ends = self.endings.of(callee)
        if ends is not None:
            return not ends.isdisjoint(words)
        return self._leads.leads_to(words, callee)

    def _attribute(self, node: ast.Attribute, depth: int) -> Values:
        if self._may_be(node, CONSTANTS):
            return ANY
        held = isinstance(node.value, ast.Name) and node.attr in self._leads.words.in_classes
        return self._name(ast.Name(node.attr), depth) if held else _NONE

    def _subscript(self, node: ast.Subscript, depth: int) -> Values:
        values = self.of(node.value, depth)
        if values is not ANY and not any(map(_says, values)):
            return _NONE
        is_part = isinstance(node.slice, ast.Slice)
        return ANY if is_part or self.of(node.slice, depth) != _NONE else _NONE

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, depth: int) -> Values:
        return self._all([loop.iter for loop in node.generators], depth)

    def may_be_text(self, node: ast.expr, depth: int = _DEPTH) -> bool:
        """May it be a text, or hold one?"""
        self._leads.spend(1)
        match node:
            case ast.Constant(value=value):
                return isinstance(value, (str, bytes))
            case ast.BinOp(left=left, right=right):
                return not depth or any(self.may_be_text(one, depth - 1) for one in (left, right))
            case ast.UnaryOp():
                return False
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return not depth or any(self.may_be_text(one, depth - 1) for one in parts)
            case ast.Name(id=name):
                given = self.assignments.of(name)
                return (
                    given is None
                    or not depth
                    or any(self.may_be_text(one, depth - 1) for one in given)
                )
        return True


_READERS: Mapping[type[ast.expr], Callable[[TreeConstants, Any, int], Values]] = {
    ast.Attribute: TreeConstants._attribute,
    ast.Subscript: TreeConstants._subscript,
    ast.ListComp: TreeConstants._comprehension,
    ast.GeneratorExp: TreeConstants._comprehension,
}


def _composed(node: ast.expr | ast.AugAssign, constants: TreeConstants) -> bool:
    if isinstance(node, ast.AugAssign):
        return _composed(ast.BinOp(node.target, node.op, node.value), constants)
    values = constants.of(node)
    if values is ANY:
        return constants.may_be_text(node)
    return any(map(_says, values))


def _says(value: object) -> bool:
    """Is it a text, or does it hold one?"""
    if isinstance(value, Mapping):
        value = (*value, *value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(map(_says, value))
    return isinstance(value, (str, bytes))
