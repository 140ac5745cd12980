"""Earliness: may a function be run before the module binds a name that it uses?

It may where something between the two calls it, or what holds it, or has Python call it: an
operator, a `with`, a class made of a metaclass.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from vetbox.rules.resolve.reaching import is_sure
from vetbox.rules.resolve.scopes import Binding, Caught, Deleted, Imported, Scopes
from vetbox.rules.walk import Tree, identifier

_FUNCTIONS = (cst.FunctionDef, cst.Lambda)
_HOLDERS = (
    *_FUNCTIONS, cst.ClassDef, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For,
    cst.CompFor, cst.WithItem, cst.Match,
)  # fmt: skip
_NAMESPACES = frozenset({"globals", "locals", "vars", "modules", "__dict__"})
_CALLED = frozenset({"__init__", "__new__", "__call__", "__del__", "__post_init__"})
"""Of the methods that Python knows, those which run when something is called."""
_OF_CLASSES = frozenset({"__init_subclass__", "__mro_entries__", "__set_name__"})
_AS_THEY_ARE = frozenset({"staticmethod", "classmethod", "abstractmethod", "override", "final"})
_OPERATING = (
    cst.Attribute, cst.Subscript, cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation,
    cst.Comparison, cst.FormattedStringExpression, cst.StarredElement, cst.Await, cst.If, cst.IfExp,
    cst.While, cst.For, cst.CompFor, cst.WithItem, cst.AugAssign, cst.Del, cst.Match,
)  # fmt: skip


def runs_early(scopes: Scopes, use: cst.CSTNode, bindings: Sequence[Binding]) -> bool:
    """May the function around a use be run before the module binds the name it uses?"""
    tree = scopes.tree
    outermost = outermost_function(tree, use)
    if outermost is None:
        return False
    start, end = tree.order[id(outermost)], _bound_from(scopes, bindings)
    if end <= start:
        return False
    known = scopes.run_early.get((start, end))
    if known is None:
        known = scopes.run_early[start, end] = _may_run(scopes, outermost, start, end)
    return known


def outermost_function(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    """The outermost function in whose body the node stands."""
    found, child = None, node
    for above in tree.ancestors(node):
        if isinstance(above, _FUNCTIONS) and child is above.body:
            found = above
        child = above
    return found


def _bound_from(scopes: Scopes, bindings: Sequence[Binding]) -> int:
    """From where on the module surely has the name."""
    order = scopes.tree.order
    lasting = [one for one in bindings if type(one.given) not in (Deleted, Caught)]
    sure = [order[id(b.node)] for b in lasting if is_sure(scopes.tree, b, scopes.module)]
    return min(sure) if sure else max(order[id(binding.node)] for binding in bindings)


def _may_run(scopes: Scopes, function: cst.CSTNode, start: int, end: int) -> bool:
    tree = scopes.tree
    names = set(_names_of(tree, function))
    if not names:
        return True  # nobody knows who holds it
    reach = _reach(tree, names)
    if any(_has_python_run(tree, one, scopes) for one in reach.functions):
        return True
    between = [
        node
        for node in tree.of_type(cst.Call, cst.Decorator, cst.ClassDef, cst.Assign, *_OPERATING)
        if start < tree.order[id(node)] < end and outermost_function(tree, node) is None
    ]
    return any(_runs(tree, node, reach) for node in between)


# Who holds it -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Reach:
    """By what names a function may be got at, and the functions that get at it."""

    names: frozenset[str]
    functions: Sequence[cst.CSTNode]

    @property
    def by_operators(self) -> bool:
        """May Python run one of them without a call that is written?"""
        known = any(
            name[:2] == "__" == name[-2:] and name not in _CALLED and name not in _NAMESPACES
            for name in self.names
        )
        return known or any(map(_is_made_over, self.functions))


def _reach(tree: Tree, names: Iterable[str]) -> _Reach:
    """With what mentions one of the names, and what mentions that."""
    found = {*names, *(_NAMESPACES & tree.words)}
    holders = [
        (set(_names_of(tree, one)), _held(tree, one), one) for one in tree.of_type(*_HOLDERS)
    ]
    while True:
        more = [own for own, held, _ in holders if own - found and held & found]
        if not more:
            break
        found = found.union(*more)
    functions = [one for own, _, one in holders if own & found and isinstance(one, _FUNCTIONS)]
    return _Reach(frozenset(found), functions)


def _names_of(tree: Tree, holder: cst.CSTNode) -> Iterator[str]:
    """What a function, a class or a value is called by; of a method, its class as well."""
    if isinstance(holder, _FUNCTIONS):
        for above in tree.ancestors(holder):
            if isinstance(above, cst.ClassDef):
                yield identifier(above.name)
    match holder:
        case cst.FunctionDef(name=name) | cst.ClassDef(name=name):
            yield identifier(name)
        case cst.Lambda():
            assigned = tree.parent(holder)
            if isinstance(assigned, cst.Assign):
                yield from _names_in(tree, (target.target for target in assigned.targets))
        case cst.Assign(targets=targets):
            yield from _names_in(tree, (target.target for target in targets))
        case cst.WithItem(asname=cst.AsName(name=name)):
            yield from _names_in(tree, (name,))
        case cst.Match(cases=cases):
            yield from _names_in(tree, (case.pattern for case in cases))
        case cst.AnnAssign() | cst.AugAssign() | cst.NamedExpr() | cst.For() | cst.CompFor():
            yield from _names_in(tree, (holder.target,))


def _held(tree: Tree, holder: cst.CSTNode) -> frozenset[str]:
    """The names that it mentions."""
    match holder:
        case cst.For(iter=part) | cst.CompFor(iter=part) | cst.Match(subject=part):
            parts: Sequence[cst.CSTNode] = (part,)
        case cst.WithItem(item=part):
            parts = (part,)
        case cst.Assign(value=part) | cst.AugAssign(value=part) | cst.NamedExpr(value=part):
            parts = (part,)
        case cst.AnnAssign(value=value):
            parts = () if value is None else (value,)
        case _:
            parts = (holder,)
    return frozenset(_names_in(tree, parts))


def _names_in(tree: Tree, parts: Iterable[cst.CSTNode]) -> Iterator[str]:
    for part in parts:
        for node in (part, *tree.below(part)):
            if isinstance(node, cst.Name):
                yield identifier(node)


# What runs it -----------------------------------------------------------------------------------


def _runs(tree: Tree, node: cst.CSTNode, reach: _Reach) -> bool:
    """Does the node, when it is evaluated, run something that is held by one of the names?"""
    names = reach.names
    parts: Sequence[cst.CSTNode]
    match node:
        case cst.Call():
            return not names.isdisjoint(_names_in(tree, (node,)))
        case cst.Decorator():
            wraps = not any(isinstance(below, cst.Lambda) for below in tree.below(node))
            parts = (_root(node.decorator),) if wraps else (node,)
            return not names.isdisjoint(_names_in(tree, parts))
        case cst.ClassDef(bases=bases, keywords=keywords):
            if not names.isdisjoint(_names_in(tree, keywords)):
                return True
            told = not _OF_CLASSES.isdisjoint(names)
            return told and not names.isdisjoint(_names_in(tree, bases))
        case cst.Assign(targets=targets):
            spread = any(isinstance(one.target, (cst.Tuple, cst.List)) for one in targets)
            parts = (node.value,) if spread else ()
        case cst.If(test=part) | cst.While(test=part):
            parts = (part,)
        case cst.For(iter=part) | cst.CompFor(iter=part) | cst.Match(subject=part):
            parts = (part,)
        case _:
            parts = (node,)
    return reach.by_operators and not names.isdisjoint(_names_in(tree, parts))


def _is_made_over(function: cst.CSTNode) -> bool:
    """Is it the method of a class that a decorator makes something else of, as a property?"""
    if not isinstance(function, cst.FunctionDef):
        return False
    roots = (_last(one.decorator) for one in function.decorators)
    return any(root not in _AS_THEY_ARE for root in roots)


def _has_python_run(tree: Tree, function: cst.CSTNode, scopes: Scopes) -> bool:
    """Is it decorated by a function of the module that calls what it is given at once?"""
    if not isinstance(function, cst.FunctionDef):
        return False
    return any(_calls_at_once(tree, one.decorator, scopes) for one in function.decorators)


def _calls_at_once(tree: Tree, decorator: cst.BaseExpression, scopes: Scopes) -> bool:
    root = _root(decorator)
    name = identifier(root) if isinstance(root, cst.Name) else ""
    bindings = scopes.module.bindings.get(name, ())
    if any(isinstance(one.given, Imported) for one in bindings):
        return False  # it keeps its functions for later
    return any(
        outermost_function(tree, call) is made and not _is_decorator(tree, call)
        and not params.isdisjoint(_names_in(tree, (call,)))
        for made in tree.of_type(cst.FunctionDef)
        if isinstance(made, cst.FunctionDef) and identifier(made.name) == name
        for params in [{identifier(one.name) for one in made.params.params}]
        for call in tree.below(made.body)
        if isinstance(call, cst.Call) and _innermost(tree, call) is made
    )  # fmt: skip


def _is_decorator(tree: Tree, call: cst.CSTNode) -> bool:
    return isinstance(tree.parent(call), cst.Decorator)


def _innermost(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    return next((above for above in tree.ancestors(node) if isinstance(above, _FUNCTIONS)), None)


def _root(node: cst.CSTNode) -> cst.CSTNode:
    """`a` of `a.b(c).d`."""
    while isinstance(node, (cst.Attribute, cst.Call, cst.Subscript)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node


def _last(node: cst.CSTNode) -> str:
    """`d` of `a.b.d(c)`."""
    while isinstance(node, cst.Call):
        node = node.func
    part = node.attr if isinstance(node, cst.Attribute) else node
    return identifier(part) if isinstance(part, cst.Name) else ""
