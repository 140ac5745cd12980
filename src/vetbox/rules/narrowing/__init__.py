"""Narrowing: the part of a file in which data can get from a rule's sources to its sinks.

Parsing a file whole with libcst and reading every expression of it is what flows cost. Most files
with a source and a sink have no way between them, which a graph over Python's own tree tells at a
tenth of the price; where there is one, it runs through a few functions, and the bodies of all the
others are left out. The law, held by tests: flows in the part are the flows in the whole file.
"""

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from vetbox.rules.excerpt.assembly import Excerpt, assemble
from vetbox.rules.excerpt.layout import Doubt, Layout, laid_out
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.filtering.anchors import Anchor
from vetbox.rules.language import formula as f
from vetbox.rules.narrowing.functions import Functions
from vetbox.rules.narrowing.graph import Graph
from vetbox.rules.narrowing.keeping import left_out
from vetbox.rules.narrowing.ways import between
from vetbox.rules.sifting import Sieve
from vetbox.source import Source

__all__ = ["End", "Ends", "Narrowed", "narrowed"]


@dataclass(frozen=True, slots=True)
class End:
    """The sources of a rule or its sinks: what matches them, and the anchors that hold."""

    formula: f.Formula
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    sources: End
    sinks: End


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The rules that may find a flow, and the excerpt that decides; None: the whole file does."""

    rules: frozenset[str]
    excerpt: Excerpt | None = None


def narrowed(
    source: Source, ends: Mapping[str, Ends], may_clean: Callable[[str], bool]
) -> Narrowed:
    """What is left of some rules and of a file; no rules when no data can get anywhere.

    `may_clean` tells the functions whose calls may be sanitizers. Raises SourceError.
    """
    try:
        layout = laid_out(source.text)
        pairs = _pairs(layout, ends)
        return _narrowed(source.tree, layout, pairs, may_clean) if pairs else Narrowed(frozenset())
    except (Doubt, RecursionError):
        return Narrowed(frozenset(ends))


Pairs = Mapping[str, tuple[set[int], set[int]]]
"""The lines of a rule's sources and those of its sinks."""


def _pairs(layout: Layout, ends: Mapping[str, Ends]) -> Pairs:
    """Of the rules that have both; rules share most of their anchors."""
    sieve = Sieve(layout, {})
    known: dict[End, set[int]] = {}

    def lines(end: End) -> set[int]:
        if end not in known:
            known[end] = sieve.sifted(Sites(layout, end.anchors), [end.formula])
        return known[end]

    return {
        rule: (sources, sinks)
        for rule, end in ends.items()
        if (sources := lines(end.sources)) and (sinks := lines(end.sinks))
    }


def _narrowed(
    tree: ast.Module, layout: Layout, pairs: Pairs, may_clean: Callable[[str], bool]
) -> Narrowed:
    marked = {line for pair in pairs.values() for lines in pair for line in lines}
    rows = {row: line for line in marked for row in _rows(layout, line)}
    graph = Graph(tree, Functions(tree), rows, may_clean)
    ways = {rule: found for rule, pair in pairs.items() if (found := between(graph.onward, *pair))}
    if not ways:
        return Narrowed(frozenset())
    gone = {row for rows in left_out(graph, set().union(*ways.values())) for row in rows}
    return Narrowed(frozenset(ways), _without(layout, gone) if gone else None)


def _rows(layout: Layout, line: int) -> Iterable[int]:
    """The 1-based rows of the text that a logical line takes."""
    start, end = layout.starts[line], layout.ends[line]
    first = layout.data.count(b"\n", 0, start) + 1
    return range(first, first + layout.data.count(b"\n", start, end) + 1)


def _without(layout: Layout, gone: set[int]) -> Excerpt:
    """The file without the lines that begin in some rows."""
    kept, row, counted = set(), 1, 0
    for line, start in enumerate(layout.starts):
        row += layout.data.count(b"\n", counted, start)
        counted = start
        if row not in gone:
            kept.add(line)
    return assemble(layout, kept)
