"""Binding: the names that one line gives a value, whole or in part, by whatever means."""

import ast
from collections.abc import Container, Iterator
from functools import lru_cache

from vetbox.rules.fragments import Unreadable, identifiers, nodes_in


class _All:
    """The names of a line that is not read: any of them."""

    def __contains__(self, name: object) -> bool:
        return True


@lru_cache(maxsize=4_000)
def assigned_in(code: str) -> Container[str]:
    """The variables and attributes that are assigned on a line, and what is named like them."""
    try:
        return frozenset(name for node in nodes_in(code) for name in _assigned(node))
    except Unreadable:
        return _All()


@lru_cache(maxsize=4_000)
def bound_loosely_in(code: str) -> Container[str]:
    """The names bound on a line otherwise than by being assigned something whole."""
    try:
        return frozenset(name for node in nodes_in(code) for name in _bound_loosely(node))
    except Unreadable:
        return _All()


def _assigned(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from identifiers(target)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            yield from identifiers(target)
        case ast.NamedExpr(target=target):
            yield from identifiers(target)


def _bound_loosely(node: ast.AST) -> Iterator[str]:
    """Unpacked, looped over, entered, caught, imported as, captured or annotated."""
    match node:
        case ast.Assign(targets=targets):
            for target in targets:
                if not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
                    yield from identifiers(target)
        case ast.AnnAssign(target=target) | ast.For(target=target) | ast.AsyncFor(target=target):
            yield from identifiers(target)
        case ast.comprehension(target=target):
            yield from identifiers(target)
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from identifiers(target)
        case ast.arg(arg=name, annotation=ast.expr()) | ast.alias(asname=str() as name):
            yield name
        case ast.ExceptHandler(name=str() as name):
            yield name
        case ast.pattern():
            yield from captured(node)


def captured(node: ast.pattern) -> Iterator[str]:
    """The name that a pattern itself binds."""
    name = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
    if name is not None:
        yield name
