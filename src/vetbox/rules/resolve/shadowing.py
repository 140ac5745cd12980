"""Shadowing: does a builtin's own meaning still show where the module binds its name?

`def eval(text)` hides eval only from what runs after it: a function that is called before, or a
namespace from which the name is taken again, still gets the builtin.
"""

from collections.abc import Sequence

import libcst as cst

from vetbox.rules.resolve.canonical import BUILTINS
from vetbox.rules.resolve.earliness import runs_early
from vetbox.rules.resolve.scopes import Binding, Scopes
from vetbox.rules.walk import Tree

_NAMESPACES = frozenset({"globals", "locals", "vars", "delattr", "__dict__", "modules"})
_TAKING = frozenset({"pop", "clear", "popitem", "__delitem__", "delattr"})


def shows_builtin(scopes: Scopes, name: str, use: cst.CSTNode, bindings: Sequence[Binding]) -> bool:
    """Does a builtin show through the module's own bindings of its name?"""
    if name not in BUILTINS:
        return False
    taken = "builtins" in scopes.module.stars or may_be_taken_away(scopes.tree)
    return taken or runs_early(scopes, use, bindings)


def may_be_taken_away(tree: Tree) -> bool:
    """`del globals()["eval"]`: is there anything that may take names out of a namespace?"""
    if not tree.words & _NAMESPACES:
        return False
    return bool(tree.by_type.get(cst.Del)) or bool(tree.words & _TAKING)
