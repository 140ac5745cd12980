"""Call order: may a function run before the module binds a name that it uses?

It may where something between the two calls it, or what holds it, or has Python call it: an
operator, a `with`, a class made of a metaclass.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.resolve.reaching import is_sure
from vetbox.rules.resolve.scopes import Binding, Caught, Deleted, Imported, Scopes
from vetbox.rules.walk import Tree, identifier, last_word

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
_RUNNING = (
    cst.Call, cst.Decorator, cst.ClassDef, cst.Assign,
    cst.Attribute, cst.Subscript, cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation,
    cst.Comparison, cst.FormattedStringExpression, cst.StarredElement, cst.Await, cst.If, cst.IfExp,
    cst.While, cst.For, cst.CompFor, cst.WithItem, cst.AugAssign, cst.Del, cst.Match,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Run:
    """Something that the module does, by its place in the order of evaluation."""

    place: int
    by_operator: bool = False
    """It runs only methods that Python knows: an operator, a `with`, a loop."""
    of_class: bool = False
    """It runs only what a class is told when it is made."""


class Earliness:
    """Of one module; what answers stand on is worked out when it is first asked for."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._tree = scopes.tree
        self._known: dict[tuple[int, int], bool] = {}  # by the function's place and the binding's
        self._calling: dict[str, bool] = {}  # by the name of a decorator

    def runs_early(self, use: cst.CSTNode, bindings: Sequence[Binding]) -> bool:
        """May the function around a use be run before the module binds the name it uses?"""
        outermost = outermost_function(self._tree, use)
        if outermost is None:
            return False
        start, end = self._tree.order[id(outermost)], _bound_from(self._scopes, bindings)
        if end <= start:
            return False
        known = self._known.get((start, end))
        if known is None:
            known = self._known[start, end] = self._may_run(outermost, range(start + 1, end))
        return known

    def _may_run(self, function: cst.CSTNode, between: range) -> bool:
        names = set(_names_of(self._tree, function))
        if not names:
            return True  # nobody knows who holds it
        names = self._reaching(names)
        functions = [one for name in names for one in self._functions.get(name, ())]
        if any(self._calls_at_once(root) for one in functions for root in _decorating(one)):
            return True
        by_operators = _are_known_to_python(names) or any(map(_is_made_over, functions))
        return any(
            run.place in between and (by_operators or not run.by_operator)
            and (not run.of_class or not _OF_CLASSES.isdisjoint(names))
            for name in names
            for run in self._runs.get(name, ())
        )  # fmt: skip

    def _calls_at_once(self, decorator: str) -> bool:
        """Does what functions are decorated with call them, and not keep them for later?"""
        known = self._calling.get(decorator)
        if known is None:
            bindings = self._scopes.module.bindings.get(decorator, ())
            imported = any(isinstance(one.given, Imported) for one in bindings)
            made = self._functions.get(decorator, ())
            known = not imported and any(_calls_what_it_is_given(self._tree, one) for one in made)
            self._calling[decorator] = known
        return known

    def _reaching(self, names: Iterable[str]) -> set[str]:
        """With what mentions one of the names, and what mentions that."""
        found = {*names, *(_NAMESPACES & self._tree.words)}
        asked = list(found)
        while asked:
            holders = self._held_by.get(asked.pop(), frozenset[str]())
            asked += holders - found
            found |= holders
        return found

    @cached_property
    def _held_by(self) -> Mapping[str, set[str]]:
        """The names of what mentions a name."""
        found: dict[str, set[str]] = defaultdict(set)
        for holder in self._tree.of_type(*_HOLDERS):
            own = set(_names_of(self._tree, holder))
            for name in _held(self._tree, holder):
                found[name] |= own
        return found

    @cached_property
    def _functions(self) -> Mapping[str, Sequence[cst.CSTNode]]:
        """The functions that are called by a name, or are methods of a class of that name."""
        found: dict[str, list[cst.CSTNode]] = defaultdict(list)
        for function in self._tree.of_type(*_FUNCTIONS):
            for name in set(_names_of(self._tree, function)):
                found[name].append(function)
        return found

    @cached_property
    def _runs(self) -> Mapping[str, Sequence[_Run]]:
        """What the module itself does that may run what is held by a name."""
        found: dict[str, list[_Run]] = defaultdict(list)
        for node in self._tree.of_type(*_RUNNING):
            if outermost_function(self._tree, node) is None:
                for name, run in _run_by(self._tree, node):
                    found[name].append(run)
        return found


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


# Who holds it -----------------------------------------------------------------------------------


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


def _run_by(tree: Tree, node: cst.CSTNode) -> Iterator[tuple[str, _Run]]:
    """The names of what the node, when it is evaluated, may run."""
    place = tree.order[id(node)]
    runs: list[tuple[_Run, Sequence[cst.CSTNode]]]
    match node:
        case cst.Call():
            runs = [(_Run(place), (node,))]
        case cst.Decorator():
            wraps = not any(isinstance(below, cst.Lambda) for below in tree.below(node))
            runs = [(_Run(place), (_root(node.decorator) if wraps else node,))]
        case cst.ClassDef(bases=bases, keywords=keywords):
            runs = [(_Run(place), keywords), (_Run(place, of_class=True), bases)]
        case _:
            runs = [(_Run(place, by_operator=True), _operands(node))]
    for run, parts in runs:
        for name in set(_names_in(tree, parts)):
            yield name, run


def _operands(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The parts of which an operation asks something."""
    match node:
        case cst.Assign(targets=targets):
            spread = any(isinstance(one.target, (cst.Tuple, cst.List)) for one in targets)
            return (node.value,) if spread else ()
        case cst.If(test=part) | cst.While(test=part):
            return (part,)
        case cst.For(iter=part) | cst.CompFor(iter=part) | cst.Match(subject=part):
            return (part,)
    return (node,)


def _are_known_to_python(names: Iterable[str]) -> bool:
    """Is one of them a method that runs without a call that is written?"""
    return any(
        name[:2] == "__" == name[-2:] and name not in _CALLED and name not in _NAMESPACES
        for name in names
    )


def _is_made_over(function: cst.CSTNode) -> bool:
    """Is it the method of a class that a decorator makes something else of, as a property?"""
    if not isinstance(function, cst.FunctionDef):
        return False
    roots = (_last(one.decorator) for one in function.decorators)
    return any(root not in _AS_THEY_ARE for root in roots)


def _decorating(function: cst.CSTNode) -> Iterator[str]:
    """What the decorators of a function begin with."""
    if isinstance(function, cst.FunctionDef):
        for one in function.decorators:
            root = _root(one.decorator)
            if isinstance(root, cst.Name):
                yield identifier(root)


def _calls_what_it_is_given(tree: Tree, made: cst.CSTNode) -> bool:
    """Does a function of the module itself call one of its parameters, when it is called?"""
    if not isinstance(made, cst.FunctionDef) or outermost_function(tree, made) is not None:
        return False
    params = {identifier(one.name) for one in made.params.params}
    return any(
        isinstance(call, cst.Call) and _innermost(tree, call) is made
        and not _is_decorator(tree, call) and not params.isdisjoint(_names_in(tree, (call,)))
        for call in tree.below(made.body)
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
    return last_word(node)
