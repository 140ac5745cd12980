"""Shadowing: may a builtin still be meant where the module binds its name?

`def eval(text)` hides eval only from what runs after it: a function that is called before, or a
namespace from which the name is taken again, still gets the builtin.
"""

from collections.abc import Sequence
from functools import cached_property

import libcst as cst

from vetbox.rules.resolve.canonical import BUILTINS
from vetbox.rules.resolve.earliness import Earliness
from vetbox.rules.resolve.scopes import Binding, Scopes

_NAMESPACES = frozenset({"globals", "locals", "vars", "delattr", "__dict__", "modules"})
_TAKING = frozenset({"pop", "clear", "popitem", "__delitem__", "delattr"})


class Shadowing:
    """Of one module's names."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._earliness = Earliness(scopes)

    def shows_builtin(self, name: str, use: cst.CSTNode, bindings: Sequence[Binding]) -> bool:
        """Does a builtin show through the module's own bindings of its name?"""
        if name not in BUILTINS:
            return False
        return self._may_be_taken_away or self._earliness.runs_early(use, bindings)

    @cached_property
    def _may_be_taken_away(self) -> bool:
        """`del globals()["eval"]`: is there anything that may take names out of a namespace?"""
        if "builtins" in self._scopes.module.stars:
            return True
        tree = self._scopes.tree
        if not tree.words & _NAMESPACES:
            return False
        return bool(tree.by_type.get(cst.Del)) or bool(tree.words & _TAKING)
