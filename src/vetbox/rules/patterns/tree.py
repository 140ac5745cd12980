"""Meaningful fields of libcst nodes: their children without layout."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from typing import cast

import libcst as cst

from vetbox.rules.walk import IS_NODE, Kinds, identifier

_LAYOUT = frozenset(
    {"lpar", "rpar", "comma", "semicolon", "dot", "colon", "equal", "newline", "indent"}
    | {"lbracket", "rbracket", "lbrace", "rbrace", "posonly_ind", "first_line", "empty_lines"}
    | {"header", "footer", "leading_lines", "lines_after_decorators", "trailing_whitespace"}
    | {"leading_whitespace", "lines_after_module_docstring", "encoding", "default_indent"}
    | {"default_newline", "has_trailing_newline"}
)
_ASYNC_IS_OPTIONAL = frozenset({"asynchronous"})


@cache
def meaningful_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The field names of a node type that say what the code does."""
    return tuple(
        field.name
        for field in fields(kind)
        if field.name not in _LAYOUT
        and field.name not in _ASYNC_IS_OPTIONAL
        and not field.name.startswith("whitespace")
    )


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The meaningful child nodes, in source order."""
    for name in meaningful_fields(type(node)):
        value = getattr(node, name)
        kind = type(value)
        if IS_NODE[kind]:
            yield value
        elif kind is list or kind is tuple:
            for item in value:
                if IS_NODE[type(item)]:
                    yield item


def flat_statements(
    body: Iterable[cst.BaseStatement | cst.BaseSmallStatement],
) -> Iterator[cst.BaseSmallStatement | cst.BaseCompoundStatement]:
    """The statements of a block with `a; b` taken apart."""
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            yield from statement.body
        elif isinstance(statement, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            yield statement


def block_of(
    suite: cst.BaseSuite | cst.Module,
) -> tuple[cst.BaseSmallStatement | cst.BaseCompoundStatement, ...]:
    """The statements of an indented block or of a one-line suite."""
    return tuple(flat_statements(suite.body))


def nested_blocks(statement: cst.CSTNode, *, nested: bool = False) -> Iterator[cst.BaseSuite]:
    """The blocks right below a compound statement; those of a definition only if `nested`."""
    if not nested and _IS_DEFINITION[type(statement)]:
        return
    for child in children(statement):
        if _IS_BLOCK[type(child)]:
            yield cast(cst.BaseSuite, child)
        elif _IS_CLAUSE[type(child)]:
            yield from nested_blocks(child)


_IS_DEFINITION = Kinds(cst.FunctionDef, cst.ClassDef)
_IS_BLOCK = Kinds(cst.BaseSuite)
_IS_CLAUSE = Kinds(
    *(cst.If, cst.Else, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.MatchCase)
)


def preorder(
    statements: Iterable[cst.BaseSmallStatement | cst.BaseCompoundStatement],
    *,
    nested: bool = False,
) -> Iterator[cst.BaseSmallStatement | cst.BaseCompoundStatement]:
    """The statements with those of their nested blocks, in source order."""
    for statement in statements:
        yield statement
        for suite in nested_blocks(statement, nested=nested):
            yield from preorder(block_of(suite), nested=nested)


def same(left: cst.CSTNode, right: cst.CSTNode) -> bool:
    """Is it the same code, layout aside?"""
    if isinstance(left, cst.SimpleString) and isinstance(right, cst.SimpleString):
        return left.evaluated_value == right.evaluated_value
    if isinstance(left, cst.Name) and isinstance(right, cst.Name):
        return identifier(left) == identifier(right)
    if type(left) is not type(right):
        return False
    return all(
        _same_value(getattr(left, name), getattr(right, name))
        for name in meaningful_fields(type(left))
    )


def _same_value(left: object, right: object) -> bool:
    if isinstance(left, cst.CSTNode) and isinstance(right, cst.CSTNode):
        return same(left, right)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(_same_value, left, right))
    return left == right
