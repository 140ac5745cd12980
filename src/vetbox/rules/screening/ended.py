"""Ended: the nodes of a tree by the words that all names of what they stand for end with."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

from vetbox.rules.screening.endings import Endings, Ends
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.sought import CALLING, NAMING

_Pair: TypeAlias = tuple[ast.AST, ast.AST]
"""A node, and what of it has the names."""


class Ended:
    """Made once, and asked for the names of one rule after the other."""

    def __init__(self, nodes: Iterable[_Pair], endings: Endings) -> None:
        by_ends: dict[Ends, list[ast.AST]] = defaultdict(list)
        for node, named in nodes:
            by_ends[endings.of(named) if isinstance(named, ast.expr) else None].append(node)
        self._anyhow = by_ends.pop(None, [])
        self._by_word: dict[str, list[ast.AST]] = defaultdict(list)
        for ends, found in by_ends.items():
            for word in ends or ():
                self._by_word[word] += found

    def in_one_of(self, words: Iterable[str]) -> Iterable[ast.AST]:
        """The nodes whose names may end so."""
        found = (self._by_word[word] for word in words if word in self._by_word)
        return dict.fromkeys([*self._anyhow, *(node for nodes in found for node in nodes)])


def _named(node: ast.AST) -> Iterator[_Pair]:
    """What has a name by itself: of constants None, True and False, which are names to libcst."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, (bool, type(None))):
        yield node, node


def _called(node: ast.AST) -> Iterator[_Pair]:
    """A call by what it calls, a definition by its decorators."""
    if isinstance(node, ast.Call):
        yield node, node.func
    else:
        yield from ((node, one) for one in getattr(node, "decorator_list", ()))


def _given(call: ast.Call) -> Iterator[_Pair]:
    """A call by each of its arguments; of what `**` holds nothing is told."""
    yield from ((call, one) for one in call.args)
    yield from ((call, one.value if one.arg else one) for one in call.keywords)


class Standing:
    """The nodes of one tree by the names that they have, that they call, that they are given."""

    def __init__(self, words: Occurrences, endings: Endings) -> None:
        self._words, self._endings = words, endings

    @cached_property
    def named(self) -> Ended:
        return self._ended(_named, self._words.of(NAMING))

    @cached_property
    def called(self) -> Ended:
        return self._ended(_called, self._words.of(CALLING))

    @cached_property
    def given(self) -> Ended:
        return self._ended(_given, self._words.by_kind.get(ast.Call, ()))

    def _ended(self, pairs: Callable[[Any], Iterable[_Pair]], nodes: Sequence[Any]) -> Ended:
        return Ended(chain.from_iterable(map(pairs, nodes)), self._endings)
