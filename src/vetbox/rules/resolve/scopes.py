"""Scopes and their bindings; which binding a use may see is worked out when asked."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any, TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.resolve.captures import Path, captured_from
from vetbox.rules.walk import Tree, identifier, written_name

COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
_FUNCTIONS = (cst.FunctionDef, cst.Lambda)
# Asked by type: isinstance is slow on libcst's abstract classes.
_COMPREHENSION_TYPES = frozenset(COMPREHENSIONS)
_BODIED = frozenset((*_FUNCTIONS, cst.ClassDef))
_WHOLE = frozenset((cst.Module, *COMPREHENSIONS))


# What a binding gives its name ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Imported:
    """A module or something in one, by its dotted name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """What the expression gives, or the part of it at `path`: positions, keys, None for any."""

    value: cst.BaseExpression
    path: Path = ()


@dataclass(frozen=True, slots=True, eq=False)
class Augmented:
    """What the name held before, and something more: `x += v`."""

    statement: cst.AugAssign

    @property
    def is_sum(self) -> bool:
        return type(self.statement.operator) is cst.AddAssign


@dataclass(frozen=True, slots=True, eq=False)
class Entered:
    """What a context manager gives."""

    manager: cst.BaseExpression


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    param: cst.Param


@dataclass(frozen=True, slots=True, eq=False)
class Defined:
    definition: cst.FunctionDef | cst.ClassDef


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something nobody can tell before it runs."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """Nothing any more: `del x`."""


@dataclass(frozen=True, slots=True)
class Caught:
    """An exception, and nothing any more once its handler is left."""


Given: TypeAlias = (
    Imported | Value | Augmented | Entered | Parameter | Defined | Opaque | Deleted | Caught
)


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """A place that binds a name: the node that is evaluated when it does, and what it gives."""

    node: cst.CSTNode
    given: Given


@dataclass(slots=True, eq=False)
class Scope:
    """A module, function, class or comprehension with the names bound in it."""

    node: cst.CSTNode
    outer: "Scope | None"
    bindings: dict[str, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    elsewhere: dict[str, "Scope"] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    seen_later: dict[str, Any] = field(default_factory=dict)

    @property
    def runs_in_place(self) -> bool:
        """Does its code run where it stands, not when something is called?"""
        return type(self.node) is cst.ClassDef or type(self.node) in _COMPREHENSION_TYPES


class Scopes:
    """The scopes of a module."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.by_node: dict[int, Scope] = {}
        self._of: dict[int, Scope] = {}
        self._everywhere: dict[str, list[Binding]] = defaultdict(list)
        self.module = self._scope(tree.module)
        for read in (_declared, _bound):
            for scope, name, binding in read(self):
                scope.elsewhere.get(name, scope).bindings[name].append(binding)
                self._everywhere[name].append(binding)

    def of(self, node: cst.CSTNode) -> Scope:
        """The scope that a node's names are looked up in."""
        known = self._of.get(id(node))
        if known is None:
            known = self._of[id(node)] = self._scope(_scope_node(self.tree, node))
        return known

    def of_name_bound_by(self, node: cst.CSTNode) -> Scope:
        """The scope a target binds in: a walrus binds outside its comprehensions."""
        scope = self.of(node)
        if isinstance(self.tree.parent(node), cst.NamedExpr):
            while isinstance(scope.node, COMPREHENSIONS) and scope.outer:
                scope = scope.outer
        return scope

    def binding_anything(self, name: str) -> Sequence[Binding]:
        """The bindings of a name in all scopes."""
        return self._everywhere.get(name, ())

    def _scope(self, node: cst.CSTNode) -> Scope:
        known = self.by_node.get(id(node))
        if known is None:
            outer = None if node is self.tree.module else self.of(node)
            known = self.by_node[id(node)] = Scope(node, outer)
        return known

    def body_of(self, definition: cst.CSTNode) -> Scope:
        """The scope a function's or class's body makes."""
        return self._scope(definition)


def _scope_node(tree: Tree, node: cst.CSTNode) -> cst.CSTNode:
    """The innermost scope around a node; headers and first iterables belong outside."""
    parents = tree.parents
    child = node
    while (above := parents.get(id(child))) is not None:
        kind = type(above)
        if kind in _WHOLE:
            return above
        if kind in _BODIED and child is above.body:  # type: ignore[attr-defined]
            return above
        outer = parents.get(id(above))
        first = kind is cst.CompFor and child is above.iter  # type: ignore[attr-defined]
        # The first iterable of a comprehension is evaluated outside of it.
        child = outer if first and outer and type(outer) in _COMPREHENSION_TYPES else above
    return tree.module


# Collecting -------------------------------------------------------------------------------------

Found: TypeAlias = Iterator[tuple[Scope, str, Binding]]


def _declared(scopes: Scopes) -> Found:
    """`global` and `nonlocal` send a name's bindings to another scope."""
    for node in scopes.tree.of_type(cst.Global, cst.Nonlocal):
        scope = scopes.of(node)
        for item in node.names:  # type: ignore[attr-defined]
            name = identifier(item.name)
            is_global = isinstance(node, cst.Global)
            owner = scopes.module if is_global else _owner(scope, name)
            if owner is not scope:
                scope.elsewhere[name] = owner
    yield from ()


