"""Markers: the places of one file where a source or sink may be, by line and then by node."""

import ast
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import field
from functools import cached_property
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.layout import Doubt, Layout
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.fragments import Unreadable, nodes_in
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.callbacks import CALLING
from vetbox.rules.narrowing.callbacks import handed_call
from vetbox.rules.narrowing.defined import Defined
from vetbox.rules.narrowing.names import last_word
from vetbox.rules.narrowing.posts import Held, Post, parameters
from vetbox.rules.sifting.around import Around
from vetbox.rules.sifting.assignments import Assignments
from vetbox.rules.sifting.conditions import Conditions
from vetbox.rules.sifting.formulas import Line


@dataclass(slots=True, eq=False)
class Marker:
    """The lines of a file on which a post may be; None for one that cannot be parsed alone."""

    post: Post
    lines: dict[int, Line | None] = field(default_factory=dict)

    def marks(self, node: ast.AST, line: int) -> Iterator[ast.AST]:
        """What is marked at a node of a line: expressions and parameters."""
        read = self.lines[line]
        if read is None or self.post.by_kind is None:
            yield from _itself(node)
        elif self.post.may_stand(node, read):
            yield from self.post.marked(node, read)

    def marked_on(self, line: int) -> Iterator[ast.AST]:
        """All that is marked on a line that is read alone."""
        read = self.lines[line]
        for node in () if read is None else read.nodes:
            yield from self.marks(node, line)

    def spellings(self) -> Set[str] | None:
        """The last identifiers of the expressions at which the post may stand; None: any."""
        if self.post.by_kind is None or None in self.lines.values():
            return None
        lines = [line for line in self.lines.values() if line is not None]
        return {
            spelling(node)
            for line in lines
            for node in line.nodes
            if self.post.may_stand(node, line)
        }


def spelling(node: ast.AST) -> str:
    """The identifier nearest to the end of a chain of calls, attributes and subscripts."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return spelling(inner)
    return ""


def _itself(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.expr):
        yield node
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield from parameters(node)


class Markers:
    """Makes the markers of one file; places that several rules name are looked for once."""

    def __init__(self, layout: Layout, held: Held) -> None:
        self._layout = layout
        self._held = held
        self._assignments = Assignments(layout)
        self._conditions = Conditions(self._assignments)
        self._partial = b"partial" in layout.masked
        self._sites: dict[tuple[int, ...], _Found] = {}
        self._known: dict[Post, Marker] = {}

    def of(self, posts: Iterable[Post]) -> tuple[Marker, ...]:
        """The markers of those posts that may stand anywhere."""
        return tuple(marker for post in posts if (marker := self._one(post)).lines)

    def anywhere(self, post: Post) -> Marker:
        """The marker of a post of whose anchors it is not known which hold."""
        sure = [anchor for anchor in post.anchors if not anchor.doubtful]
        try:
            return self._made(post, sure) if sure else Marker(post, {0: None})
        except Doubt:
            return Marker(post, {0: None})

    def _one(self, post: Post) -> Marker:
        known = self._known.get(post)
        if known is None:
            held = [anchor for anchor in self._held.get(post, ()) if self._is_read(anchor)]
            known = self._known[post] = self._made(post, held) if held else Marker(post)
        return known

    def _is_read(self, anchor: Anchor) -> bool:
        """Does code say all its words, and not only what is written about it?"""
        return all(self._layout.is_read(word.encode()) for word in anchor.words if word.isascii())

    def _made(self, post: Post, held: Sequence[Anchor]) -> Marker:
        marker = Marker(post)
        for number, line in self._found(held):
            if line is None or any(post.may_stand(node, line) for node in line.nodes):
                marker.lines[number] = line
        return marker

    def _found(self, anchors: Sequence[Anchor]) -> "_Found":
        key = tuple(map(id, anchors))
        known = self._sites.get(key)
        if known is None:
            placed = all(anchor.is_placed for anchor in anchors)
            sites = Sites(self._layout, anchors)
            lines = sorted(sites.lines) if placed else range(len(self._layout))
            known = self._sites[key] = [*self._lines(sites, lines)]
        return known

    def _lines(self, sites: Sites, lines: Iterable[int]) -> Iterator[tuple[int, Line | None]]:
        renamed = frozenset(name.decode() for name in sites.renamed)
        known = frozenset(name.decode() for name in sites.names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number in lines:
                text = self._assignments.code(number)
                try:
                    nodes = nodes_in(text)
                except Unreadable:
                    yield number, None
                    continue
                nodes = (*nodes, *_made_by(nodes), *self._applied_by(nodes))
                around = Around(self._layout, number)
                conditions = self._conditions
                yield number, Line(text, nodes, conditions, renamed, known, self._partial, around)

    @cached_property
    def _applying(self) -> Set[str] | None:
        return Defined.of(self._layout).applying(self._layout)

    def _applied_by(self, nodes: Sequence[ast.AST]) -> Iterator[ast.Call]:
        """The calls that functions of the file may make of what they are given, `run(f, x)`."""
        applying = self._applying
        for node in nodes if applying is None or applying else ():
            if isinstance(node, ast.Call) and (
                applying is None or last_word(node.func) in applying
            ):
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                for func in given:
                    if isinstance(func, (ast.Name, ast.Attribute)):
                        others = [one for one in given if one is not func]
                        yield ast.copy_location(ast.Call(func, others, []), node)


def _made_by(nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    """The calls of functions that are handed to other calls."""
    for node in nodes:
        if isinstance(node, ast.Call) and last_word(node.func) in CALLING:
            made = handed_call(node)
            if made is not None:
                yield made


_Found: TypeAlias = list[tuple[int, Line | None]]
Row: TypeAlias = int


class Lookout:
    """The markers of a file by the `rows` of its text, and the `aliases` of what they look for."""

    def __init__(self, layout: Layout, markers: Iterable[Marker]) -> None:
        self.aliases: set[str] = set()
        self._markers: dict[int, set[Marker]] = defaultdict(set)
        self._by_row: dict[Row, list[tuple[Marker, int]]] = {}
        self.rows = self._by_row.keys()
        for marker in markers:
            self.aliases.update(*{line.renamed for line in marker.lines.values() if line})
            for line in marker.lines:
                for row in _rows(layout, line):
                    self._by_row.setdefault(row, []).append((marker, line))

    def marked_at(self, node: ast.AST, row: Row) -> Iterator[tuple[ast.AST, Marker]]:
        """What is marked when a node of a row is looked at, and by whom."""
        for marker, line in self._by_row.get(row, ()):
            for target in marker.marks(node, line):
                yield target, marker

    def look_at(self, node: ast.stmt | ast.expr) -> None:
        """Remember what is marked in a node, before its parts are asked for."""
        for target, marker in self.marked_at(node, node.lineno):
            self._markers[id(target)].add(marker)

    def markers_of(self, node: ast.expr) -> Collection[Marker]:
        """By whom a node is marked that has been looked at, as all around it."""
        return self._markers.get(id(node), ())


def _rows(layout: Layout, line: int) -> Iterable[Row]:
    """The 1-based rows of the text that a logical line takes."""
    start, end = layout.starts[line], layout.ends[line]
    first = layout.data.count(b"\n", 0, start) + 1
    return range(first, first + layout.data.count(b"\n", start, end) + 1)
