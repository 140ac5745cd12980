"""Shadowing: does a builtin's own meaning still show where the module binds its name?

`def eval(text)` hides eval only from what runs after it: a function that is called before, or a
namespace from which the name is taken again, still gets the builtin.
"""

from collections.abc import Iterator, Sequence

import libcst as cst

from vetbox.rules.resolve.canonical import BUILTINS
from vetbox.rules.resolve.scopes import Binding, Scopes
from vetbox.rules.walk import Tree, identifier

_FUNCTIONS = (cst.FunctionDef, cst.Lambda)
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


def runs_early(scopes: Scopes, use: cst.CSTNode, bindings: Sequence[Binding]) -> bool:
    """May the function around a use be called before the module binds the name it uses?"""
    tree = scopes.tree
    outermost = _outermost_function(tree, use)
    if outermost is None:
        return False
    start = tree.order[id(outermost)]
    end = min(tree.order[id(binding.node)] for binding in bindings)
    if end <= start:
        return False
    names = set(_names_of(tree, outermost))
    if not names:
        return True  # nobody knows who holds it
    names = _reaching(tree, names)
    return any(
        start < tree.order[id(call)] < end and _mentions(tree, call, names)
        for call in tree.of_type(cst.Call, cst.Decorator)
        if _outermost_function(tree, call) is None and not _wraps(tree, call)
    )


def _outermost_function(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    """The outermost function in whose body the node stands."""
    found, child = None, node
    for above in tree.ancestors(node):
        if isinstance(above, _FUNCTIONS) and child is above.body:
            found = above
        child = above
    return found


def _names_of(tree: Tree, function: cst.CSTNode) -> Iterator[str]:
    """What the function is called by, and the class it is a method of."""
    if isinstance(function, cst.FunctionDef):
        yield identifier(function.name)
        for above in tree.ancestors(function):
            if isinstance(above, cst.ClassDef):
                yield identifier(above.name)
        return
    assigned = tree.parent(function)
    if isinstance(assigned, cst.Assign):
        for target in assigned.targets:
            if isinstance(target.target, cst.Name):
                yield identifier(target.target)


def _reaching(tree: Tree, names: set[str]) -> set[str]:
    """With the functions that mention one of the names, and those that mention them."""
    functions = [
        (set(_names_of(tree, function)), function) for function in tree.of_type(*_FUNCTIONS)
    ]
    while True:
        more = [
            own for own, function in functions if own - names and _mentions(tree, function, names)
        ]
        if not more:
            return names
        names = names.union(*more)


def _mentions(tree: Tree, node: cst.CSTNode, names: set[str]) -> bool:
    return any(
        isinstance(below, cst.Name) and identifier(below) in names for below in tree.below(node)
    )


def _wraps(tree: Tree, node: cst.CSTNode) -> bool:
    """A decorator imported from elsewhere keeps its function for later."""
    if not isinstance(node, cst.Decorator):
        return False
    return not any(isinstance(below, cst.Lambda) for below in tree.below(node))