def _owner(scope: Scope, name: str) -> Scope:
    outer = scope.outer
    while outer is not None and outer.outer is not None:
        if isinstance(outer.node, _FUNCTIONS):
            return outer
        outer = outer.outer
    return scope


def _bound(scopes: Scopes) -> Found:
    tree = scopes.tree
    for kind, read in _READERS:
        for node in tree.by_type.get(kind, ()):
            for target, given in read(node, tree):
                yield from _targets(scopes, target, given)
    for node in tree.by_type.get(cst.ImportFrom, ()):
        if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar):
            scopes.of(node).stars.append(imported_module(node))


def _targets(scopes: Scopes, target: cst.CSTNode, given: Given) -> Found:
    """The names a target binds; parts of a tuple get parts of the value."""
    match target:
        case cst.Name():
            scope = scopes.of_name_bound_by(target)
            if isinstance(given, Parameter):
                owner = next(a for a in scopes.tree.ancestors(target) if isinstance(a, _FUNCTIONS))
                scope = scopes.body_of(owner)
            yield scope, identifier(target), Binding(target, given)
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            starred = any(isinstance(element, cst.StarredElement) for element in elements)
            for index, element in enumerate(elements):
                part = _part(given, None if starred else index)
                yield from _targets(scopes, element.value, part)
        case cst.StarredElement(value=inner):
            yield from _targets(scopes, inner, _part(given, None))


def _part(given: Given, index: int | None) -> Given:
    return Value(given.value, (*given.path, index)) if isinstance(given, Value) else Opaque()


Targets: TypeAlias = Iterator[tuple[cst.CSTNode, Given]]


def _assign(node: cst.Assign, tree: Tree) -> Targets:
    for target in node.targets:
        yield target.target, Value(node.value)


def _annotated(node: cst.AnnAssign, tree: Tree) -> Targets:
    if node.value is not None:
        yield node.target, Value(node.value)


def _import(node: cst.Import, tree: Tree) -> Targets:
    for alias in node.names:
        dotted = written_name(alias.name) or ""
        if alias.asname is not None:
            yield alias.asname.name, Imported(dotted)
        else:
            yield _root(alias.name), Imported(dotted.partition(".")[0])


def _import_from(node: cst.ImportFrom, tree: Tree) -> Targets:
    if isinstance(node.names, cst.ImportStar):
        return
    module = imported_module(node)
    for alias in node.names:
        name = f"{module}.{written_name(alias.name)}".replace("..", ".")
        yield (alias.asname.name if alias.asname else alias.name), Imported(name)


def imported_module(node: cst.ImportFrom) -> str:
    """`a.b` of `from a.b import …`; `.a` for a relative one."""
    dots = "." if node.relative else ""
    return dots + (written_name(node.module) or "")


def _root(name: cst.CSTNode) -> cst.CSTNode:
    while isinstance(name, cst.Attribute):
        name = name.value
    return name


def _for(node: cst.For | cst.CompFor, tree: Tree) -> Targets:
    yield node.target, Value(node.iter, (None,))


def _definition(node: cst.FunctionDef | cst.ClassDef, tree: Tree) -> Targets:
    yield node.name, Defined(node)


def _param(node: cst.Param, tree: Tree) -> Targets:
    yield node.name, Parameter(node)


def _with(node: cst.WithItem, tree: Tree) -> Targets:
    if node.asname is not None:
        plain = isinstance(node.asname.name, cst.Name)
        yield node.asname.name, Entered(node.item) if plain else Opaque()


def _handler(node: cst.ExceptHandler | cst.ExceptStarHandler, tree: Tree) -> Targets:
    if node.name is not None:
        yield node.name.name, Caught()


def _walrus(node: cst.NamedExpr, tree: Tree) -> Targets:
    yield node.target, Value(node.value)


def _augmented(node: cst.AugAssign, tree: Tree) -> Targets:
    yield node.target, Augmented(node)


def _delete(node: cst.Del, tree: Tree) -> Targets:
    yield node.target, Deleted()


def _capture(node: cst.MatchAs, tree: Tree) -> Targets:
    if node.name is not None:
        captured = captured_from(node, tree)
        yield node.name, Opaque() if captured is None else Value(*captured)


def _rest(node: cst.MatchStar | cst.MatchMapping, tree: Tree) -> Targets:
    name = node.name if isinstance(node, cst.MatchStar) else node.rest
    if name is not None:
        yield name, Opaque()


def _type_alias(node: cst.TypeAlias, tree: Tree) -> Targets:
    yield node.name, Value(node.value)


_READERS: Sequence[tuple[type[cst.CSTNode], Callable[..., Targets]]] = (
    (cst.Assign, _assign),
    (cst.AnnAssign, _annotated),
    (cst.NamedExpr, _walrus),
    (cst.Import, _import),
    (cst.ImportFrom, _import_from),
    (cst.For, _for),
    (cst.CompFor, _for),
    (cst.FunctionDef, _definition),
    (cst.ClassDef, _definition),
    (cst.Param, _param),
    (cst.WithItem, _with),
    (cst.ExceptHandler, _handler),
    (cst.ExceptStarHandler, _handler),
    (cst.AugAssign, _augmented),
    (cst.Del, _delete),
    (cst.MatchAs, _capture),
    (cst.MatchStar, _rest),
    (cst.MatchMapping, _rest),
    (cst.TypeAlias, _type_alias),
)
