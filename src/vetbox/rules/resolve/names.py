"""The resolver: what a written expression may stand for, as canonical dotted names.

`os.system`, `eval` (builtins are bare), `zipfile.ZipFile()` for a call's result, `?.read` for an
attribute of something unknown. Answers are sets: at a branch a name may be several things.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any
from weakref import proxy

import libcst as cst

from vetbox.rules.budget import Budget
from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve import canonical, indirection, joining, tables
from vetbox.rules.resolve.annotations import types_named
from vetbox.rules.resolve.canonical import NOTHING, UNKNOWN, Names
from vetbox.rules.resolve.escaped_modules import EscapedModules
from vetbox.rules.resolve.folding import Folder
from vetbox.rules.resolve.gathering import Gathering
from vetbox.rules.resolve.hints import Hints
from vetbox.rules.resolve.members import Members, dispatcher
from vetbox.rules.resolve.owners import Owners
from vetbox.rules.resolve.reaching import FUNCTIONS, MAX_TOLD_APART, Reached, reaching
from vetbox.rules.resolve.scopes import (
    Augmented,
    Binding,
    Defined,
    Deleted,
    Entered,
    Imported,
    Parameter,
    Scope,
    Scopes,
    Value,
)
from vetbox.rules.resolve.shadowing import Shadowing
from vetbox.rules.resolve.sums import Sums
from vetbox.rules.walk import Tree, identifier, written_name

MAX_NAMES = 24
"""Of more things than that behind one name only builtins and system modules are told apart."""
MAX_DEPTH = 25
MAX_STEPS = 250_000
"""Of names worked out for one file; of 7,000 real files the most entangled takes 80,000."""


class Resolver:
    """Answers for one module; every answer is worked out when it is first asked for."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.weak = proxy(self)  # a circle would wait for the garbage collector
        self.folder = Folder(self.weak)
        self.members = Members(self.weak)
        self.budget = Budget(MAX_STEPS)
        self.known_fixed: dict[tuple[int, int], bool] = {}
        self.searches: dict[object, Any] = {}  # of code patterns, which hold no more than `weak`
        self.budgets: dict[str, Budget] = {}  # by pattern
        self.made: list[cst.CSTNode] = []  # kept, as answers go by identity
        self.known_elements: dict[tuple[int, str], list[cst.BaseExpression] | None] = {}
        self.known_begun: dict[Reached, Names] = {}
        self.known_behind: dict[cst.Name, cst.BaseExpression | None] = {}
        self.known_within: dict[tuple[int, int], tuple[object, bool]] = {}  # keeps what has the id
        self.known_escapes: dict[tuple[int, int], bool] = {}
        self._sums = Sums()
        self.table_depth = 0
        self._cut = False
        self._read_through: set[Resolve] = set()
        self._known_held: dict[tuple[Reached, Resolve], Names] = {}
        self._known: dict[tuple[int, Resolve], Names] = {}
        self.gathering = Gathering(self._known, self.known_elements)
        self._open: set[tuple[int, Resolve]] = set()
        self._guessed: dict[tuple[int, Resolve], Names] = {}  # while an answer is cut short
        self._united: dict[tuple[int, Resolve], Names] = {}

    @cached_property
    def scopes(self) -> Scopes:
        return Scopes(self.tree)

    @cached_property
    def hints(self) -> Hints:
        return Hints(self.scopes, self.members)

    @cached_property
    def shadowing(self) -> Shadowing:
        return Shadowing(self.scopes)

    @cached_property
    def owners(self) -> Owners:
        return Owners(self.weak)

    @cached_property
    def escaped(self) -> EscapedModules:
        return EscapedModules(self.weak)

    def without_escapes(self) -> "Resolver":
        """Another for the same module, which assumes that nothing escapes."""
        another = Resolver(self.tree)
        another.escaped.keep_all()
        another.folder.is_wary = self.folder.is_wary
        return another

    def names(self, node: cst.CSTNode, level: Resolve = Resolve.ALIASES) -> Names:
        """Everything the expression may be, as far as the level follows it."""
        key = (id(node), level)
        known = self._known.get(key)
        if known is not None:
            return known
        if key in self._open:
            return UNKNOWN
        if self._cut and key in self._guessed:
            return self._guessed[key]
        if len(self._open) > MAX_DEPTH:
            self._cut = True
            return UNKNOWN
        found = self._opened(node, level)
        self.made.append(node)
        if not self._cut:
            self._known[key] = found
        elif self._open:
            self._guessed[key] = found
        else:
            found = self._from_the_top(node, level)
        return found

    def _opened(self, node: cst.CSTNode, level: Resolve) -> Names:
        key = (id(node), level)
        self.budget.spend()
        self._open.add(key)
        try:
            found = self._names(node, level)
        finally:
            self._open.discard(key)
        is_many = len(found) > MAX_NAMES
        return UNKNOWN.union(filter(canonical.is_telling, found)) if is_many else found

    def _from_the_top(self, node: cst.CSTNode, level: Resolve) -> Names:
        """After too long a chain: each answer stands on those before it, of calls below it."""
        self._start_anew()
        if level not in self._read_through:
            self._read_through.add(level)
            calls = self.tree.by_type.get(cst.Call, ())
            for asked in (*self.tree.by_type.get(cst.Name, ()), *reversed(calls)):
                self.names(asked, level)
        found = self._known[id(node), level] = self._opened(node, level)
        self._start_anew()
        return found

    def _start_anew(self) -> None:
        self._cut = False
        self._guessed.clear()

    def callee(self, call: cst.Call | cst.Decorator, level: Resolve) -> Names:
        """What a call or a decorator calls."""
        if isinstance(call, cst.Decorator):
            return self.names(call.decorator, level)
        indirect = indirection.called(self, call) if level is Resolve.DYNAMIC else NOTHING
        return indirect or self.names(call.func, level)

    def union(self, nodes: Iterable[cst.CSTNode], level: Resolve) -> Names:
        found = [self.names(node, level) for node in nodes]
        self.budget.glance(len(found))
        return NOTHING.union(*found)

    def of_any(self, kept: Sequence[cst.CSTNode], level: Resolve) -> Names:
        """The union for a list that is kept, in which many may look something up."""
        key = (id(kept), level)
        known = self._united.get(key)
        if known is None:
            known = self.union(kept, level)
            if len(self._open) <= 1 and not self._cut:  # no part of a cycle is missing
                self._united[key] = known
        return known

    # Expressions ------------------------------------------------------------------------------

    def _names(self, node: cst.CSTNode, level: Resolve) -> Names:
        if level is Resolve.NONE:
            name = written_name(node)
            return frozenset({name}) if name else NOTHING
        read = _READERS.get(type(node))
        if read is not None:
            return read(self, node, level)
        return joining.joined(self, node, level) if level >= Resolve.ALIASES else UNKNOWN

    def _attribute(self, node: cst.Attribute, level: Resolve) -> Names:
        attr = identifier(node.attr)
        bases = self.names(node.value, level)
        found = frozenset(canonical.attribute(base, attr) for base in bases)
        if level >= Resolve.ALIASES and (not bases or "?" in bases):
            found |= self.members.member(node, attr, level)
        if level is Resolve.DYNAMIC:
            found |= self.escaped.attribute(bases, attr)
        return found or frozenset({canonical.attribute("?", attr)})

    def _call(self, call: cst.Call, level: Resolve) -> Names:
        if level >= Resolve.ALIASES:
            dynamic = indirection.result(self, call) if level is Resolve.DYNAMIC else None
            if dynamic is not None:
                return dynamic
            wrapped = indirection.wrapped(self, call)
            if wrapped is not None:
                return self.names(wrapped, level)
            returned = indirection.fetched(self, call, level)
            returned |= self.members.returned(call, level)
            returned |= indirection.read_unseen(self, call, level)
            if returned:
                return returned
        return frozenset(canonical.instance(name) for name in self.callee(call, level))

    # Names ------------------------------------------------------------------------------------

    def _name(self, node: cst.Name, level: Resolve) -> Names:
        return self.lookup(identifier(node), node, level)

    def lookup(self, name: str, use: cst.CSTNode, level: Resolve) -> Names:
        """What a name means where it is used."""
        found = NOTHING
        for scope, reached in self.visible(name, use):
            found |= self._held(reached, level)
            if scope.outer is None and (
                reached.maybe_unbound or self.shadowing.shows_builtin(name, use, reached.bindings)
            ):
                found |= self._free(name, scope)
                if level is Resolve.DYNAMIC and self.escaped.gives_variables(name):
                    found |= UNKNOWN
        return found

    def _held(self, reached: Reached, level: Resolve) -> Names:
        """What the bindings give; many uses see the same."""
        if len(reached.bindings) == 1:
            return self.given(reached.bindings[0], level)
        known = self._known_held.get((reached, level))
        if known is None:
            if len(reached.bindings) > MAX_TOLD_APART:
                return self._gathered(reached, level)
            found = NOTHING.union(*(self.given(binding, level) for binding in reached.bindings))
            if len(self._open) > 1 or self._cut:  # a part of a cycle may still be missing
                return found
            known = self._known_held[reached, level] = found
        return known

    def _gathered(self, reached: Reached, level: Resolve) -> Names:
        """What very many bindings give."""
        return self.gathering.of(
            (reached, level),
            UNKNOWN,
            lambda: NOTHING.union(*(self.given(binding, level) for binding in reached.bindings)),
            lambda: not self._cut,
        )

    def visible(self, name: str, use: cst.CSTNode) -> Iterator[tuple[Scope, Reached]]:
        """The scopes whose bindings a use sees, inside out; the module's always counts as last."""
        scope: Scope | None = (start := self.scopes.of(use))
        in_place = True
        while scope is not None:
            hidden = type(scope.node) is cst.ClassDef and scope is not start
            scope_of_name = scope.elsewhere.get(name)
            while scope_of_name is not None and scope is not scope_of_name:
                in_place = in_place and scope.runs_in_place
                scope, hidden = scope.outer or scope_of_name, False
            if not hidden and name in scope.bindings:
                self.budget.glance(min(len(scope.bindings[name]), MAX_TOLD_APART))
                reached = reaching(self.tree, use, scope, name, in_place=in_place)
                yield scope, reached
                if not reached.maybe_unbound or type(scope.node) in FUNCTIONS:
                    return
            elif scope.outer is None:
                yield scope, Reached((), maybe_unbound=True)
            # What a class binds is looked up in no function around it.
            is_global = type(scope.node) is cst.ClassDef and not hidden and name in scope.bindings
            in_place, scope = in_place and scope.runs_in_place, scope.outer
            while is_global and scope is not None and scope.outer is not None:
                in_place, scope = in_place and scope.runs_in_place, scope.outer

    def _free(self, name: str, module: Scope) -> Names:
        """A name that no one binds: a builtin, or something a star import may bring."""
        self.budget.glance(len(module.stars))
        stars = (canonical.imported(f"{star}.{name}") for star in module.stars)
        own = {name, "builtins"} if name == "__builtins__" else {name}
        return frozenset((*own, *stars))

    def given(self, binding: Binding, level: Resolve) -> Names:
        """What a binding gives its name."""
        match binding.given:
            case Imported(name=name):
                return frozenset({canonical.imported(name)})
            case Deleted():
                return NOTHING
            case _ if level < Resolve.ALIASES:
                return UNKNOWN
            case Value(value=value, path=path):
                return self._part(value, path, level)
            case Entered(manager=manager):
                return self.names(manager, level)
            case Parameter(param=param):
                return self._parameter(param, level)
            case Defined(definition=cst.FunctionDef() as function):
                return UNKNOWN | dispatcher(function, self, level)
        return UNKNOWN

    def _part(self, value: cst.BaseExpression, path: Sequence[object], level: Resolve) -> Names:
        """The names of a value, or of the part of it that a target gets."""
        if not path:
            return self.names(value, level)
        parts = self.elements(value, path[0]) or ()
        return NOTHING.union(*(self._part(part, path[1:], level) for part in parts)) or UNKNOWN

    def _parameter(self, param: cst.Param, level: Resolve) -> Names:
        found = UNKNOWN
        if param.default is not None:
            found |= self.names(param.default, level)
        if param.annotation is not None and not param.star:
            types = types_named(param.annotation.annotation)
            found |= {canonical.instance(name) for t in types for name in self.names(t, level)}
        return found

    # Containers and definitions ---------------------------------------------------------------

    def elements(
        self, container: cst.BaseExpression, key: object
    ) -> list[cst.BaseExpression] | None:
        """The elements that a container literal may have under a key (None: any key)."""
        return tables.elements(self, container, key)

    def assigned(self, name: cst.Name) -> Iterator[cst.BaseExpression]:
        """The whole values that a variable may hold."""
        for _, reached in self.visible(identifier(name), name):
            yield from self.whole(reached)

    def whole(self, reached: Reached) -> Iterator[cst.BaseExpression]:
        """The whole values among what bindings give."""
        for binding in reached.bindings:
            given = binding.given
            if isinstance(given, Value) and not given.path:
                yield given.value
            elif isinstance(given, Parameter) and given.param.default is not None:
                yield given.param.default
            elif isinstance(given, Augmented) and given.is_sum:
                yield self._sums.of(given.statement)


# Asked by type: isinstance is slow on libcst's abstract classes.
_READERS: Mapping[type[cst.CSTNode], Callable[..., Names]] = {
    cst.Name: Resolver._name,
    cst.Attribute: Resolver._attribute,
    cst.Call: Resolver._call,
}
