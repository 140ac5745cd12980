"""Ways through a graph: the nodes between what enters on some lines and what arrives on others."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set

from vetbox.rules.narrowing.circles import spread
from vetbox.rules.narrowing.graph import IN, OUT, Node


def between(
    onward: Mapping[Node, Set[Node]], sources: Iterable[int], sinks: Iterable[int]
) -> set[Node]:
    """The nodes on every way from a source's line to a sink's; none when there is none."""
    starts: set[Node] = {(line, IN) for line in sources}
    further: set[Node] = spread(starts, onward)
    reached = starts | further
    ends: set[Node] = {(line, OUT) for line in sinks}
    ends &= reached
    if not ends:
        return set()
    before: set[Node] = spread(ends, _reversed(onward, reached))
    return ends | (reached & before)


def _reversed(onward: Mapping[Node, Set[Node]], within: Set[Node]) -> Mapping[Node, Set[Node]]:
    back: dict[Node, set[Node]] = defaultdict(set)
    for node in within:
        for following in onward.get(node, ()):
            back[following].add(node)
    return back
