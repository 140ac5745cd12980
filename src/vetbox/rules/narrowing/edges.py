"""Edges: what may get what something else holds, and which functions see to it."""

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from vetbox.rules.narrowing.functions import dotted, root
from vetbox.rules.narrowing.markers import Marker

if TYPE_CHECKING:
    from vetbox.rules.narrowing.functions import Function

Node: TypeAlias = tuple[object, ...]
"""(function, variable), (function,): what it returns, (class, None, field), (marker, row, end)."""
Nodes: TypeAlias = list[Node]
KEPT = "(kept)"
"""Stands for what a method leaves in its object."""
IN, OUT = True, False  # what enters where something is marked, and what arrives there


class Edges:
    """`onward[n]` are the nodes that may get what n holds.

    `movers` are the functions that move something into what is not their own. Of what a marker
    marks, `entering` holds its data and `arriving` gets all that is there.
    """

    def __init__(self) -> None:
        self.onward: dict[Node, set[Node]] = defaultdict(set)
        self.movers: dict[Node, set[Function | None]] = defaultdict(set)
        self.entering: dict[Marker, set[Node]] = defaultdict(set)
        self.arriving: dict[Marker, set[Node]] = defaultdict(set)
        self.bound: dict[str, set[Function | None]] = defaultdict(set)
        self._function: Function | None = None
        self._owner: str | None = None

    def _value(self, node: ast.expr) -> Nodes:
        """The nodes whose data an expression may hold."""
        raise NotImplementedError

    def _flow(self, values: Nodes, target: Node) -> None:
        if values and target[0] is not self._function:
            self.movers[target].add(self._function)
        for value in values:
            self.onward[value].add(target)

    def _end(self, marker: Marker, row: int) -> tuple[Node, Node]:
        """What enters on a row by a marker, and what arrives there."""
        ends = (marker, row, IN), (marker, row, OUT)
        self.entering[marker].add(ends[0])
        self.arriving[marker].add(ends[1])
        self.movers[ends[0]].add(self._function)
        return ends

    def _bind(self, target: ast.expr, values: Nodes) -> None:
        """Assign to a target of any form."""
        match target:
            case ast.Name(id=name):
                self._flow(values, (self._function, name))
            case ast.Attribute(attr=attr):
                self.bound[attr].add(self._function)
                self._bind_path(dotted(target), attr, values)
            case ast.Subscript(value=container, slice=index):
                values = [*values, *self._value(index)]
                self._flow(values, (self._function, dotted(container) or root(container)))
                self._put_into(container, values)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._bind(part, values)
            case ast.Starred(value=inner):
                self._bind(inner, values)

    def _bind_path(self, path: str | None, attr: str, values: Nodes) -> None:
        self._flow(values, (self._function, path))
        if path is not None and path.startswith("self."):
            self._flow(values, (self._owner, None, attr))
            self._flow(values, (self._function, KEPT))
        elif path is not None:
            self._flow(values, (self._function, path.rpartition(".")[0]))

    def _put_into(self, container: ast.expr, values: Nodes) -> None:
        """Something is added to what a place holds."""
        path = dotted(container)
        self._flow(values, (self._function, path))
        if isinstance(container, ast.Attribute) and path is not None:
            self._bind_path(path, container.attr, values)
