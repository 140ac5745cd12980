"""Decorators of the module: the functions that their parameter stands for."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import libcst as cst

from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.functions import FunctionIndex
from vetbox.rules.walk import identifier


class Decorated:
    """What the decorators of a module decorate that are functions of it."""

    def __init__(self, index: FunctionIndex) -> None:
        self._index = index

    def handed_to(self, inner: Function, parameter: str) -> Sequence[Function]:
        """The functions that a parameter stands for of the decorator that a function is in."""
        outer = self._around.get(id(inner.node)) if self._by_decorator else None
        names = () if outer is None else [identifier(one.name) for one in outer.parameters]
        if outer is None or parameter not in names:
            return ()
        factory = self._around.get(id(outer.node))
        words = {identifier(one.node.name) for one in (outer, factory) if one is not None}
        return [one for word in sorted(words) for one in self._by_decorator.get(word, ())]

    @cached_property
    def _around(self) -> Mapping[int, Function]:
        """The function that defines another at once, by the node of that."""
        index = self._index
        return {id(one.node): outer for outer in index.functions for one in index.defined_in(outer)}

    @cached_property
    def _by_decorator(self) -> Mapping[str, Sequence[Function]]:
        found: dict[str, list[Function]] = defaultdict(list)
        for function in self._index.functions:
            for one in function.node.decorators:
                made = one.decorator
                func = made.func if isinstance(made, cst.Call) else made
                if isinstance(func, cst.Name) and self._index.has(identifier(func)):
                    found[identifier(func)].append(function)
        return found
