"""Words: identifiers, and texts that may be one."""

import ast
import re
from collections.abc import Iterator, Sequence, Set

from vetbox.code.nodes import nodes_of
from vetbox.rules.language.anchors import INDIRECTIONS
from vetbox.rules.resolve.canonical import OTHER_BUILTINS

WORD = re.compile(r"\w+")
HOLDERS = OTHER_BUILTINS | {"f_builtins", "__self__"}
"""Attributes that are the module of all builtins by another name, or lead there."""
LOOKUPS = INDIRECTIONS | {"hasattr", "setattr", "delattr"}
_RESOLVING = {"_importer", "locate", "safeimport"}
NAMING_BY_TEXT = LOOKUPS | HOLDERS | _RESOLVING | {"__globals__", "builtins", "f_locals"}
"""Words without which no text is taken for a name."""
GETTERS = frozenset(
    {"getattr", "hasattr", "setattr", "delattr", "getattr_static", "__getattribute__"}
    | {"attrgetter", "methodcaller"}
)
"""What takes a text for the name of an attribute."""
CALLERS = frozenset({"call", "methodcaller"})
"""What calls what it is given."""
IMPORTERS = frozenset({"__import__", "import_module", "_gcd_import"})
"""What imports what a text says."""
LOOKED_UP = frozenset({"?", "__dict__"})
"""Parts of names that nobody writes: what is looked up, and the namespace it is looked up in."""


def unhidden(words: Set[str]) -> Set[str]:
    """With the words as they are without underscores: `_os` is what a module calls its os."""
    found = {*words, *[word.strip("_") for word in words]}
    if not words.isdisjoint(HOLDERS):
        found.add("builtins")
    if not words.isdisjoint(LOOKUPS):
        found |= LOOKED_UP
    return found


def words_in(root: ast.AST) -> Iterator[str]:
    """Every identifier in a part of the tree, and every text that may be one."""
    for node in nodes_of(root):
        yield from words_of(node)


def words_of(node: ast.AST) -> Sequence[str]:
    """The identifiers of a node itself, and the words of a text that may be one."""
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    if isinstance(node, ast.Constant):
        value = node.value
        return WORD.findall(value) if isinstance(value, str) and len(value.split()) == 1 else ()
    return own_words(node)


def lookup_in(pattern: ast.pattern) -> str | None:
    """The word for what `case Box(run)` does: only the class knows the attribute that run gets."""
    by_position = (isinstance(one, ast.MatchClass) and one.patterns for one in nodes_of(pattern))
    return "getattr" if any(by_position) else None


def own_words(node: ast.AST) -> Sequence[str]:
    """The words among the fields of a node."""
    names = WORDED[type(node)]
    if not names:
        return ()
    found: list[str] = []
    for name in names:
        value = getattr(node, name, None)
        for one in value if value.__class__ is list else (value,):
            if one.__class__ is str:
                found += WORD.findall(one)
    return found


class _Worded(dict[type[ast.AST], tuple[str, ...]]):
    """The fields in which a type of node may hold words."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        self[kind] = () if kind is ast.Constant else tuple(n for n in kind._fields if n in _SAYING)
        return self[kind]


_SAYING = frozenset({"arg", "asname", "attr", "id", "kwd_attrs", "module", "name", "names", "rest"})
WORDED = _Worded()
