"""The functions to keep: those on a path, and all that decide what those mean."""

from collections import defaultdict
from collections.abc import Iterator, Set

from vetbox.rules.narrowing.circles import spread
from vetbox.rules.narrowing.functions import Definition, Function
from vetbox.rules.narrowing.graph import Graph
from vetbox.rules.narrowing.nodes import Node, is_field


def left_out(graph: Graph, ways: Set[Node], *, of_classes: bool = False) -> Iterator[range]:
    """The rows of the function bodies on which no flow along the paths in `ways` depends.

    `of_classes`: a rule asks about the other methods of a class, so these are kept as well.
    """
    on = _on(graph, ways)
    # A field holds for a method what those have put in that were read before it: who calls decides.
    ordered = on if any(map(is_field, ways)) else set[Function | None]()
    kept = _completed(graph, on, ordered)
    if of_classes:
        owners = {one.whole_owner for one in on if one is not None} - {None}
        kept |= {one for one in graph.functions.all if one.owner in owners}
    for whole, parts in graph.functions.wholes.items():
        if kept.isdisjoint(parts):
            yield _body(whole)


def _on(graph: Graph, ways: Set[Node]) -> set[Function | None]:
    """The functions whose variables are on the paths, and those that move data along them."""
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
    """The functions with all that decide what their calls return and their names stand for.

    Of the functions in `ordered` the callers are kept, since they decide which is called first.
    Where several classes have a method of a name, those that make the objects are kept.
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
