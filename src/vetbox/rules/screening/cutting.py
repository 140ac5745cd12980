"""The cut: the statements that decide what rules say about code, as a module of their own.

The nodes at which a rule may hold are known by now. What the judge says there depends on the node,
on what is around it, and on what its names are assigned, transitively. All else is left out. The
law, held by tests: findings in the cut are the findings in the whole.

A statement that assigns to a word of the rules, or to one that the resolver looks up, always stays:
without it a variable of the program would be taken for the function of that name.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING

from vetbox.code.nodes import nodes_of
from vetbox.rules.excerpt.assembly import Excerpt
from vetbox.rules.language import formula as f
from vetbox.rules.resolve.canonical import BUILTINS
from vetbox.rules.resolve.changing import GIVING_BY_TEXT
from vetbox.rules.resolve.escaped_modules import HOLDING
from vetbox.rules.resolve.escapes import TELLING
from vetbox.rules.screening.nodes import Nodes
from vetbox.rules.screening.pieces import Piece, Pieces
from vetbox.rules.screening.quoted import are_lines_odd
from vetbox.rules.screening.required_words import Unknown
from vetbox.rules.screening.sought import Sought
from vetbox.rules.screening.words import LOOKUPS, words_of
from vetbox.rules.sifting.values import KNOWN

if TYPE_CHECKING:
    from vetbox.code.source import Source

_WORTHWHILE = 0.7  # of the lines
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NAMED = (*_FUNCTIONS, ast.ClassDef)
_BLOCKS = (*_NAMED, ast.ExceptHandler)
_LOCAL = (
    *(f.Call, f.Name, f.Attr, f.String, f.StringRef, f.Import, f.Assign, f.Decorator),
    *(f.Except, f.Assert, f.Identifier, f.Def, f.Class),
)
"""What is told by a node and what its names stand for."""


class _WholeError(Exception):
    """Everything may matter: judge the whole."""


def cut(source: "Source", nodes: Nodes, sought: Sequence[Sought]) -> Excerpt | None:
    """The excerpt that decides what some rules say; None: judge the whole."""
    if are_lines_odd(source.text) or nodes.written.spells_beyond_ascii:
        return None
    if not all(_is_local(one.formula) for one in sought):
        return None
    try:
        return _Cut(source, nodes, sought).excerpt()
    except (_WholeError, RecursionError):
        return None


def _is_local(formula: object) -> bool:
    match formula:
        case f.Any(parts=parts) | f.All(parts=parts):
            return all(map(_is_local, parts))
        case f.Focused(part=part) | f.Not(part=part) | f.Has(part=part):  # a node is kept whole
            return _is_local(part)
    return not isinstance(formula, Unknown) and isinstance(formula, _LOCAL)


class _Cut:
    """The statements that are kept, found from the places where a rule may hold."""

    def __init__(self, source: "Source", nodes: Nodes, sought: Sequence[Sought]) -> None:
        self._source, self._nodes = source, nodes
        self._lines = source.text.split("\n")
        self._spare = _WORTHWHILE * len(self._lines)
        self._kept: set[Piece] = set()
        self._told: set[Piece] = set()
        self._followed: set[str] = set()
        self._waiting: list[str] = []
        if not HOLDING.isdisjoint(nodes.words) or nodes.reach_far:
            raise _WholeError
        self._pieces = Pieces(source.tree)
        self._keep_givers_of(frozenset[str]().union(*(one.words for one in sought)))
        for one in sought:
            self._keep_places_of(one)
        self._keep_what_is_followed()
        if not LOOKUPS.isdisjoint(nodes.words):
            self._keep_what_may_change()

    # What is kept -----------------------------------------------------------------------------

    def _keep_givers_of(self, words: Set[str]) -> None:
        binding = self._pieces.binding
        for word in binding.keys() & (words | BUILTINS | LOOKUPS | KNOWN):
            for piece in binding[word]:
                if word in BUILTINS and not _is_in_function(piece, word):
                    raise _WholeError  # when it is bound decides what it means
                self._keep(piece)

    def _keep_places_of(self, sought: Sought) -> None:
        for node in self._nodes.places(sought):
            piece = self._piece_of(node)
            self._keep(piece)
            if isinstance(node, _BLOCKS) or node is piece.stmt:  # what is below may be looked into
                self._keep_whole(piece)
            else:
                self._follow(words_of(one) for one in nodes_of(node))
        handed = {self._piece_of(node) for node in self._nodes.referring(sought.handed)}
        if handed:
            self._keep_handed(handed)

    def _keep_handed(self, handed: Set[Piece]) -> None:
        """Keep the statements that pass a function on, and those that use the name it gets."""
        for piece in handed:
            self._keep(piece)
            self._follow_own(piece)
        for user in self._pieces.mentioning({name for piece in handed for name in piece.bound}):
            self._keep(user)
        for other in self._telling():
            self._keep(other)

    def _telling(self) -> Iterator[Piece]:
        """The statements that decide what a program does with functions in general."""
        told = [word for word in TELLING if word in self._source.text]
        for piece in self._pieces.all if told else ():
            text = "\n".join(self._lines[line - 1] for line in piece.own_lines())
            if any(word in text for word in told):
                yield piece

    def _keep(self, piece: Piece) -> None:
        for one in (piece, *piece.around()):
            if one in self._kept:
                return
            self._kept.add(one)
            self._spare -= sum(1 for _ in one.own_lines())
            if self._spare < 0:
                raise _WholeError
            for jump in one.jumps():
                self._keep(jump)
            if isinstance(one.stmt, ast.ClassDef):
                self._follow_own(one)

    def _keep_whole(self, piece: Piece) -> None:
        for one in piece.all():
            self._keep(one)
            self._follow_own(one)

    def _follow_own(self, piece: Piece) -> None:
        """Follow the words in a statement; once, however many names it binds."""
        if piece in self._told:
            return
        self._told.add(piece)
        own = (node for node in piece.nodes if not isinstance(node, _NAMED))
        self._follow(words_of(node) for node in own)

    def _follow(self, words: Iterable[Iterable[str]]) -> None:
        """Note words whose assignments are to be kept, and the words in those, transitively."""
        new = {one for some in words for one in some} - self._followed
        self._followed |= new
        self._waiting += new

    def _keep_what_is_followed(self) -> None:
        binding, putting = self._pieces.binding, self._pieces.putting
        while self._waiting:
            word = self._waiting.pop()
            for piece in putting.get(word, ()):
                self._keep(piece)
                self._follow_own(piece)
            for piece in binding.get(word, ()):
                self._keep(piece)
                if not isinstance(piece.stmt, _NAMED):
                    self._follow_own(piece)
                elif word == piece.stmt.name:
                    self._keep_whole(piece)
                elif not isinstance(piece.stmt, ast.ClassDef):
                    self._follow(words_of(node) for node in nodes_of(piece.stmt.args))

    def _keep_what_may_change(self) -> None:
        """Keep what decides lookups by text: containers, and the statements that may fill them."""
        bound = self._followed & self._pieces.binding.keys()
        for piece in self._pieces.mentioning(bound | GIVING_BY_TEXT):
            self._keep(piece)
        if "type" in self._nodes.words:
            for piece in self._pieces.mentioning({"type"}):
                self._keep(piece)

    def _piece_of(self, node: ast.AST) -> Piece:
        piece = self._pieces.by_node.get(id(node))
        if piece is None:
            raise _WholeError
        return piece

    # What is written --------------------------------------------------------------------------

    def excerpt(self) -> Excerpt:
        """The kept statements in their blocks, columns unchanged."""
        lines: dict[int, str] = {}
        self._write(self._pieces.top, lines, is_block=False)
        if len(lines) > _WORTHWHILE * len(self._lines):
            raise _WholeError
        ordered = sorted(lines)
        text = "".join(f"{lines[line]}\n" for line in ordered)
        return Excerpt(text, (0, *ordered))

    def _write(self, suite: Sequence[Piece], lines: dict[int, str], *, is_block: bool) -> None:
        kept = [piece for piece in suite if piece in self._kept]
        if kept or is_block:
            self._check(suite)
        if is_block and not kept:
            line = self._lines[suite[0].first - 1]
            lines[suite[0].first] = f"{line[: len(line) - len(line.lstrip())]}0"
        for piece in kept:
            lines.update((line, self._lines[line - 1]) for line in piece.own_lines())
            for below in piece.suites:
                self._write(below, lines, is_block=True)

    def _check(self, suite: Sequence[Piece]) -> None:
        """Each statement on lines of its own."""
        for piece in suite:
            start = self._lines[piece.first - 1].lstrip()
            column = piece.stmt.col_offset if piece.first == piece.stmt.lineno else 0
            alone = start[:1] == "@" or not self._lines[piece.first - 1][:column].strip()
            if not alone:
                raise _WholeError


def _is_in_function(piece: Piece, name: str) -> bool:
    """Is the name bound within a function, or as a parameter of one?"""
    own = isinstance(piece.stmt, _FUNCTIONS) and piece.stmt.name != name
    return own or any(isinstance(one.stmt, _FUNCTIONS) for one in piece.around())
