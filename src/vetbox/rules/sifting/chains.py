"""Chains: whether a node may be the chain of names that a pattern writes, as it is or renamed."""

import ast
from collections.abc import Iterator, Set
from functools import lru_cache

import libcst as cst

from vetbox.rules.fragments import identifiers
from vetbox.rules.language import formula as f
from vetbox.rules.patterns.spelling import CHAIN
from vetbox.rules.patterns.vocabulary import dotted, metavariable
from vetbox.rules.sifting.naming import is_called, may_be_callee

_WRAPPERS = frozenset(
    {"cache", "cast", "classmethod", "closing", "copy", "deepcopy", "lru_cache", "nullcontext"}
    | {"partial", "partialmethod", "property", "staticmethod"}
)
"""Calls that give back what they are given, or what calls it."""
JOINED = (ast.Subscript, ast.Call, ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Await)
"""What may stand for what is written in it."""


def may_be_chain(
    pattern: cst.BaseExpression, node: ast.AST, renamed: Set[str], known: Set[str]
) -> bool:
    """May the node be what is written `a.b`, or `$X.b`? `known` names may lead there."""
    name = written_name(pattern)
    if name is not None:
        return _may_be(name, node, renamed, known)
    if not isinstance(pattern, cst.Attribute):
        return True
    last, before = pattern.attr, pattern.value
    if isinstance(node, ast.Name) and metavariable(last) is not None:  # imported by its name
        return node.id in renamed or node.id in known
    if not isinstance(node, ast.Attribute):
        return False
    if metavariable(last) is None and not _is_one(node.attr, {last.value}, renamed):
        return False
    if isinstance(before, cst.Attribute) and before.attr.value == CHAIN:
        return True
    return may_be_chain(before, node.value, renamed, known)


def _may_be(name: str, node: ast.AST, renamed: Set[str], known: Set[str]) -> bool:
    last = last_word_of(name)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return may_be_callee(_names(name), node, renamed, known)
    if isinstance(node, JOINED):
        return any(is_called(word, last) or word in known for word in read_words(node))
    return any(_is_one(word, last, renamed) for word in _bound_by(node))


@lru_cache(maxsize=4_000)
def written_name(pattern: cst.CSTNode) -> str | None:
    """`a.b.c` of a part of a pattern that is a chain of names; patterns are read once as well."""
    return dotted(pattern)


def read_words(node: ast.expr) -> Iterator[str]:
    """The last words of what an expression may stand for."""
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=value, attr="__call__"):
            yield from read_words(value)
        case ast.Attribute(attr=name):
            yield name
        case ast.Subscript(value=value):
            yield from identifiers(value)
        case ast.Call(func=func, args=args):
            words = {*identifiers(func)}
            yield from words
            if not _WRAPPERS.isdisjoint(words):
                yield from (word for one in args for word in identifiers(one))
        case _:
            yield from identifiers(node)


@lru_cache(maxsize=1_000)
def _names(name: str) -> f.Names:
    return f.Names(frozenset({name}))


@lru_cache(maxsize=1_000)
def last_word_of(name: str) -> Set[str]:
    """Of a dotted name, as a set."""
    return frozenset({name.rpartition(".")[2]})


def _is_one(word: str, last: Set[str], renamed: Set[str]) -> bool:
    return is_called(word, last) or word in renamed


def _bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a node has without reading them: the judge asks at these as well."""
    match node:
        case ast.alias(name=name, asname=other):
            yield from (*name.split("."), *(other or "").split())
        case ast.keyword(arg=str() as name) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name) | ast.ExceptHandler(name=str() as name):
            yield name
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
