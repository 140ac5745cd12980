"""Cycles of a graph: its strongly connected components, and what can be reached from nodes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


def circles(edges: Mapping[T, Iterable[T]]) -> dict[T, int]:
    """A number for each node in a circle, the same for those that share one."""
    back: dict[T, set[T]] = defaultdict(set)
    for node, following in edges.items():
        for other in following:
            back[other].add(node)
    found: dict[T, int] = {}
    numbered: set[T] = set()
    for number, node in enumerate(reversed(_finished(edges))):
        if node not in numbered:
            circle = spread([node], back, numbered)
            numbered |= circle | {node}
            found |= dict.fromkeys(circle, number)
    return found


def spread(start: Iterable[T], edges: Mapping[T, Iterable[T]], without: Iterable[T] = ()) -> set[T]:
    """The nodes that can be got to in one step or more, without going through some."""
    closed = set(without)
    found: set[T] = set()
    new = list(start)
    while new:
        fresh = set(edges.get(new.pop(), ())) - found - closed
        found |= fresh
        new += fresh
    return found


def _finished(edges: Mapping[T, Iterable[T]]) -> list[T]:
    """Every node after all that it leads to, as far as circles allow."""
    done: list[T] = []
    seen: set[T] = set()
    for start in edges:
        ways: list[tuple[T, Iterator[T]]] = [] if start in seen else [(start, iter(edges[start]))]
        seen.add(start)
        while ways:
            other = next((one for one in ways[-1][1] if one not in seen), None)
            if other is None:
                done.append(ways.pop()[0])
            else:
                seen.add(other)
                ways.append((other, iter(edges.get(other, ()))))
    return done
