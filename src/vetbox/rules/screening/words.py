"""Words: the identifiers of code, and texts that may be one."""

import ast
import re
from collections.abc import Iterator, Set

from vetbox.nodes import nodes_of
from vetbox.rules.filtering.anchors import INDIRECTIONS

WORD = re.compile(r"\w+")
_BUILTINS_BY = frozenset({"f_builtins", "__self__"})
"""Attributes that are the module of all builtins, or lead there."""
LOOKUPS = INDIRECTIONS | {"hasattr", "setattr", "delattr"}
_LOOKED_UP = frozenset({"?", "__dict__"})
"""Parts of names that nobody writes: what is looked up, and the namespace it is looked up in."""


def unhidden(words: Set[str]) -> Set[str]:
    """With the words as they are without underscores: `_os` is what a module calls its os."""
    found = {*words, *(word.strip("_") for word in words if word[:1] == "_" or word[-1:] == "_")}
    if not words.isdisjoint(_BUILTINS_BY):
        found.add("builtins")
    if not words.isdisjoint(LOOKUPS):
        found |= _LOOKED_UP
    return found


def words_in(root: ast.AST) -> Iterator[str]:
    """Every identifier in a part of the tree, and every text that may be one."""
    for node in nodes_of(root):
        yield from words_of(node)


def words_of(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str() as text):
            if len(text.split()) == 1:
                yield from WORD.findall(text)
        case _:
            yield from own_words(node)


def own_words(node: ast.AST) -> Iterator[str]:
    """The words among the fields of a node."""
    for name in _WORDED[type(node)]:
        value = getattr(node, name, None)
        for one in value if value.__class__ is list else (value,):
            if one.__class__ is str:
                yield from WORD.findall(one)


class _Worded(dict[type[ast.AST], tuple[str, ...]]):
    """The fields in which a type of node may hold words."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        self[kind] = () if kind is ast.Constant else tuple(n for n in kind._fields if n in _SAYING)
        return self[kind]


_SAYING = frozenset({"arg", "asname", "attr", "id", "kwd_attrs", "module", "name", "names", "rest"})
_WORDED = _Worded()
