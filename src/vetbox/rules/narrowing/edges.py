"""Edges: what may get what something else holds, by which step, and which functions see to it."""

import ast
from collections import defaultdict
from collections.abc import Set
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

from vetbox.rules.narrowing.aliasing import Alias, prefixes
from vetbox.rules.narrowing.functions import dotted, root
from vetbox.rules.narrowing.markers import Marker
from vetbox.rules.taint.containers import ELEMENTS

if TYPE_CHECKING:
    from vetbox.rules.narrowing.functions import Function

Node: TypeAlias = tuple[object, ...]
"""(function, variable); (function,): what it returns; (function, KEPT, attribute): what it leaves
in its object, (function, KEPT): in any attribute; (function, FILLED, parameter): in what it is
given; (function, THROWN): in its exceptions; (FIELD, class, attribute);
(marker, row, end); (call, function), which is a number and what is called: what the call gives;
(call, function, KEPT …) and (call, function, FILLED, parameter): what it leaves in there."""
Nodes: TypeAlias = list[Node]
KEPT = "(kept)"
FILLED = "(filled)"
FIELD = "(field)"
THROWN = "(thrown)"
LOCALS = "(locals)"
IN, OUT = True, False  # what enters where something is marked, and what arrives there


_CLASSES = frozenset({"cls", "self.__class__"})
_PLACES = frozenset({int, Marker})


class Step(IntEnum):
    """How data gets from one node to the next.

    `WITHIN` a function as it is called here; `INTO` a function, as an argument; `BACK` out of it to
    any of its calls; `ACROSS`, where it may have come from whatever call: through a field, a
    variable of the module or of a function around.
    """

    WITHIN = 0
    INTO = 1
    BACK = 2
    ACROSS = 3


