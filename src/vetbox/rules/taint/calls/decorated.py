"""Decorators of the module: the functions that their parameter stands for."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import libcst as cst

from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.dynamic_calls import given_by
from vetbox.rules.taint.calls.functions import FunctionIndex
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.values import Value
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.walk import identifier, last_word

_DISPATCHING = frozenset({"singledispatch", "singledispatchmethod"})


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

    def wrappers(self, function: Function) -> Iterator[Function]:
        """The wrappers that decorators of the module put in a function's place."""
        for one in function.node.decorators:
            is_made = isinstance(one.decorator, cst.Call)
            func = one.decorator.func if isinstance(one.decorator, cst.Call) else one.decorator
            outer = self._index.called(func, None) if isinstance(func, cst.Name) else None
            for _ in range(1 + is_made):
                outer = None if outer is None else given_by(outer, self._index)
            if outer is not None:
                yield outer

    def with_registered(
        self, functions: Sequence[Function], arguments: Iterable[Value]
    ) -> Sequence[Function]:
        """The functions, with those that `@f.register` makes a call of them choose from."""
        if not functions or not self._registered:
            return functions
        names = [identifier(one.node.name) for one in functions if _dispatches(one)]
        others = [one for name in names for one in self._registered.get(name, ())]
        decides = next((one.constant for one in arguments), UNKNOWN)
        types = [_type_of(one) for one in others]
        if decides is UNKNOWN or not all(types):
            return [*functions, *others]
        fitting = {one.__name__ for one in type(decides).__mro__[:-1]}
        chosen = [one for one, of in zip(others, types, strict=True) if of in fitting]
        return chosen or functions

    @cached_property
    def _registered(self) -> Mapping[str, Sequence[Function]]:
        found: dict[str, list[Function]] = defaultdict(list)
        for function in self._index.functions:
            for func in _decorating(function):
                if isinstance(func, cst.Attribute) and identifier(func.attr) == "register":
                    found[last_word(func.value)].append(function)
        return found

    @cached_property
    def _around(self) -> Mapping[int, Function]:
        """The function that defines another at once, by the node of that."""
        index = self._index
        return {id(one.node): outer for outer in index.functions for one in index.defined_in(outer)}

    @cached_property
    def _by_decorator(self) -> Mapping[str, Sequence[Function]]:
        found: dict[str, list[Function]] = defaultdict(list)
        for function in self._index.functions:
            for func in _decorating(function):
                if isinstance(func, cst.Name) and self._index.has(identifier(func)):
                    found[identifier(func)].append(function)
        return found


def _decorating(function: Function) -> Iterator[cst.BaseExpression]:
    """What decorates a function, or makes what does."""
    for one in function.node.decorators:
        yield one.decorator.func if isinstance(one.decorator, cst.Call) else one.decorator


def _type_of(function: Function) -> str:
    """The type for which a function is registered, if it is a plain name."""
    for one in function.node.decorators:
        match one.decorator:
            case cst.Call(func=cst.Attribute(attr=cst.Name("register")), args=[cst.Arg(of)]):
                return path_of(of) or ""
    first = function.parameters[function.takes_instance :][:1]
    said = [one.annotation.annotation for one in first if one.annotation is not None]
    return (path_of(said[0]) or "") if said else ""


def _dispatches(function: Function) -> bool:
    """Does the type of an argument decide which function is called?"""
    return any(last_word(one.decorator) in _DISPATCHING for one in function.node.decorators)
