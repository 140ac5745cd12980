"""Members: the functions and classes of the module itself, their results and attributes."""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.language.properties import PROPERTIES
from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.additions import Addition, additions_in
from vetbox.rules.resolve.annotations import types_named
from vetbox.rules.resolve.canonical import NOTHING, UNKNOWN, Names
from vetbox.rules.resolve.context import Context, Definition
from vetbox.rules.resolve.reaching import MAX_TOLD_APART, Reached
from vetbox.rules.resolve.scopes import Binding, Defined, Parameter, Value
from vetbox.rules.walk import Tree, children_of, identifier, last_word

_DISPATCHERS = frozenset({"functools.singledispatch", "functools.singledispatchmethod"})
"""They make of a function one that calls others for it."""
_DISPATCHING = frozenset(name.rpartition(".")[2] for name in _DISPATCHERS)

MAX_DEPTH = 20
"""Nobody renames a class so often."""


class Members:
    """Answers about the definitions of one module."""

    def __init__(self, resolver: Context) -> None:
        self._resolver = resolver
        self._depth = 0
        self._definitions: dict[int, tuple[Definition, ...]] = {}
        self._among_many: dict[Reached, tuple[Definition, ...]] = {}
        self._fields: dict[tuple[int, str], list[cst.BaseExpression]] | None = None
        self._assigned: set[str] = set()
        self._returned: dict[int, list[cst.BaseExpression]] = {}

    def definitions(self, node: cst.CSTNode) -> tuple[Definition, ...]:
        """The functions and classes of this module that an expression may be (an instance of)."""
        known = self._definitions.get(id(node))
        if known is not None or self._depth > MAX_DEPTH:
            return known or ()
        self._definitions[id(node)] = ()  # what a cycle sees
        self._depth += 1
        found = {id(definition): definition for definition in self._defined(node)}
        self._depth -= 1
        known = self._definitions[id(node)] = tuple(found.values())
        return known

    def _defined(self, node: cst.CSTNode) -> Iterator[Definition]:
        match node:
            case cst.Lambda():
                yield node
            case cst.Call(func=func):
                yield from (d for d in self.definitions(func) if isinstance(d, cst.ClassDef))
            case cst.Attribute(value=value, attr=attr):
                for owner in self.definitions(value):
                    yield from self._methods(owner, identifier(attr))
            case cst.Name():
                yield from self._defined_as(node)

    def _defined_as(self, name: cst.Name) -> Iterator[Definition]:
        for _, reached in self._resolver.visible(identifier(name), name):
            if len(reached.bindings) <= MAX_TOLD_APART:
                yield from self._bound(reached)
                continue
            known = self._among_many.get(reached)
            if known is None:
                self._among_many[reached] = ()  # what a cycle sees
                known = self._among_many[reached] = tuple(self._bound(reached))
            yield from known

    def _bound(self, reached: Reached) -> Iterator[Definition]:
        for binding in reached.bindings:
            match binding.given:
                case Defined(definition=definition):
                    yield definition
                case Value(value=value, path=()):
                    yield from self.definitions(value)
                case Parameter(param=param):
                    yield from self.owner_of_self(param)
                    yield from self._declared(param)

    def _declared(self, param: cst.Param) -> Iterator[Definition]:
        """The classes of which a parameter is said to be."""
        said = param.annotation
        for written in types_named(said.annotation) if said is not None and not param.star else ():
            yield from (d for d in self.definitions(written) if isinstance(d, cst.ClassDef))

    def _methods(self, owner: Definition, name: str) -> Iterator[Definition]:
        if isinstance(owner, cst.ClassDef):
            for binding in self._resolver.scopes.body_of(owner).bindings.get(name, ()):
                if isinstance(binding.given, Defined):
                    yield binding.given.definition

    def public_methods(self, owner: cst.ClassDef) -> Iterator[cst.FunctionDef]:
        """The methods of a class, and of its bases in this module, whose names are for others."""
        family = {id(owner): owner}
        waiting = [owner]
        while waiting:
            one = waiting.pop()
            for name, bindings in self._resolver.scopes.body_of(one).bindings.items():
                given = (b.given for b in bindings if not name.startswith("_"))
                defined = (g.definition for g in given if isinstance(g, Defined))
                yield from (d for d in defined if isinstance(d, cst.FunctionDef))
            above = [d for arg in one.bases for d in self.definitions(arg.value)]
            new = [d for d in above if isinstance(d, cst.ClassDef) and id(d) not in family]
            family.update((id(d), d) for d in new)
            waiting += new

    def run_by(self, definition: Definition) -> Iterator[cst.FunctionDef]:
        """The function that a call of a definition runs: of a class, its constructor."""
        if isinstance(definition, cst.FunctionDef):
            yield definition
        for init in self._methods(definition, "__init__"):
            if isinstance(init, cst.FunctionDef):
                yield init

    def owner_of_self(self, param: cst.Param) -> Iterator[Definition]:
        """The class around a method, for the method's first parameter."""
        parameters = self._resolver.tree.parent(param)
        method = self._resolver.tree.parent(parameters) if parameters else None
        if not isinstance(method, cst.FunctionDef) or not isinstance(parameters, cst.Parameters):
            return
        positional = (*parameters.posonly_params, *parameters.params)
        scope = self._resolver.scopes.of(method)
        if positional and positional[0] is param and isinstance(scope.node, cst.ClassDef):
            yield scope.node

    def member(self, node: cst.Attribute, attr: str, level: Resolve) -> Names:
        """What a class of this module, or a method's assignment, puts into an attribute."""
        found = NOTHING
        for owner in self.definitions(node.value):
            if isinstance(owner, cst.ClassDef):
                for binding in self._resolver.scopes.body_of(owner).bindings.get(attr, ()):
                    found |= self._resolver.given(binding, level)
                    found |= self._read(binding, level)
                found |= self._assigned_fields(owner, attr, level)
                found |= self._inherited(owner, attr, level)
        return found - UNKNOWN

    def _read(self, binding: Binding, level: Resolve) -> Names:
        """What reading a property gives, which calls a function."""
        match binding.given:
            case Defined(definition=cst.FunctionDef() as function) if is_property(function):
                return self._given_by(function, level)
        return NOTHING

    def held_by_classes(self, node: cst.Attribute) -> list[Binding]:
        """What the classes of this module give to an attribute that nothing else is put into."""
        name = identifier(node.attr)
        if not isinstance(node.value, cst.Name) or name not in self._held:
            return []
        if self.are_assigned(name):
            return []
        owners = (one for one in self.definitions(node.value) if isinstance(one, cst.ClassDef))
        bodies = map(self._resolver.scopes.body_of, owners)
        return [binding for body in bodies for binding in body.bindings.get(name, ())]

    def values_of(self, node: cst.Attribute) -> Sequence[cst.BaseExpression]:
        """All that the classes of this module put into an attribute; none if some is not told."""
        if not isinstance(node.value, cst.Name):
            return ()
        name, found = identifier(node.attr), list[cst.BaseExpression]()
        for owner in self.definitions(node.value):
            if isinstance(owner, cst.ClassDef):
                bindings = self._resolver.scopes.body_of(owner).bindings.get(name, ())
                values = [one.given for one in bindings]
                if not all(isinstance(one, Value) and not one.path for one in values):
                    return ()
                found += [one.value for one in values if isinstance(one, Value)]
                found += self.fields(owner, name)
        return found

    def held_anywhere(self, name: str) -> list[Binding]:
        """What any class of this module gives to an attribute: whose it is, subclasses decide."""
        classes = self._resolver.tree.of_type(cst.ClassDef)
        bodies = map(self._resolver.scopes.body_of, classes)
        return [binding for body in bodies for binding in body.bindings.get(name, ())]

    @cached_property
    def additions(self) -> Mapping[str, list[Addition]]:
        """What the module's statements put into tables, by the names of these."""
        return additions_in(self._resolver.tree)

    @cached_property
    def _held(self) -> frozenset[str]:
        """The names that the bodies of classes bind."""
        classes = self._resolver.tree.of_type(cst.ClassDef)
        return frozenset(n for one in classes for n in self._resolver.scopes.body_of(one).bindings)

    def _inherited(self, owner: cst.ClassDef, attr: str, level: Resolve) -> Names:
        """What an attribute means that the class has from a base of elsewhere."""
        if self._resolver.scopes.body_of(owner).bindings.get(attr):
            return NOTHING
        bases = self._resolver.union((arg.value for arg in owner.bases), level) - UNKNOWN
        return frozenset(canonical.attribute(base, attr) for base in bases)

    def _assigned_fields(self, owner: cst.ClassDef, attr: str, level: Resolve) -> Names:
        values = self._all_fields().get((id(owner), attr))
        return self._resolver.of_any(values, level) if values else NOTHING

    def fields(self, owner: cst.ClassDef, attr: str) -> Sequence[cst.BaseExpression]:
        """What is put into an attribute of this name within a class."""
        return self._all_fields().get((id(owner), attr), ())

    def are_assigned(self, name: str) -> bool:
        """Is an attribute of this name given a value anywhere?"""
        self._all_fields()
        return name in self._assigned

    def _all_fields(self) -> dict[tuple[int, str], list[cst.BaseExpression]]:
        """What is assigned to an attribute within a class, whatever it is an attribute of."""
        if self._fields is None:
            self._fields = {}
            tree = self._resolver.tree
            for node in tree.by_type.get(cst.AssignTarget, ()):
                statement = tree.parent(node)
                target = node.target  # type: ignore[attr-defined]
                if not isinstance(target, cst.Attribute) or not isinstance(statement, cst.Assign):
                    continue
                name = identifier(target.attr)
                self._assigned.add(name)
                for around in tree.ancestors(target):
                    if isinstance(around, cst.ClassDef):
                        self._fields.setdefault((id(around), name), []).append(statement.value)
        return self._fields

    def returned(self, call: cst.Call, level: Resolve) -> Names:
        """What the functions of this module that are called here may return."""
        found, dispatched = NOTHING, NOTHING
        for definition in self.definitions(call.func):
            if isinstance(definition, cst.Lambda):
                found |= self._resolver.names(definition.body, level)
            elif isinstance(definition, cst.FunctionDef):
                found |= self._given_by(definition, level)
                if is_decorated(definition, _DISPATCHING):  # another may be called for it
                    dispatched = UNKNOWN
        return found - UNKNOWN | dispatched

    def _given_by(self, function: cst.FunctionDef, level: Resolve) -> Names:
        values = self._returned.get(id(function))
        if values is None:
            values = self._returned[id(function)] = [*returned_by(function.body)]
        return self._resolver.of_any(values, level)

    def yielded(self, call: cst.Call) -> list[cst.BaseExpression]:
        """What the generators of this module that are called here give, one after the other."""
        return [
            value
            for definition in self.definitions(call.func)
            if isinstance(definition, cst.FunctionDef)
            for value in _yields(self._resolver.tree, definition)
        ]


def is_property(function: cst.FunctionDef) -> bool:
    """Is it called by being read?"""
    return is_decorated(function, PROPERTIES)


def is_decorated(function: cst.FunctionDef, words: Set[str]) -> bool:
    return any(last_word(one.decorator) in words for one in function.decorators)


def dispatcher(definition: cst.FunctionDef, resolver: Context, level: Resolve) -> Names:
    """What makes of a function one that calls others for it."""
    if not is_decorated(definition, _DISPATCHING):
        return NOTHING
    made = (resolver.names(one.decorator, level) & _DISPATCHERS for one in definition.decorators)
    return frozenset(map(canonical.instance, NOTHING.union(*made)))


def _yields(tree: Tree, function: cst.FunctionDef) -> Iterator[cst.BaseExpression]:
    return (
        node.value
        for node in tree.below(function.body)
        if isinstance(node, cst.Yield) and isinstance(node.value, cst.BaseExpression)
    )


def returned_by(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What the body of a function may give back."""
    for child in children_of(node):
        if isinstance(child, cst.Return):
            if child.value is not None:
                yield child.value
        elif not isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.BaseExpression)):
            yield from returned_by(child)
