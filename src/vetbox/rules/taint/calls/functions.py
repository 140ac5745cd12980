"""The call graph: the functions of a module, and which of them a call means."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

import libcst as cst

from vetbox.rules.language.callbacks import CHOICES
from vetbox.rules.language.common import COMMON
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.calls.definitions import (
    Function,
    definitions,
    imported_modules,
    imports_from,
    is_seen,
    made_properties,
    put_into_self,
)
from vetbox.rules.taint.calls.factories import constructor_in
from vetbox.rules.taint.calls.singles import shared_containers, single_classes
from vetbox.rules.taint.policy.declared import declared_in
from vetbox.rules.taint.reading.environment import path_of, root_of
from vetbox.rules.taint.reading.mappings import is_of_mapping
from vetbox.rules.taint.reading.objects import fields_of
from vetbox.rules.walk import identifier

_TEXTS = (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)
_DISPLAYS = (cst.Dict, cst.List, cst.Set, cst.Tuple, *_TEXTS)
_BEGUN = ("Thread", "Process", "Timer")
"""What the names of classes end in whose objects are started, and then run."""
_SEVERAL = 2
_DEPTH = 5  # bases of bases that are looked at


class FunctionIndex:
    """The call graph: finds the definitions that a call means, by name or by class of receiver.

    Where the class is not known, a method counts if only one class defines it.
    """

    def __init__(self, module: cst.Module, facts: Facts) -> None:
        self._facts = facts
        self.module = module
        found = tuple(definitions(module, None))
        functions = [one for one in found if isinstance(one, Function)]
        self.functions = (*functions, *made_properties(found, functions))
        self._named: dict[str, list[Function]] = defaultdict(list)
        for function in self.functions:
            self._named[identifier(function.node.name)].append(function)
        self._classes: dict[str, list[cst.ClassDef]] = defaultdict(list)
        for node in found:
            if isinstance(node, cst.ClassDef):
                self._classes[identifier(node.name)].append(node)
        self._bases = {
            name: {path_of(arg.value) or "" for node in nodes for arg in node.bases}
            for name, nodes in self._classes.items()
        }
        self._families: dict[str, frozenset[str]] = {}
        self.singles = single_classes(self.functions)
        self._by_node = {id(function.node): function for function in self.functions}

    def meant(self, func: cst.BaseExpression, owner: str | None) -> Sequence[Function]:
        """The definitions that a call may mean: one with its overrides, or several."""
        one = self.called(func, owner) or self._begun(func, owner)
        if one is not None:
            return [one, *self.overriding(func, owner)]
        match func:
            case cst.Name() if identifier(func) not in self._classes:
                return [one for one in self._defined(func) if one.owner is None]
            case cst.Attribute(value=receiver, attr=attr) if self._is_shared(receiver, attr):
                return [one for one in self._defined(func) if one.owner is not None]
        return ()

    def _begun(self, func: cst.BaseExpression, owner: str | None) -> Function | None:
        """The `run` method that starting a thread or process calls."""
        match func:
            case cst.Attribute(attr=cst.Name(value="start")) if "run" in self._named:
                run = self.called(func.with_changes(attr=cst.Name("run")), owner)
                bases = self._bases.get(run.owner or "", ()) if run is not None else ()
                return run if any(base.endswith(_BEGUN) for base in bases) else None
        return None

    def special(self, name: str, of: cst.BaseExpression, owner: str | None) -> Function | None:
        """The method of a special name, if something is surely an object of its class."""
        methods = [f for f in self._named.get(name, ()) if f.owner is not None]
        function = self._among(methods, of, owner)
        known = function and function.owner and self._is_of(of, function.owner, owner)
        return function if known else None

    def only_special(self, name: str) -> Function | None:
        """The only method of a special name."""
        return _only(f for f in self._named.get(name, ()) if f.owner is not None)

    def is_guess(self, func: cst.BaseExpression, owner: str | None) -> bool:
        """May a call that means a method of the file mean another one as well?

        So may `x.get()`, unless `x` is known to be an object of the class.
        """
        if not isinstance(func, cst.Attribute) or identifier(func.attr) not in COMMON:
            return False
        function = self.called(func, owner)
        if function is None or function.owner is None:
            return False
        return not self._is_of(func.value, function.owner, owner)

    def _is_of(self, receiver: cst.BaseExpression, wanted: str, owner: str | None) -> bool:
        """Is it known that the receiver is an object of a class, or a class of the file?"""
        match receiver:
            case cst.Name(value="self" | "cls") | cst.Call(func=cst.Name(value="super")):
                return owner is not None and wanted in self.family(owner)
        of = self.class_of(receiver, owner)
        return of is not None and wanted in self.family(identifier(of.name))

    def has(self, name: str) -> bool:
        """Is anything of that name defined?"""
        return name in self._named

    def called(self, func: cst.BaseExpression, owner: str | None) -> Function | None:
        """The definition, where exactly one fits."""
        match func:
            case cst.Name() as name:
                one = _only(f for f in self._named.get(identifier(name), ()) if f.owner is None)
                return one if one is not None and is_seen(one, name, self._facts) else None
            case cst.Attribute(value=receiver, attr=cst.Name() as name):
                return self._method(receiver, identifier(name), owner)
        return None

    def made(self, func: cst.BaseExpression, owner: str | None = None) -> cst.ClassDef | None:
        """The class of which a call makes an object, where exactly one fits."""
        if not isinstance(func, cst.Name):
            return None
        name = owner if func.value == "cls" and owner else identifier(func)
        named = self._classes.get(name, ())
        return named[0] if len(named) == 1 else None

    def held(self, owner: str | None, name: str) -> list[cst.BaseExpression]:
        """What methods of a class put into an attribute, as it is written."""
        classes = self.family(owner) if owner is not None else ()
        return [value for one in classes for value in self._held.get((one, name), ())]

    @cached_property
    def shared_fields(self) -> Mapping[str, frozenset[str]]:
        """By class the lists and tables of its own, which all of its objects change."""
        return shared_containers(self._classes, self._held)

    def keeps(self, owner: str, name: str) -> bool:
        """Do objects of a class have an attribute of that name, as the class says?"""
        return bool(self.held(owner, name)) or name in self._annotated.get(owner, ())

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of attributes that classes of the file give their objects."""
        annotated = chain.from_iterable(self._annotated.values())
        return frozenset((*annotated, *(name for _, name in self._held)))

    @cached_property
    def _annotated(self) -> Mapping[str, Sequence[str]]:
        return {name: [*fields_of(nodes[-1])] for name, nodes in self._classes.items()}

    @cached_property
    def declared(self) -> frozenset[str]:
        """The fields and arguments that hold no text but the program's own."""
        classes = chain.from_iterable(self._classes.values())
        bodies = (one.body for one in (*classes, *(one.node for one in self.functions)))
        return declared_in((self.module, *bodies))

    @cached_property
    def _held(self) -> Mapping[tuple[str, str], Sequence[cst.BaseExpression]]:
        """By class and attribute."""
        found: dict[tuple[str, str], list[cst.BaseExpression]] = defaultdict(list)
        for function in self.functions:
            for attribute, value in put_into_self(function) if function.owner else ():
                found[function.owner or "", attribute].append(value)
        return found

    def is_callable(self, made: cst.BaseExpression) -> bool:
        """Does a call make an object of a class that says what calling it does?"""
        methods = self._named.get("__call__", ())
        of = self.made(made) if methods else None
        return of is not None and self._inherited(identifier(of.name), methods) is not None

    def methods_with(self, start: str) -> list[str]:
        """The names of methods that begin so."""
        named = (identifier(one.node.name) for one in self.functions if one.owner is not None)
        return [*dict.fromkeys(name for name in named if name.startswith(start))]

    def defined_in(self, function: Function) -> list[Function]:
        """The functions that a body defines at once."""
        return [*filter(None, (self._by_node.get(id(one)) for one in function.node.body.body))]

    def constructor(self, owner: str) -> Function | None:
        """The constructor of a class, its own or an inherited one."""
        return self._inherited(owner, self._named.get("__init__", ()))

    def is_whole(self, made: cst.ClassDef, depth: int = _DEPTH) -> bool:
        """Are all bases in the file, so that the class says all that its objects hold?"""
        if made.keywords or made.decorators or not depth:
            return False
        bases = [self.made(arg.value) for arg in made.bases]
        return all(base is not None and self.is_whole(base, depth - 1) for base in bases)

    def setter(self, target: cst.Attribute, owner: str | None) -> Function | None:
        """The property setter that handles an assignment to an attribute."""
        named = self._named.get(identifier(target.attr), ())
        found = self._among([f for f in named if f.is_setter], target.value, owner)
        of = None if found is None else self.class_of(target.value, owner)
        is_other = found and of is not None and found.owner not in self.family(of.name.value)
        return None if is_other else found

    def is_property(self, name: str) -> bool:
        """May reading an attribute of this name call a function?"""
        return any(function.is_property for function in self._named.get(name, ()))

    def properties_read(self, node: cst.Attribute, owner: str | None) -> Sequence[Function]:
        """The properties that an attribute may read: that of the class, where it is known."""
        named = [f for f in self._named.get(identifier(node.attr), ()) if f.is_property]
        one = self._among(named, node.value, owner)
        return named[:CHOICES] if one is None else [one]

    def property_of(self, owner: str, name: str) -> Function | None:
        """The property that `self.name` reads in a class."""
        return _only(f for f in self._named.get(name, ()) if f.owner == owner and f.is_property)

    def properties_of(self, node: cst.Attribute, owner: str | None) -> list[Function]:
        """The properties that `self.name` may read: that of the class, or of those around it."""
        named = self._named.get(identifier(node.attr), ()) if path_of(node.value) == "self" else ()
        family = self.family(owner) if owner is not None else ()
        return [one for one in named if one.is_property and one.owner in family]

    def overriding(self, func: cst.BaseExpression, owner: str | None) -> list[Function]:
        """The definitions of `self.name` in the classes that inherit from a class."""
        match func:
            case cst.Attribute(value=cst.Name(value="self" | "cls"), attr=cst.Name() as name):
                named = self._named.get(identifier(name), ())
                inheriting = (n for n, bases in self._bases.items() if owner in bases)
                heirs = {*inheriting} - {owner}
                return [f for f in named if f.owner in heirs]
        return []

    def family(self, owner: str) -> frozenset[str]:
        """A class with all of the file that it inherits from, and all that inherit from it."""
        if owner not in self._families:
            above, below = {owner}, {owner}
            for _ in range(_DEPTH):
                above |= {base for name in above for base in self._bases.get(name, ())}
                below |= {n for n, bases in self._bases.items() if not bases.isdisjoint(below)}
            self._families[owner] = frozenset(above | below)
        return self._families[owner]

    def registered(self, func: cst.BaseExpression) -> Sequence[Function]:
        """The functions and methods that statements have put into what a call chooses from."""
        chosen = isinstance(func, (cst.Name, cst.Subscript, cst.Call))
        return self._defined(func) if chosen else ()

    def _is_shared(self, receiver: cst.BaseExpression, attr: cst.Name) -> bool:
        """Do several classes have a method of that name, which is not that of a mapping?"""
        name = identifier(attr)
        methods = [one for one in self._named.get(name, ()) if one.owner is not None]
        known = self._is_module(receiver) or is_of_mapping(receiver, name)
        return len(methods) >= _SEVERAL and not known

    def _is_foreign(self, receiver: cst.BaseExpression, owner: str | None) -> bool:
        """Is it an imported module, or a field that holds an object of no class of the file?"""
        held = self._put_into(receiver, owner)
        return all(map(self._is_made_elsewhere, held)) if held else self._is_module(receiver)

    def _put_into(self, of: cst.BaseExpression, owner: str | None) -> list[cst.BaseExpression]:
        """What methods put into `self.x`, but for None."""
        if not isinstance(of, cst.Attribute) or path_of(of.value) != "self":
            return []
        return [one for one in self.held(owner, identifier(of.attr)) if path_of(one) != "None"]

    def _is_made_elsewhere(self, made: cst.BaseExpression) -> bool:
        func = made.func if isinstance(made, cst.Call) else made
        if isinstance(made, _DISPLAYS):
            return True
        is_own = root_of(func) in self._classes or root_of(func) in self._named
        return func is not made and not is_own and bool(self._facts.names(func))

    def _is_module(self, receiver: cst.BaseExpression) -> bool:
        """Is it a module that is imported, which has no methods of this file?"""
        return root_of(receiver) in self._modules and bool(self._facts.names(receiver))

    @cached_property
    def _modules(self) -> frozenset[str]:
        return frozenset(imported_modules(self.module))

    @cached_property
    def redirects(self) -> bool:
        """May standard output be led elsewhere, which takes what functions print?"""
        return "contextlib" in self._modules or imports_from(self.module, "contextlib")

    def _defined(self, func: cst.BaseExpression) -> Sequence[Function]:
        found = self._facts.functions(func)
        return [self._by_node[id(one)] for one in found] if len(found) <= CHOICES else ()

    def _method(
        self, receiver: cst.BaseExpression, name: str, owner: str | None
    ) -> Function | None:
        methods = [f for f in self._named.get(name, ()) if f.owner is not None]
        if not methods or isinstance(receiver, _TEXTS) or self._is_foreign(receiver, owner):
            return None
        if is_of_mapping(receiver, name) and self.class_of(receiver, owner) is None:
            return None
        return self._among(methods, receiver, owner)

    def _among(
        self, methods: Sequence[Function], receiver: cst.BaseExpression, owner: str | None
    ) -> Function | None:
        if len(methods) < _SEVERAL:
            return methods[0] if methods else None
        match receiver:
            case cst.Name(value="self" | "cls"):
                return self._inherited(owner, methods)
            case cst.Call(func=cst.Name(value="super")):
                return self._of_bases(owner, methods)
        of = self.class_of(receiver, owner)
        return None if of is None else self._inherited(identifier(of.name), methods)

    def class_of(self, of: cst.BaseExpression, owner: str | None) -> cst.ClassDef | None:
        """The class of this file that an object was made of, where that is seen."""
        made = of if isinstance(of, cst.Call) else self._facts.behind(of)
        held = self._put_into(of, owner) if made is None else ()
        made = held[0] if len(held) == 1 else made
        func = made.func if isinstance(made, cst.Call) else of
        factory = self.called(func, owner) if isinstance(func, cst.Name) else None
        return self.made(constructor_in(factory) or func)

    def _inherited(
        self, owner: str | None, methods: Sequence[Function], depth: int = _DEPTH
    ) -> Function | None:
        """That of a class itself, or of the first of its bases that has one."""
        own = _only(f for f in methods if f.owner == owner)
        return own or (self._of_bases(owner, methods, depth) if depth else None)

    def _of_bases(
        self, owner: str | None, methods: Sequence[Function], depth: int = _DEPTH
    ) -> Function | None:
        of = self._classes.get(owner or "", ())
        bases = (path_of(arg.value) for node in of for arg in node.bases)
        found = (self._inherited(base, methods, depth - 1) for base in bases)
        return next(filter(None, found), None)


def _only(functions: Iterator[Function] | Sequence[Function]) -> Function | None:
    found = [*functions]
    return found[0] if len(found) == 1 else None
