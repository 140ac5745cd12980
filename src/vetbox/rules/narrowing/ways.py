"""Ways through a graph: the nodes between what enters at some places and what arrives at others."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set

from vetbox.rules.narrowing.circles import spread
from vetbox.rules.narrowing.edges import Edges, Node
from vetbox.rules.narrowing.markers import Marker


def between(graph: Edges, sources: Iterable[Marker], sinks: Iterable[Marker]) -> set[Node]:
    """The nodes on every way from a source to a sink; none when there is none."""
    starts = {node for marker in sources for node in graph.entering[marker]}
    further: set[Node] = spread(starts, graph.onward)
    reached = starts | further
    ends = {node for marker in sinks for node in graph.arriving[marker]} & reached
    if not ends:
        return set()
    before: set[Node] = spread(ends, _reversed(graph.onward, reached))
    return ends | (reached & before)


def _reversed(onward: Mapping[Node, Set[Node]], within: Set[Node]) -> Mapping[Node, Set[Node]]:
    back: dict[Node, set[Node]] = defaultdict(set)
    for node in within:
        for following in onward.get(node, ()):
            back[following].add(node)
    return back
