"""Ways through a graph: the nodes between what enters at some places and what arrives at others."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from typing import TypeAlias

from vetbox.rules.narrowing.calls import Calls
from vetbox.rules.narrowing.circles import spread
from vetbox.rules.narrowing.edges import Node, Step
from vetbox.rules.narrowing.markers import Marker

_State: TypeAlias = tuple[Node, bool]
"""A node, and whether data in it may come back to any call of the function that it is in.

What has been put into a function comes back at the call that put it in, and nowhere else: that is a
step of its own (`Calls.pass_through`).
"""
_Reached: TypeAlias = dict[_State, list[_State]]
"""The states that data gets to, each with those that lead there."""


class Ways:
    """Finds the ways through one graph."""

    def __init__(self, graph: Calls) -> None:
        self._graph = graph
        self._is_passed_through = False
        self._known: dict[frozenset[Node], _Reached] = {}

    def between(self, sources: Iterable[Marker], sinks: Iterable[Marker]) -> set[Node]:
        """The nodes on every way from a source to a sink; none when there is none."""
        starts = {node for marker in sources for node in self._graph.entering[marker]}
        ends = {node for marker in sinks for node in self._graph.arriving[marker]}
        if not self._is_near(starts, ends):
            return set()
        if not self._is_passed_through:
            self._graph.pass_through()
            self._is_passed_through = True
        return self._on_the_way(starts, ends)

    def to(self, sinks: Iterable[Marker]) -> set[Node]:
        """The nodes from which anything may arrive."""
        before: dict[Node, set[Node]] = defaultdict(set)
        for node, steps in self._graph.onward.items():
            for target, _ in steps:
                before[target].add(node)
        ends = {node for marker in sinks for node in self._graph.arriving[marker]}
        return ends | spread(ends, before)

    def _is_near(self, starts: Set[Node], ends: Set[Node]) -> bool:
        """Is there a way when all that comes back from a function may do so anywhere?"""
        found, new = set(starts), list(starts)
        while new and found.isdisjoint(ends):
            fresh = {target for target, _ in self._graph.onward.get(new.pop(), ())} - found
            found |= fresh
            new += fresh
        return not found.isdisjoint(ends)

    def _on_the_way(self, starts: Set[Node], ends: Set[Node]) -> set[Node]:
        before = self._reached(frozenset(starts))
        arrived = [state for state in before if state[0] in ends]
        return {node for node, _ in (*arrived, *spread(arrived, before))}

    def _reached(self, starts: frozenset[Node]) -> "_Reached":
        """All that data gets to from some places, worked out once: many rules begin alike."""
        known = self._known.get(starts)
        if known is None:
            new: list[_State] = [(node, True) for node in starts]
            known = self._known[starts] = {state: [] for state in new}
            while new:
                state = new.pop()
                for following in self._onward(*state):
                    if following not in known:
                        known[following] = []
                        new.append(following)
                    known[following].append(state)
        return known

    def _onward(self, node: Node, free: bool) -> Iterator[_State]:
        for target, step in self._graph.onward.get(node, ()):
            if step is Step.WITHIN:
                yield target, free
            elif step is Step.INTO:
                yield target, False
            elif free or step is Step.ACROSS:
                yield target, True
