"""Nodes by last word: those that may be named, call or be given something called so."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeAlias

from vetbox.rules.screening.endings import Endings, Ends
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.sought import CALLING, NAMING

_Alike: TypeAlias = tuple[ast.AST, Sequence[ast.AST]]
"""What has the names, and the nodes that have it."""
_SINGLE = NAMING - {ast.Name, ast.Attribute, ast.Constant}
_DEFINING = CALLING - {ast.Call}


class ByEnds:
    """Made once, and asked for the names of one rule after the other."""

    def __init__(self, nodes: Iterable[_Alike], endings: Endings) -> None:
        by_ends: dict[Ends, list[ast.AST]] = defaultdict(list)
        for named, alike in nodes:
            by_ends[endings.of(named) if isinstance(named, ast.expr) else None] += alike
        self._anyhow = by_ends.pop(None, [])
        self._by_word: dict[str, list[ast.AST]] = defaultdict(list)
        for ends, found in by_ends.items():
            for word in ends or ():
                self._by_word[word] += found

    def in_one_of(self, words: Iterable[str]) -> Iterable[ast.AST]:
        """The nodes whose names may end so."""
        found = (self._by_word[word] for word in words if word in self._by_word)
        return dict.fromkeys([*self._anyhow, *(node for nodes in found for node in nodes)])


def _named(words: Occurrences) -> Iterator[_Alike]:
    """What has a name by itself: of constants None, True and False, which are names to libcst."""
    variables, attributes = defaultdict(list), defaultdict(list)
    for name in words.by_kind.get(ast.Name, ()):
        variables[name.id].append(name)
    for attribute in words.by_kind.get(ast.Attribute, ()):
        attributes[attribute.attr].append(attribute)
    yield from ((same[0], same) for same in chain(variables.values(), attributes.values()))
    yield from ((node, (node,)) for node in words.of(_SINGLE))
    constants = words.by_kind.get(ast.Constant, ())
    yield from ((one, (one,)) for one in constants if isinstance(one.value, (bool, type(None))))


def _called(words: Occurrences) -> Iterator[_Alike]:
    """A call by what it calls, a definition by its decorators."""
    yield from ((call.func, (call,)) for call in words.by_kind.get(ast.Call, ()))
    for node in words.of(_DEFINING):
        yield from ((one, (node,)) for one in node.decorator_list)


def _given(words: Occurrences) -> Iterator[_Alike]:
    """A call by each of its arguments; of what `**` holds nothing is told."""
    for call in words.by_kind.get(ast.Call, ()):
        yield from ((one, (call,)) for one in call.args)
        yield from ((one.value if one.arg else one, (call,)) for one in call.keywords)


class NamedNodes:
    """The nodes of one tree by the names that they have, that they call, that they are given."""

    def __init__(self, words: Occurrences, endings: Endings) -> None:
        self._words, self._endings = words, endings

    @cached_property
    def named(self) -> ByEnds:
        return ByEnds(_named(self._words), self._endings)

    @cached_property
    def called(self) -> ByEnds:
        return ByEnds(_called(self._words), self._endings)

    @cached_property
    def given(self) -> ByEnds:
        return ByEnds(_given(self._words), self._endings)
