"""Edges: what may get what something else holds, and which functions see to it."""

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from vetbox.rules.narrowing.markers import Marker

if TYPE_CHECKING:
    from vetbox.rules.narrowing.functions import Function

Node: TypeAlias = tuple[object, ...]
"""(function, variable), (function,): what it returns, (class, None, field), (marker, row, end)."""
Nodes: TypeAlias = list[Node]
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
        self._function: Function | None = None

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
