"""The data-flow graph's edges, each with the step that it takes and the functions it needs."""

import ast
from collections import defaultdict
from collections.abc import Sequence, Set
from enum import IntEnum
from typing import TYPE_CHECKING

from vetbox.rules.narrowing.aliasing import Alias, prefixes
from vetbox.rules.narrowing.markers import Marker
from vetbox.rules.narrowing.names import dotted, root
from vetbox.rules.narrowing.nodes import (
    Node,
    Nodes,
    all_kept,
    arriving,
    entering,
    field,
    filled,
    is_of,
    kept,
    variable,
)
from vetbox.rules.taint.reading.containers import ELEMENTS

if TYPE_CHECKING:
    from vetbox.rules.narrowing.functions import Function

_CLASSES = frozenset({"cls", "self.__class__"})


class Step(IntEnum):
    """How data gets from one node to the next: a path may only return to the call it came from."""

    WITHIN = 0
    """Inside one call of a function."""
    INTO = 1
    """Into a function, as an argument."""
    BACK = 2
    """Out of a function, to any of its calls."""
    ACROSS = 3
    """Through a field or a shared variable, which forgets the call it came from."""


class Edges:
    """The edges of the data-flow graph: `onward[n]` are the successors of n with their steps.

    `entering` are the nodes where data of a source marker begins, `arriving` those where data
    reaches a sink marker.
    """

    def __init__(self) -> None:
        self.onward: dict[Node, set[tuple[Node, Step]]] = defaultdict(set)
        self.entering: dict[Marker, set[Node]] = defaultdict(set)
        self.arriving: dict[Marker, set[Node]] = defaultdict(set)
        self.bound: dict[str, set[Function | None]] = defaultdict(set)
        """By attribute the functions that give it a value."""
        self.leaves: dict[Function | None, set[str]] = defaultdict(set)
        """By method the attributes of its object to which it adds something."""
        self.filled: dict[Function, set[str]] = defaultdict(set)
        """By function the parameters to which it adds something."""
        self.showing: set[Function | None] = set()
        """The functions that put something into a variable of the module or of a class."""
        self._movers: dict[Node | tuple[Node, Node], set[Function | None]] = defaultdict(set)
        self._local: set[tuple[Function | None, str]] = set()
        """The variables that a function assigns to."""
        self._others: set[tuple[Function | None, str]] = set()
        """Those among them that it declares to be another's: global or nonlocal."""
        self._touched: set[tuple[Function | None, str]] = set()
        """The variables whose objects are mutated."""
        self._aliases: list[Alias] = []
        self._function: Function | None = None
        self._owner: str | None = None
        self._body: str | None = None
        """The class whose body is read."""

    def movers(self, node: Node, target: Node) -> Set["Function | None"]:
        """The functions that move data along this edge between nodes of other functions."""
        return self._movers.get(node, set()) | self._movers.get((node, target), set())

    def _value(self, node: ast.expr) -> Nodes:
        """The nodes whose data an expression may hold."""
        raise NotImplementedError

    def _set(self, target: ast.Attribute, values: Nodes) -> None:
        """An attribute is given something."""
        raise NotImplementedError

    def _put_item(self, target: ast.Subscript, values: Nodes) -> None:
        """Assign to an element, which a `__setitem__` of the module may handle."""
        raise NotImplementedError

    def _family(self, owner: str | None) -> Set[str | None]:
        """A class with its bases and subclasses in the module."""
        raise NotImplementedError

    def _singles(self, of: ast.expr) -> Sequence[str]:
        """The class whose only object an expression may give, as `C.get()` does."""
        raise NotImplementedError

    def _flow(self, values: Nodes, target: Node) -> None:
        if not values:
            return
        own = self._function
        inward = (target, Step.ACROSS if self._is_foreign(target) else Step.WITHIN)
        across = (target, Step.ACROSS)
        for value in values:
            if is_of(value, own):
                self.onward[value].add(inward)
            else:
                self.onward[value].add(across)
                self._movers[value, target].add(own)

    def _step(self, value: Node, target: Node, step: Step) -> None:
        self.onward[value].add((target, step))
        if self._is_foreign(value):
            self._movers[value, target].add(self._function)

    def _is_foreign(self, node: Node) -> bool:
        """Is it a node of another function than the one that is read?"""
        return not is_of(node, self._function)

    def _end(self, marker: Marker, row: int) -> tuple[Node, Node]:
        """The nodes of a marker on a row: where data enters, and where it arrives."""
        ends = entering(marker, row), arriving(marker, row)
        self.entering[marker].add(ends[0])
        self.arriving[marker].add(ends[1])
        self._movers[ends[0]].add(self._function)
        return ends

    def _bind(self, target: ast.expr, values: Nodes) -> None:
        """Assign to a target of any form."""
        match target:
            case ast.Name(id=name):
                self._flow(values, variable(self._function, name))
                if self._body is not None:
                    self._flow(values, variable(None, f"{self._body}.{name}"))
                if (self._function, name) in self._others:
                    self._flow(values, variable(None, name))
                else:
                    self._local.add((self._function, name))
            case ast.Attribute(attr=attr):
                self.bound[attr].add(self._function)
                self._bind_path(dotted(target), values)
                self._set(target, values)
                if is_class(target.value):
                    self._bind_path(f"cls.{attr}", values)
                self._touch(dotted(target.value) or root(target))
                if dotted(target) is None:
                    self._put_into(target.value, values)
                for owner in self._singles(target.value):
                    self._flow(values, field(owner, attr))
            case ast.Subscript(value=container, slice=index):
                self._put_item(target, values)
                values = [*values, *self._value(index)]
                path = dotted(container) or root(container)
                self._flow(values, variable(self._function, path))
                self._show(path, values)
                self._put_into(container, values)
                self._bind_path(_attribute_meant(container, index), values)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._bind(part, values)
            case ast.Starred(value=inner):
                self._bind(inner, values)

    def _bind_path(self, path: str | None, values: Nodes) -> None:
        if path is None:
            return
        self._flow(values, variable(self._function, path))
        self._show(path, values)
        base, _, attribute = path.rpartition(".")
        if base in _CLASSES:
            self.showing.add(self._function)
            self._flow(values, variable(None, f"{self._owner}.{attribute}"))
        elif base == "self":
            self._leave(attribute, values)
        elif base.startswith("self."):
            self._leave(base.split(".")[1], values)
            self._flow(values, variable(self._function, base))
        else:
            self._flow(values, variable(self._function, base))

    def _show(self, path: str | None, values: Nodes) -> None:
        """Show the callers and the module what a parameter or a shared variable gets."""
        name = "" if path is None else path.partition(".")[0]
        if self._function is None or not name or name in ("self", "cls"):
            return
        if name in self._function.parameters:
            self.filled[self._function].add(name)
            self._flow(values, filled(self._function, name))
        elif (self._function, name) not in self._local:
            self.showing.add(self._function)
            self._flow(values, variable(None, path))

    def _leave(self, attribute: str, values: Nodes) -> None:
        """Put data into an attribute of `self`, for the other methods and the callers."""
        self.leaves[self._function].add(attribute)
        for owner in self._family(self._owner):
            self._flow(values, field(owner, attribute))
        own = kept(self._function, attribute)
        self._flow(values, own)
        self._step(own, all_kept(self._function), Step.WITHIN)

    def _touch(self, path: str | None) -> None:
        """Note that the object of a variable is mutated."""
        self._touched |= {(self._function, one) for one in prefixes(path or "")}

    def _put_into_aliases(self) -> bool:
        """Give mutated objects' aliases the same data; True where that mutated further objects."""
        changed, self._aliases, known = self._aliases, [], len(self._aliases)
        for alias in changed:
            if (alias.function, alias.variable) not in self._touched:
                self._aliases.append(alias)
                continue
            self._function = alias.function
            for place in alias.places:
                self._put_into(place, [variable(alias.function, alias.variable)])
        return len(self._aliases) < known

    def _put_into(self, container: ast.expr, values: Nodes) -> None:
        """Something is added to what a place holds."""
        while (around := _around(container)) is not None:
            container = around
        path = dotted(container) or _holder(container)
        self._touch(path)
        self._flow(values, variable(self._function, path))
        self._show(path, values)
        if isinstance(container, ast.Attribute):
            self._bind_path(path, values)


