"""Narrowing: the part of a file in which data can get from a rule's sources to its sinks.

Parsing a file whole with libcst and reading every expression of it is what flows cost. Most files
with the words of a source and of a sink have neither, which their lines tell, or no way between
them, which a graph over Python's own tree tells at a tenth of the price; where there is one, it
runs through a few functions, and the bodies of all the others are left out. The law, held by tests:
flows in the part are the flows in the whole file.

A post is a source or sink of a rule, a marker the places of a post in one file. The steps, each for
the rules that the last one left:

- are both ends in the file? `markers` looks for what `posts` prepares, once for all files;
  `locality` says of which rules the lines with their words and the graph decide.
- may data leave the statements in which it enters, as far as lines and `defined` names tell?
  `leaving`.
- is there a path? `ways` looks for one in the graph of `nodes`, which a chain of classes builds:
  `edges`, `calls`, `indirect_calls`, `stores`, `expressions`, `graph`. Variables for one object are
  joined by `aliasing`, `circles` finds functions that call each other; which function a call means
  is answered by `functions`, `callable_values` and `callbacks`, by the `names` of expressions.
- which functions decide it? `keeping`.
"""

import ast
from collections.abc import Mapping, Set
from dataclasses import replace
from typing import TypeAlias

from vetbox.code.source import Source
from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.assembly import Excerpt, assemble
from vetbox.rules.excerpt.layout import Doubt, Layout, laid_out
from vetbox.rules.language.callbacks import BEGINNING
from vetbox.rules.narrowing.defined import Defined
from vetbox.rules.narrowing.functions import Functions
from vetbox.rules.narrowing.graph import Graph
from vetbox.rules.narrowing.keeping import left_out
from vetbox.rules.narrowing.leaving import may_meet
from vetbox.rules.narrowing.markers import Lookout, Marker, Markers
from vetbox.rules.narrowing.posts import Ends, Held, Post, Posts
from vetbox.rules.narrowing.stores import REDIRECTING
from vetbox.rules.narrowing.ways import Ways

__all__ = ["Ends", "Narrowed", "Post", "Posts", "narrowed"]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The rules that may find a flow in a file, and the part of the file that decides."""

    rules: frozenset[str]
    excerpt: Excerpt | None = None
    """None: the whole file."""
    posts: frozenset[Post] | None = None
    """The sources and sinks of these rules that may be in the file; None: all of them."""
    spelled: Set[str] | None = None
    """The last identifiers of the expressions to look for places at; None: of all expressions."""


def narrowed(
    source: Source,
    ends: Mapping[str, Ends],
    held: Held,
    asked: Set[str] = frozenset(),
) -> Narrowed:
    """The rules of `ends` that may find a flow, none where no data can get from source to sink.

    `held` are the posts whose anchors the file has. The rules in `asked` excuse findings of others:
    for them all that reaches their sinks is kept, whether or not it comes from a source.
    Raises SourceError for code that does not parse.
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


Pairs: TypeAlias = Mapping[str, tuple[tuple[Marker, ...], tuple[Marker, ...]]]
"""By rule the markers of its sources, and those of its sinks."""


def _pairs(markers: Markers, ends: Mapping[str, Ends]) -> Pairs:
    """The markers of those rules that have a source and a sink in the file."""
    return {
        rule: (sources, sinks)
        for rule, end in ends.items()
        if (sources := markers.of(end.sources))
        and any(marker.post.place.enters for marker in sources)
        and (sinks := markers.of(end.sinks))
    }


def _meeting(pairs: Pairs, layout: Layout, asked: Set[str]) -> Pairs:
    """The pairs between which lines alone do not exclude a path; those of `asked` rules all."""
    if not pairs:
        return pairs
    defined = Defined.of(layout)
    begun = any(layout.is_read(word.encode()) for word in (*BEGINNING, REDIRECTING))
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
    """The file without the logical lines that begin in some (1-based) rows."""
    kept, row, counted = set(), 1, 0
    for line, start in enumerate(layout.starts):
        row += layout.data.count(b"\n", counted, start)
        counted = start
        if row not in gone:
            kept.add(line)
    return assemble(layout, kept)
