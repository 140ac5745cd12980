"""Denials: nodes that surely stand in code which a rule passes over."""

import ast
from collections.abc import Iterator, Set
from functools import cached_property

from vetbox.rules.screening.around import Around
from vetbox.rules.screening.escaped_modules import EscapedModules
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.plain import Plain

_AROUND = frozenset((ast.Attribute, ast.Subscript, ast.Compare))


class Denials:
    """Answers for one tree."""

    def __init__(self, words: Occurrences, plain: Plain, escaped: EscapedModules) -> None:
        self._words, self._plain, self._escaped = words, plain, escaped

    def has(self, node: ast.AST, denied: frozenset[Around]) -> bool:
        """Does a node surely stand in one of these surroundings?"""
        if not denied or not isinstance(node, ast.expr):
            return False
        outer = self._outer.get(id(node))
        if outer is None:
            return False
        name = self._plain.name(node)
        return name is not None and Around(type(outer), name) in denied

    def have_all(self, lasts: Set[str], denied: frozenset[Around]) -> bool:
        """Does everything that ends so surely stand in one of these, and go nowhere else?

        Told without asking each node what it may stand for: where nothing but attributes spells
        the words, what stands for something of such a name begins at one of them.
        """
        words = self._words
        elsewhere = (words.free, words.labels, words.given.keys())
        if words.stars or self._escaped.is_any or not all(map(lasts.isdisjoint, elsewhere)):
            return False
        attributes = words.by_kind.get(ast.Attribute, ())
        spelling = (one for one in attributes if one.attr in lasts or one.attr.strip("_") in lasts)
        return all(self.has(one, denied) for one in spelling)

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
