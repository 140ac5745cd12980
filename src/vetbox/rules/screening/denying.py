"""Denying: what surely stands in code that a rule passes over, told by the node right around it."""

import ast
from collections.abc import Iterator
from functools import cached_property

from vetbox.rules.screening.around import Around
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.plain import Plain

_AROUND = frozenset((ast.Attribute, ast.Subscript, ast.Compare))


class Denials:
    """Answers for one tree."""

    def __init__(self, words: Occurrences, plain: Plain) -> None:
        self._words, self._plain = words, plain

    def has(self, node: ast.AST, denied: frozenset[Around]) -> bool:
        """Does it surely stand in one of these?"""
        if not denied or not isinstance(node, ast.expr):
            return False
        outer = self._outer.get(id(node))
        if outer is None:
            return False
        name = self._plain.name(node)
        return name is not None and Around(type(outer), name) in denied

    @cached_property
    def _outer(self) -> dict[int, ast.AST]:
        """What is asked for a key, an attribute, or whether it has something, and by which node."""
        return {id(held): node for node in self._words.of(_AROUND) for held in _held(node)}


def _held(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Attribute(value=held, ctx=ast.Load()):
            yield held
        case ast.Subscript(value=held, slice=key, ctx=ast.Load()) if not isinstance(
            key, (ast.Slice, ast.Tuple, ast.Starred)
        ):
            yield held
        case ast.Compare(ops=[ast.In()], comparators=[held]):
            yield held
