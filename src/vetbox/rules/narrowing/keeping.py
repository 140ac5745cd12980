"""What has to be read with the functions that data runs through, for their flows to be the same."""

from collections import defaultdict
from collections.abc import Iterator, Set

from vetbox.rules.narrowing.circles import spread
from vetbox.rules.narrowing.edges import FIELD, Node
from vetbox.rules.narrowing.functions import Definition, Function
from vetbox.rules.narrowing.graph import Graph


def left_out(graph: Graph, ways: Set[Node], *, of_classes: bool = False) -> Iterator[range]:
    """The rows of the bodies that no flow along the ways depends on.

    `of_classes`: what is in the same class as a function on the ways may be asked for as well.
    """
    on = _on(graph, ways)
    # A field holds for a method what those have put in that were read before it: who calls decides.
    ordered = on if any(node[0] is FIELD for node in ways) else set[Function | None]()
    kept = _completed(graph, on, ordered)
    if of_classes:
        owners = {one.whole_owner for one in on if one is not None} - {None}
        kept |= {one for one in graph.functions.all if one.owner in owners}
    for whole, parts in graph.functions.wholes.items():
        if kept.isdisjoint(parts):
            yield _body(whole)


def _on(graph: Graph, ways: Set[Node]) -> set[Function | None]:
    """The functions whose variables are on the ways, and those that move data along them."""
    on: set[Function | None] = {
        one for node in ways for one in node[:2] if isinstance(one, Function)
    }
    for node in ways:
        for target, _ in graph.onward.get(node, ()):
            if target in ways:
                on |= graph.movers(node, target)
    return on


def _completed(
    graph: Graph, on_ways: set[Function | None], ordered: set[Function | None]
) -> set[Function | None]:
    """With those that decide what a call gives back or a name stands for, and in which order.

    Of the `ordered` it matters which is called first, as of those that call each other. Where
    methods of several classes have a name, those who make the objects decide.
    """
    callers: dict[Function | None, set[Function | None]] = defaultdict(set)
    for caller, called in graph.calls.items():
        for function in called:
            callers[function].add(caller)
    kept: set[Function | None] = set()
    new = on_ways | spread(ordered, callers) | graph.deciding | graph.rebinding | graph.giving[None]
    while new - kept:
        kept |= new
        mentioned = {attribute for function in kept for attribute in graph.mentioned[function]}
        new = spread(kept, graph.calls)
        new |= {one for function in kept for one in graph.giving[function]}
        new |= {one for attribute in mentioned for one in graph.bound.get(attribute, ())}
        new |= spread((one for one in kept if one in graph.circles), callers)
        if not kept.isdisjoint(graph.callable_values.asking):
            new |= spread(kept, callers) | graph.showing
    return kept


def _body(definition: Definition) -> range:
    """The rows below the header."""
    first = definition.body[0]
    rows = [first.lineno, *(one.lineno for one in getattr(first, "decorator_list", ()))]
    return range(max(min(rows), definition.lineno + 1), (definition.end_lineno or 0) + 1)
