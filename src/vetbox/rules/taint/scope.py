"""The scope: the function body an expression stands in, as whoever evaluates that sees it."""

from collections.abc import Callable, Mapping, Set
from contextlib import AbstractContextManager
from typing import Protocol

import libcst as cst

from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.summaries import Summary
from vetbox.rules.taint.data.taints import Taints
from vetbox.rules.taint.data.values import Value
from vetbox.rules.taint.reading.environment import Environment


class Scope(Protocol):
    """The function body in which an expression is evaluated; `statements.Reader` is one."""

    owner: str | None
    env: Environment
    summary: Summary
    given: set[str]
    """The parameters that have not been assigned to yet."""
    within: Function | None
    """The function itself; None in the body of the module or of a class."""

    caught: Value
    """What the exception holds that the handler around has caught."""

    def bind(self, target: cst.CSTNode, value: Value) -> None:
        """Assign to a target of any form."""

    def value(self, node: cst.BaseExpression | None) -> Value:
        """What an expression may hold here."""
        ...

    def clean_names(self, node: cst.CSTNode, kinds: frozenset[str]) -> None:
        """Every variable named in an expression passed these sanitizers."""

    def aside(self) -> AbstractContextManager[None]:
        """Within it tests may be trusted; afterwards the environment is as before."""
        ...

    def own_variables(self, names: Set[str]) -> AbstractContextManager[None]:
        """Variables that are an expression's own; behind it their names stand for what they did."""
        ...

    def branch(self, read: Callable[[], None]) -> Environment:
        """The environment after reading something, with this one left as it was."""
        ...

    def trust(self, test: cst.BaseExpression) -> None:
        """A test holds from here on."""

    def keep(self, place: cst.BaseExpression, kept: Mapping[str, Value]) -> None:
        """The attributes of the object at a place gain something."""

    def change(self, path: str, value: Value) -> None:
        """What a variable holds has changed."""

    def link_part(self, place: cst.BaseExpression, container: cst.BaseExpression) -> None:
        """An object was put into a container."""

    def shared(self, path: str) -> Value:
        """What functions have put into a variable that others see as well."""
        ...

    def add(self, place: cst.BaseExpression, taints: Taints) -> None:
        """Something is put into what a place holds."""

    def gain(self, place: cst.BaseExpression, gained: Value) -> None:
        """What a place holds gains something."""

    def variable_meant(self, target: cst.Subscript) -> cst.Name | None:
        """The variable of the module that an element of `globals()` is."""
        ...

    def held(self, place: cst.BaseExpression) -> Value | None:
        """What a place holds; None where it is neither a variable nor in one."""
        ...

    def put(self, place: cst.BaseExpression, value: Value) -> None:
        """Say what a place holds now."""

    def throw(self, value: Value) -> None:
        """An exception may be raised here that holds something."""

    def value_where(
        self, test: cst.BaseExpression, node: cst.BaseExpression, *, holds: bool
    ) -> Value:
        """What an expression may hold where a test holds, or where it fails."""
        ...
