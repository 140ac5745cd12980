"""Ended: the nodes of a tree by the words that all names of what they stand for end with."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from vetbox.rules.screening.endings import Endings

Standing = tuple[ast.AST, ast.AST]
"""A node, and what of it has the names."""


class Ended:
    """Made once, and asked for the names of one rule after the other."""

    def __init__(self, nodes: Iterable[Standing], endings: Endings) -> None:
        self._anyhow: list[ast.AST] = []
        self._by_word: dict[str, list[ast.AST]] = defaultdict(list)
        for node, named in nodes:
            ends = endings.of(named) if isinstance(named, ast.expr) else None
            if ends is None:
                self._anyhow.append(node)
            else:
                for word in ends:
                    self._by_word[word].append(node)

    def in_one_of(self, words: Iterable[str]) -> Iterable[ast.AST]:
        """The nodes whose names may end so."""
        found = (self._by_word[word] for word in words if word in self._by_word)
        return dict.fromkeys([*self._anyhow, *(node for nodes in found for node in nodes)])


def named(node: ast.AST) -> Iterator[Standing]:
    """What has a name by itself: of constants None, True and False, which are names to libcst."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, (bool, type(None))):
        yield node, node


def called(node: ast.AST) -> Iterator[Standing]:
    """A call by what it calls, a definition by its decorators."""
    if isinstance(node, ast.Call):
        yield node, node.func
    else:
        yield from ((node, one) for one in getattr(node, "decorator_list", ()))
