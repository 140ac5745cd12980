"""Specialization: functions read once per constant that a call passes, `run(x, shell=False)`."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping

import libcst as cst

from vetbox.rules.patterns.tree import children
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.calls.binding import bind_arguments
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.values import CLEAN, Value
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.walk import Kinds, identifier

MAX_WAYS = 6
"""Specializations of one function; further calls are taken for the function itself."""
_TOLD = (bool, int, str, type(None))
_BOUND = frozenset({"staticmethod", "classmethod"})
_READING = frozenset({"get", "pop", "setdefault"})
_IS_DEFINITION = Kinds(cst.FunctionDef, cst.ClassDef)
_ASKS: Mapping[type[cst.CSTNode], str] = {
    **dict.fromkeys((cst.If, cst.While, cst.IfExp, cst.Assert), "test"),
    cst.Match: "subject",
    cst.Index: "value",
}
"""By type of node: the field that decides which branch, or which element, is taken."""


class Specializations:
    """The functions of a module for the constants that calls pass to them: each is read once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._flags: dict[int, frozenset[str]] = {}
        self._known: dict[Hashable, Function] = {}
        self._ways: Counter[int] = Counter()

    def as_called(
        self, function: Function, call: cst.Call, arguments: Mapping[int, Value]
    ) -> Function:
        """The function with the constants of a call for those parameters that it branches on."""
        told = dict(self._told(function, call, arguments))
        if not told:
            return function
        way = Function(function.node, function.owner, function.outer, told)
        if way.key not in self._known:
            if self._ways[id(function.node)] >= MAX_WAYS:
                return function
            self._ways[id(function.node)] += 1
            self._known[way.key] = way
        return self._known[way.key]

    def _told(
        self, function: Function, call: cst.Call, arguments: Mapping[int, Value]
    ) -> Iterator[tuple[str, Hashable]]:
        flags = self._flags_of(function)
        if not flags:
            return
        left = {identifier(one.name): one for one in function.parameters}
        for bound in bind_arguments(function, call):
            name = identifier(bound.parameter.name)
            left.pop(name, None)
            value = arguments.get(id(bound.value), CLEAN)
            is_known = bound.part is UNKNOWN and isinstance(value.constant, _TOLD)
            if name in flags and is_known:
                yield name, value.constant
        for name, parameter in left.items():
            default = None if parameter.default is None else self._facts.constant(parameter.default)
            if name in flags and parameter.default is not None and isinstance(default, _TOLD):
                yield name, default

    def _flags_of(self, function: Function) -> frozenset[str]:
        """The parameters that it branches on, where no nested function may read them."""
        key = id(function.node)
        if key not in self._flags:
            asked = _asked_in(function.node.body) if _is_plain(function) else None
            names = {identifier(one.name) for one in function.parameters if not one.star}
            self._flags[key] = frozenset() if asked is None else asked & names
        return self._flags[key]


def _is_plain(function: Function) -> bool:
    """Does a call run its body, and not that of a decorator?"""
    return all(path_of(one.decorator) in _BOUND for one in function.node.decorators)


def _is_reading(call: cst.Call) -> bool:
    """Does its first argument say which element is meant?"""
    func = call.func
    return isinstance(func, cst.Attribute) and func.attr.value in _READING and bool(call.args)


def _asked_in(body: cst.CSTNode) -> frozenset[str] | None:
    """The names in its tests, subjects and keys; None where a nested function may use them too."""
    names: set[str] = set()
    left: list[tuple[cst.CSTNode, bool]] = [(body, False)]
    while left:
        node, asks = left.pop()
        kind = type(node)
        if _IS_DEFINITION[kind]:
            return None
        if asks and isinstance(node, cst.Name):
            names.add(identifier(node))
        asked = _ASKS.get(kind)
        if asked is not None:
            left.append((getattr(node, asked), True))
        elif kind is cst.Call and isinstance(node, cst.Call) and _is_reading(node):
            left.append((node.args[0].value, True))
        left += [(child, asks) for child in children(node)]
    return frozenset(names)
