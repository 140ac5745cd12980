"""Pieces: the statements of a tree, each with its own lines and nodes."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from vetbox.code.nodes import PARTS
from vetbox.rules.screening.words import words_of

_JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Piece:
    """A statement without those nested in it, which are its suites.

    `bound` are the names and attributes that it gives something, or takes it from.
    """

    __slots__ = ("above", "bound", "first", "last", "nodes", "stmt", "suites")

    def __init__(self, stmt: ast.stmt, above: "Piece | None") -> None:
        decorators = getattr(stmt, "decorator_list", ())
        self.stmt = stmt
        self.above = above
        self.first: int = min((stmt.lineno, *(one.lineno for one in decorators)))
        self.last: int = stmt.end_lineno or stmt.lineno
        self.nodes: list[ast.AST] = []
        self.bound: list[str] = []
        self.suites: list[list[Piece]] = []

    @property
    def below(self) -> Iterator["Piece"]:
        """The statements right below."""
        return (piece for suite in self.suites for piece in suite)

    def all(self) -> Iterator["Piece"]:
        """The statement and all below it."""
        yield self
        for piece in self.below:
            yield from piece.all()

    def around(self) -> Iterator["Piece"]:
        """From the statement that this one stands in outwards."""
        piece = self.above
        while piece is not None:
            yield piece
            piece = piece.above

    def jumps(self) -> Iterator["Piece"]:
        """The ends of handlers that leave, so that nothing after them runs."""
        if isinstance(self.stmt, (ast.Try, getattr(ast, "TryStar", ast.Try))):
            yield from (suite[-1] for suite in self.suites if isinstance(suite[-1].stmt, _JUMPS))

    def own_lines(self) -> Iterator[int]:
        """The lines of it that no nested statement has."""
        line = self.first
        for piece in sorted(self.below, key=lambda one: one.first):
            yield from range(line, piece.first)
            line = piece.last + 1
        yield from range(line, self.last + 1)


class Pieces:
    """The statements of one tree."""

    def __init__(self, tree: ast.Module) -> None:
        self.all: list[Piece] = []
        self.by_node: dict[int, Piece] = {}
        self.top = [self._piece(stmt, None) for stmt in tree.body]

    @cached_property
    def binding(self) -> Mapping[str, Sequence[Piece]]:
        """The statements that bind a name or an attribute."""
        found = defaultdict[str, list[Piece]](list)
        for piece in self.all:
            for name in piece.bound:
                found[name].append(piece)
        return found

    @cached_property
    def putting(self) -> Mapping[str, Sequence[Piece]]:
        """The statements that put something into what a name stands for, under a key."""
        found = defaultdict[str, list[Piece]](list)
        for piece in self.all:
            for name in filled_by(piece.stmt):
                found[name].append(piece)
        return found

    def mentioning(self, words: Iterable[str]) -> Iterator[Piece]:
        """The statements in which one of the words stands."""
        wanted = set(words)
        for piece in self.all if wanted else ():
            if any(not wanted.isdisjoint(words_of(node)) for node in piece.nodes):
                yield piece

    def _piece(self, stmt: ast.stmt, above: Piece | None) -> Piece:
        piece = Piece(stmt, above)
        self.all.append(piece)
        waiting: list[ast.AST] = [stmt]
        suites: list[list[ast.stmt]] = []
        while waiting:
            node = waiting.pop()
            piece.nodes.append(node)
            self.by_node[id(node)] = piece
            kind = node.__class__
            if kind in _BINDING:
                name = bound_by(node)
                if name:
                    piece.bound.append(name)
            for name in PARTS[kind]:
                part = getattr(node, name)
                if part.__class__ is not list:
                    if part is not None:
                        waiting.append(part)
                elif part and isinstance(part[0], ast.stmt):
                    suites.append(part)
                else:
                    waiting += [one for one in part if one is not None]
        piece.suites = [[self._piece(one, piece) for one in suite] for suite in suites]
        return piece


_GIVEN = (ast.Store, ast.Del)
_FILLING = frozenset({"update", "setdefault"})


def filled_by(stmt: ast.stmt) -> Iterator[str]:
    """The names of the tables that a statement puts something into."""
    match stmt:
        case ast.Assign(targets=targets):
            for target in targets:
                match target:
                    case ast.Subscript(value=ast.Name(id=name)):
                        yield name
        case ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr))):
            if attr in _FILLING:
                yield name


def bound_by(node: Any) -> str:
    """The name or attribute that a node binds; "" for none."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) if isinstance(node.ctx, _GIVEN):
            return str(name)
        case ast.arg(arg=name):
            return str(name)
        case ast.alias():
            return str(node.asname or node.name.partition(".")[0])
        case ast.ExceptHandler() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name or ""
    return ""


_BINDING = frozenset(
    {ast.Name, ast.Attribute, ast.arg, ast.alias, ast.ExceptHandler}
    | {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef}
)
FAR = frozenset(
    {ast.Global, ast.Nonlocal, ast.Match}
    | {
        kind
        for name in ("TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple", "TemplateStr")
        for kind in (getattr(ast, name, None),)
        if kind is not None
    }
)
"""Nodes that bind names in other scopes, or by other ways than are told here."""
