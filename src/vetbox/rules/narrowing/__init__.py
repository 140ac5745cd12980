"""Narrowing: the part of a file in which data can get from a rule's sources to its sinks.

Parsing a file whole with libcst and reading every expression of it is what flows cost. Most files
with the words of a source and of a sink have neither, which their lines tell, or no way between
them, which a graph over Python's own tree tells at a tenth of the price; where there is one, it
runs through a few functions, and the bodies of all the others are left out. The law, held by tests:
flows in the part are the flows in the whole file.
"""

import ast
from collections.abc import Mapping, Set
from dataclasses import replace

from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.assembly import Excerpt, assemble
from vetbox.rules.excerpt.layout import Doubt, Layout, laid_out
from vetbox.rules.language.callbacks import BEGINNING
from vetbox.rules.narrowing.functions import Functions
from vetbox.rules.narrowing.graph import Graph
from vetbox.rules.narrowing.keeping import left_out
from vetbox.rules.narrowing.leaving import Defined, may_meet
from vetbox.rules.narrowing.markers import Lookout, Marker, Markers
from vetbox.rules.narrowing.posts import Ends, Held, Post, Posts
from vetbox.rules.narrowing.ways import Ways
from vetbox.source import Source

__all__ = ["Ends", "Narrowed", "Post", "Posts", "narrowed"]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The rules that may find a flow, and the excerpt that decides; None: the whole file does.

    `posts` are those of their sources and sinks that may stand somewhere, `spelled` the last
    identifiers of the expressions where they, or sanitizers, may stand for something; None: all,
    any.
    """

    rules: frozenset[str]
    excerpt: Excerpt | None = None
    posts: frozenset[Post] | None = None
    spelled: Set[str] | None = None


def narrowed(
    source: Source,
    ends: Mapping[str, Ends],
    held: Held,
    asked: Set[str] = frozenset(),
) -> Narrowed:
    """What is left of some rules and of a file; no rules when no data can get anywhere.

    Of `asked` rules it is also left what tells that all that comes to their sinks is known. Raises
    SourceError.
    """
    try:
        layout = laid_out(source.text)
        markers = Markers(layout, held)
        pairs = _meeting(_pairs(markers, ends), layout, asked)
        if not pairs:
            return Narrowed(frozenset())
        classes = {rule for rule, end in ends.items() if end.of_classes}
        left = _narrowed(source.tree, layout, pairs, asked, classes)
        return replace(left, spelled=_spelled(left, markers, pairs, ends)) if left.rules else left
    except (Doubt, RecursionError):
        return Narrowed(frozenset(ends))


Pairs = Mapping[str, tuple[tuple[Marker, ...], tuple[Marker, ...]]]
"""What marks the sources of a rule, and its sinks."""


def _pairs(markers: Markers, ends: Mapping[str, Ends]) -> Pairs:
    """Of the rules that have both."""
    return {
        rule: (sources, sinks)
        for rule, end in ends.items()
        if (sources := markers.of(end.sources))
        and any(marker.post.place.enters for marker in sources)
        and (sinks := markers.of(end.sinks))
    }


def _meeting(pairs: Pairs, layout: Layout, asked: Set[str]) -> Pairs:
    """Those where a way is not out of the question; of `asked` rules there are other questions."""
    if not pairs:
        return pairs
    defined = Defined.of(layout)
    begun = any(layout.is_read(word.encode()) for word in BEGINNING)
    return {
        rule: pair
        for rule, pair in pairs.items()
        if rule in asked or may_meet(*pair, defined, is_begun=begun)
    }


def _narrowed(
    tree: ast.Module, layout: Layout, pairs: Pairs, asked: Set[str], of_classes: Set[str]
) -> Narrowed:
    marking = {marker for pair in pairs.values() for some in pair for marker in some}
    graph = Graph(tree, Functions(tree), Lookout(layout, marking))
    find = Ways(graph)
    ways = find.between({rule: pair for rule, pair in pairs.items() if rule not in asked})
    # Of a rule that is asked, sinks count that no source leads to, whatever leads to others.
    ways |= {rule: found for rule in asked & pairs.keys() if (found := find.to(pairs[rule][1]))}
    if not ways:
        return Narrowed(frozenset())
    whole = not of_classes.isdisjoint(ways)
    left = left_out(graph, set().union(*ways.values()), of_classes=whole)
    gone = {row for rows in left for row in rows}
    posts = frozenset(marker.post for rule in ways for some in pairs[rule] for marker in some)
    return Narrowed(frozenset(ways), _without(layout, gone) if gone else None, posts)


def _spelled(
    left: Narrowed, markers: Markers, pairs: Pairs, ends: Mapping[str, Ends]
) -> Set[str] | None:
    found: set[str] = set()
    looked_for = {marker for rule in left.rules for some in pairs[rule] for marker in some}
    others = {post for rule in left.rules for post in ends[rule].others}
    for marker in (*looked_for, *map(markers.anywhere, others)):
        spellings = marker.spellings()
        if spellings is None:
            return None
        found |= spellings
    return found


def _without(layout: Layout, gone: set[int]) -> Excerpt:
    """The file without the lines that begin in some rows."""
    kept, row, counted = set(), 1, 0
    for line, start in enumerate(layout.starts):
        row += layout.data.count(b"\n", counted, start)
        counted = start
        if row not in gone:
            kept.add(line)
    return assemble(layout, kept)