def _around(element: ast.expr) -> ast.expr | None:
    """What something is an element of and stays there: `x[k]`, `x.setdefault(k, {})`, `vars(x)`."""
    match element:
        case ast.Call(func=ast.Name(id="vars"), args=[of]):
            return of
        case ast.Subscript(value=around):
            return around
        case ast.Call(func=ast.Attribute(value=around, attr=name)) if name in ELEMENTS:
            return around
    return None


def _holder(node: ast.expr | None) -> str | None:
    """The variable at the start of `x.setdefault(k, {})["n"]`."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = _around(node) if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def is_class(node: ast.expr) -> bool:
    """Is it the class of the object itself: `type(self)`?"""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id="self")]):
            return True
    return dotted(node) in _CLASSES


def _attribute_meant(container: ast.expr, key: ast.expr) -> str | None:
    """`x.name` of `x.__dict__["name"]` and `vars(x)["name"]`; `name` of `globals()["name"]`."""
    match container, key:
        case ast.Call(func=ast.Name(id="globals")), ast.Constant(value=str() as name):
            return name
        case ast.Attribute(value=of, attr="__dict__"), ast.Constant(value=str() as name):
            pass
        case ast.Call(func=ast.Name(id="vars"), args=[of]), ast.Constant(value=str() as name):
            pass
        case _:
            return None
    path = dotted(of)
    return path and f"{path}.{name}"