class Edges:
    """`onward[n]` are the nodes that may get what n holds, each with the step.

    Of what a marker marks, `entering` holds its data and `arriving` gets all that is there.
    """

    def __init__(self) -> None:
        self.onward: dict[Node, set[tuple[Node, Step]]] = defaultdict(set)
        self.entering: dict[Marker, set[Node]] = defaultdict(set)
        self.arriving: dict[Marker, set[Node]] = defaultdict(set)
        self.bound: dict[str, set[Function | None]] = defaultdict(set)
        self.leaves: dict[Function | None, set[str]] = defaultdict(set)
        self._movers: dict[Node | tuple[Node, Node], set[Function | None]] = defaultdict(set)
        self.showing: set[Function | None] = set()
        self.filled: dict[Function, set[str]] = defaultdict(set)
        self._local: set[tuple[Function | None, str]] = set()
        self._others: set[tuple[Function | None, str]] = set()
        self._touched: set[tuple[Function | None, str]] = set()
        self._aliases: list[Alias] = []
        self._function: Function | None = None
        self._owner: str | None = None

    def movers(self, node: Node, target: Node) -> Set["Function | None"]:
        """The functions that move on what a node holds that is no variable of theirs."""
        return self._movers.get(node, set()) | self._movers.get((node, target), set())

    def _value(self, node: ast.expr) -> Nodes:
        """The nodes whose data an expression may hold."""
        raise NotImplementedError

    def _set(self, target: ast.Attribute, values: Nodes) -> None:
        """An attribute is given something."""
        raise NotImplementedError

    def _put_item(self, target: ast.Subscript, values: Nodes) -> None:
        """An element is given something, which a method may see to."""
        raise NotImplementedError

    def _family(self, owner: str | None) -> Set[str | None]:
        """A class with all that its objects may be of as well."""
        raise NotImplementedError

    def _flow(self, values: Nodes, target: Node) -> None:
        if not values:
            return
        own = self._function
        inward = (target, Step.ACROSS if self._is_foreign(target) else Step.WITHIN)
        across = (target, Step.ACROSS)
        for value in values:
            if value[0] is own or value[0].__class__ in _PLACES:
                self.onward[value].add(inward)
            else:
                self.onward[value].add(across)
                self._movers[value, target].add(own)

    def _step(self, value: Node, target: Node, step: Step) -> None:
        self.onward[value].add((target, step))
        if self._is_foreign(value):
            self._movers[value, target].add(self._function)

    def _is_foreign(self, node: Node) -> bool:
        """Is it no variable of the function that is read, and nothing that stands in it?"""
        return node[0] is not self._function and node[0].__class__ not in _PLACES

    def _end(self, marker: Marker, row: int) -> tuple[Node, Node]:
        """What enters on a row by a marker, and what arrives there."""
        ends = (marker, row, IN), (marker, row, OUT)
        self.entering[marker].add(ends[0])
        self.arriving[marker].add(ends[1])
        self._movers[ends[0]].add(self._function)
        return ends

    def _bind(self, target: ast.expr, values: Nodes) -> None:
        """Assign to a target of any form."""
        match target:
            case ast.Name(id=name):
                self._flow(values, (self._function, name))
                if (self._function, name) in self._others:
                    self._flow(values, (None, name))
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
            case ast.Subscript(value=container, slice=index):
                self._put_item(target, values)
                values = [*values, *self._value(index)]
                path = dotted(container) or root(container)
                self._flow(values, (self._function, path))
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
        self._flow(values, (self._function, path))
        self._show(path, values)
        base, _, attribute = path.rpartition(".")
        if base in _CLASSES:
            self.showing.add(self._function)
            self._flow(values, (None, f"{self._owner}.{attribute}"))
        elif base == "self":
            self._leave(attribute, values)
        else:
            self._flow(values, (self._function, base))

    def _show(self, path: str | None, values: Nodes) -> None:
        """Something is put into what others may see as well: who calls, or the module."""
        name = "" if path is None else path.partition(".")[0]
        if self._function is None or not name or name in ("self", "cls"):
            return
        if name in self._function.parameters:
            self.filled[self._function].add(name)
            self._flow(values, (self._function, FILLED, name))
        elif (self._function, name) not in self._local:
            self.showing.add(self._function)
            self._flow(values, (None, path))

    def _leave(self, attribute: str, values: Nodes) -> None:
        """A method leaves something in its object, for the other methods and for who calls it."""
        self.leaves[self._function].add(attribute)
        for owner in self._family(self._owner):
            self._flow(values, (FIELD, owner, attribute))
        self._flow(values, (self._function, KEPT, attribute))
        self._step((self._function, KEPT, attribute), (self._function, KEPT), Step.WITHIN)

    def _touch(self, path: str | None) -> None:
        """Something is put into the object that a place holds."""
        self._touched |= {(self._function, one) for one in prefixes(path or "")}

    def _put_into_aliases(self) -> bool:
        """What objects were given is in all of their places; were there more of them?"""
        changed, self._aliases, known = self._aliases, [], len(self._aliases)
        for alias in changed:
            if (alias.function, alias.variable) not in self._touched:
                self._aliases.append(alias)
                continue
            self._function = alias.function
            for place in alias.places:
                self._put_into(place, [(alias.function, alias.variable)])
        return len(self._aliases) < known

    def _put_into(self, container: ast.expr, values: Nodes) -> None:
        """Something is added to what a place holds."""
        match container:
            case ast.Call(func=ast.Attribute(value=around, attr=name)) if name in ELEMENTS:
                container = around
        path = dotted(container) or root(container)
        self._touch(path)
        self._flow(values, (self._function, path))
        self._show(path, values)
        if isinstance(container, ast.Attribute):
            self._bind_path(path, values)


def is_class(node: ast.expr) -> bool:
    """Is it the class of the object itself: `type(self)`?"""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id="self")]):
            return True
    return dotted(node) in _CLASSES


def _attribute_meant(container: ast.expr, key: ast.expr) -> str | None:
    """`x.name` of `x.__dict__["name"]` and `vars(x)["name"]`."""
    match container, key:
        case ast.Attribute(value=of, attr="__dict__"), ast.Constant(value=str() as name):
            pass
        case ast.Call(func=ast.Name(id="vars"), args=[of]), ast.Constant(value=str() as name):
            pass
        case _:
            return None
    path = dotted(of)
    return path and f"{path}.{name}"
