"""Paths through the graph: the nodes between sources and sinks, calls matched with returns."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property
from typing import TypeAlias

from vetbox.rules.narrowing.calls import Calls
from vetbox.rules.narrowing.circles import spread
from vetbox.rules.narrowing.edges import Step
from vetbox.rules.narrowing.markers import Marker
from vetbox.rules.narrowing.nodes import Node

_State: TypeAlias = tuple[Node, bool]
"""A node, and whether data in it may return to any call of the function that it is in.

Data that entered a function as an argument returns to that call alone, by an edge of its own
(`Calls.pass_through`).
"""
_Reached: TypeAlias = dict[_State, list[_State]]
"""The states that data reaches, each with its predecessors."""


class Ways:
    """Finds the paths through one graph."""

    def __init__(self, graph: Calls) -> None:
        self._graph = graph
        self._known: dict[frozenset[Node], Set[Node]] = {}

    def between(
        self, pairs: Mapping[str, tuple[Iterable[Marker], Iterable[Marker]]]
    ) -> dict[str, Set[Node]]:
        """By rule the nodes on every path from its sources to its sinks, where there is one."""
        entering, arriving = self._graph.entering, self._graph.arriving
        starts = {rule: _nodes(entering, sources) for rule, (sources, _) in pairs.items()}
        ends = {rule: _nodes(arriving, sinks) for rule, (_, sinks) in pairs.items()}
        near: dict[frozenset[Node], set[Node]] = {}  # many rules begin alike
        for rule in pairs:
            found = self._near(starts[rule], ends[rule])
            near[starts[rule]] = near.get(starts[rule], set()) | found
        if any(near.values()):
            self._graph.pass_through(set().union(*near.values()))
        reached = {begun: self._reached(begun, found) for begun, found in near.items()}
        ways = {rule: _leading(ends[rule], reached[starts[rule]]) for rule in pairs}
        return {rule: way for rule, way in ways.items() if way}

    def to(self, sinks: Iterable[Marker]) -> Set[Node]:
        """The nodes on any path to some sinks, wherever it begins."""
        ends = _nodes(self._graph.arriving, sinks)
        return ends | spread(ends, self._before)

    @cached_property
    def _before(self) -> Mapping[Node, Set[Node]]:
        before: dict[Node, set[Node]] = defaultdict(set)
        for node, steps in self._graph.onward.items():
            for target, _ in steps:
                before[target].add(node)
        return before

    def _near(self, starts: frozenset[Node], ends: Set[Node]) -> Set[Node]:
        """The nodes between both where returns need not match calls: a cheap superset."""
        arrived = ends & self._ahead(starts)
        return arrived | (self._ahead(starts) & spread(arrived, self._before))

    def _ahead(self, starts: frozenset[Node]) -> Set[Node]:
        known = self._known.get(starts)
        if known is None:
            onward = self._graph.onward
            known, new = set(starts), list(starts)
            while new:
                fresh = {target for target, _ in onward.get(new.pop(), ())} - known
                known |= fresh
                new += fresh
            self._known[starts] = known
        return known

    def _reached(self, starts: Set[Node], near: Set[Node]) -> _Reached:
        """The states that data reaches from some nodes, among those in `near`."""
        new: list[_State] = [(node, True) for node in starts & near]
        known: _Reached = {state: [] for state in new}
        while new:
            state = new.pop()
            for following in self._onward(*state):
                if following in known:
                    known[following].append(state)
                elif following[0] in near:
                    known[following] = [state]
                    new.append(following)
        return known

    def _onward(self, node: Node, free: bool) -> Iterator[_State]:
        for target, step in self._graph.onward.get(node, ()):
            if step is Step.WITHIN:
                yield target, free
            elif step is Step.INTO:
                yield target, False
            elif free or step is Step.ACROSS:
                yield target, True


def _nodes(ends: Mapping[Marker, Set[Node]], markers: Iterable[Marker]) -> frozenset[Node]:
    return frozenset(node for marker in markers for node in ends[marker])


def _leading(ends: Set[Node], reached: _Reached) -> Set[Node]:
    """The nodes of the states that lead to some ends, and these."""
    arrived = [state for state in reached if state[0] in ends]
    return {node for node, _ in (*arrived, *spread(arrived, reached))}
