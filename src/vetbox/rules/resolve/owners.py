"""Owners: the classes of the module whose object an expression may be, and their methods."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TypeVar

import libcst as cst

from vetbox.rules.language.callbacks import CHOICES
from vetbox.rules.language.properties import PROPERTIES
from vetbox.rules.resolve.annotations import types_named
from vetbox.rules.resolve.context import Context
from vetbox.rules.resolve.members import returned_by
from vetbox.rules.resolve.offers import Offer, Offers
from vetbox.rules.resolve.reaching import MAX_TOLD_APART
from vetbox.rules.resolve.scopes import Binding, Defined, Entered, Given, Parameter, Value
from vetbox.rules.resolve.tables import COPIES, elements, pair_of
from vetbox.rules.walk import identifier, written_name

T = TypeVar("T", bound=cst.CSTNode)
MAX_DEPTH = 12
"""Objects are not made in more steps than that."""
MAX_STEPS = 5
"""Nor are tables handed on in more."""


class Owners:
    """Answers for one module. A class itself is told like its objects: it has the same methods."""

    def __init__(self, resolver: Context) -> None:
        self._resolver = resolver
        self._offers = Offers(resolver.tree)
        self._depth = 0
        self._classes: dict[int, tuple[cst.CSTNode, Sequence[cst.ClassDef]]] = {}
        self._functions: dict[int, tuple[cst.CSTNode, Sequence[cst.FunctionDef]]] = {}

    def functions(self, func: cst.CSTNode) -> Sequence[cst.FunctionDef]:
        """The functions of the module that a call of an expression may mean."""
        known = self._functions.get(id(func))
        if known is None and self._depth < MAX_DEPTH:
            self._functions[id(func)] = known = func, ()  # what a cycle sees
            self._depth += 1
            self._functions[id(func)] = known = func, _each_once(self._meant_by(func))
            self._depth -= 1
        return () if known is None else known[1]

    def classes(self, node: cst.CSTNode) -> Sequence[cst.ClassDef]:
        """The classes of the module that an expression may be an object of, or be."""
        known = self._classes.get(id(node))
        if known is None and self._depth < MAX_DEPTH:
            self._classes[id(node)] = known = node, ()
            self._depth += 1
            self._classes[id(node)] = known = node, _each_once(self._owning(node))
            self._depth -= 1
        return () if known is None else known[1]

    def _meant_by(self, func: cst.CSTNode) -> Iterator[cst.FunctionDef]:
        match func:
            case cst.Name():
                for given in self._assignments(func):
                    if isinstance(given, Defined) and isinstance(given.definition, cst.FunctionDef):
                        yield given.definition
                    for part in self._parts(given):
                        yield from self.functions(part)
            case cst.Attribute(value=receiver, attr=attr):
                for owner in self.classes(receiver):
                    yield from self._method(owner, identifier(attr))
            case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
                yield from (*self.functions(left), *self.functions(right))
            case cst.FunctionDef():
                yield func
        for part in self._chosen(func):
            yield from self.functions(part)

    def _owning(self, node: cst.CSTNode) -> Iterator[cst.ClassDef]:
        match node:
            case cst.Name():
                for given in self._assignments(node):
                    yield from self._given(given)
            case cst.Call(func=cst.Attribute(attr=cst.Name("__new__")), args=[cst.Arg(of)]):
                yield from self.classes(of)
            case cst.Call(func=func):
                yield from self.classes(func)
                for function in self.functions(func):
                    yield from self._returned(function)
            case cst.Attribute(value=receiver, attr=attr):
                for owner in self.classes(receiver):
                    yield from self._held(owner, identifier(attr))
            case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
                yield from (*self.classes(left), *self.classes(right))
            case cst.Await(expression=inner) | cst.NamedExpr(value=inner):
                yield from self.classes(inner)
            case cst.ClassDef():
                yield node
        for part in self._chosen(node):
            yield from self.classes(part)

    def _chosen(self, node: cst.CSTNode) -> Sequence[Offer]:
        """What `TABLE[key]` and `TABLE.get(key)` may be."""
        match node:
            case cst.Subscript(value=table, slice=[cst.SubscriptElement(slice=cst.Index(key))]):
                return self._entries(table, key)
            case cst.Call(
                func=cst.Attribute(value=table, attr=cst.Name(value="get" | "pop")),
                args=[cst.Arg(key), *_],
            ):
                return self._entries(table, key)
        return ()

    def _given(self, given: Given) -> Iterator[cst.ClassDef]:
        match given:
            case Defined(definition=cst.ClassDef() as definition):
                yield definition
            case Entered(manager=manager):
                yield from self.classes(manager)
            case Parameter(param=param):
                of_self = self._resolver.members.owner_of_self(param)
                yield from (one for one in of_self if isinstance(one, cst.ClassDef))
                yield from self._named(param.annotation)
                for offered in () if param.annotation else self._offers.to(param):
                    yield from self.classes(offered)
        for part in self._parts(given):
            yield from self.classes(part)

    def _parts(self, given: Given) -> Sequence[Offer]:
        """What is bound of what a binding is given, where that is an expression."""
        match given:
            case Value(value=value, path=()):
                return [value]
            case Value(value=value, path=path):
                parts: Sequence[cst.BaseExpression] = [value]
                for key in path:
                    parts = [e for p in parts for e in self._elements(p, key)]
                return [*parts, *self._offers.into(value), *self._annotated_elements(value)]
            case Parameter(param=param) if param.default is not None:
                return [param.default]
        return ()

    def _elements(
        self, table: cst.BaseExpression, key: object, depth: int = MAX_STEPS
    ) -> Sequence[cst.BaseExpression]:
        """What a table holds as it is written, or what a comprehension or generator puts there."""
        known = elements(self._resolver, table, key)
        if known is not None or not depth:
            return known or ()
        match table:
            case cst.ListComp(elt=each) | cst.SetComp(elt=each) | cst.GeneratorExp(elt=each):
                return [each]
            case cst.DictComp(value=each):
                return [each]
            case cst.Await(expression=inner) | cst.NamedExpr(value=inner):
                return self._elements(inner, key, depth - 1)
            case cst.Call(func=cst.Name() as func, args=[cst.Arg(inner), *_]) if (
                identifier(func) in COPIES
            ):
                return self._elements(inner, key, depth - 1)
            case cst.Call(func=cst.Attribute(inner, cst.Name("values" | "items" as view)), args=[]):
                held = self._elements(inner, key, depth - 1)
                return [*map(pair_of, held)] if view == "items" else held
            case cst.Call(func=func):
                of = self.functions(func)
                returned = [one for function in of for one in returned_by(function.body)]
                yielded = self._resolver.members.yielded(table)
                return [*yielded, *self._each(returned, key, depth)]
            case cst.Name():
                given = [one for each in self._assignments(table) for one in self._whole(each)]
                return self._each(given, key, depth)
            case cst.Attribute(value=receiver, attr=attr):
                fields = self._resolver.members.fields
                put = (fields(one, identifier(attr)) for one in self.classes(receiver))
                return self._each([one for some in put for one in some], key, depth)
        return ()

    def _whole(self, given: Given) -> Iterator[cst.BaseExpression]:
        """What a variable is given as a whole, or by who calls the function that it is of."""
        match given:
            case Value(value=value, path=()):
                yield value
            case Parameter(param=param):
                offered = self._offers.to(param)
                yield from (one for one in offered if isinstance(one, cst.BaseExpression))

    def _each(
        self, tables: Sequence[cst.BaseExpression], key: object, depth: int
    ) -> Sequence[cst.BaseExpression]:
        found = [one for table in tables for one in self._elements(table, key, depth - 1)]
        return found if len(found) <= CHOICES else ()

    def _annotated_elements(self, table: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
        """What a parameter's annotation says that it has: of `list[D]` it is D."""
        for given in self._assignments(table) if isinstance(table, cst.Name) else ():
            match given:
                case Parameter(param=cst.Param(annotation=cst.Annotation(cst.Subscript() as said))):
                    inner = (one.slice for one in said.slice)
                    yield from (one.value for one in inner if isinstance(one, cst.Index))

    def _entries(self, table: cst.BaseExpression, key: cst.BaseExpression) -> Sequence[Offer]:
        keys = self._resolver.folder.values(key) or (None,)
        every = (elements(self._resolver, table, one) for one in keys)
        found = [*(one for some in every for one in some or ()), *self._offers.into(table)]
        return found if len(found) <= CHOICES else ()

    def _assignments(self, name: cst.Name) -> Iterator[Given]:
        for _, reached in self._resolver.visible(identifier(name), name):
            if len(reached.bindings) <= MAX_TOLD_APART:
                yield from (binding.given for binding in reached.bindings)

    def _returned(self, function: cst.FunctionDef) -> Iterator[cst.ClassDef]:
        """The objects that a function gives, as it says or as it is seen to do."""
        said = [*self._named(function.returns)]
        yield from said
        for value in () if said else returned_by(function.body):
            yield from self.classes(value)

    def _held(self, owner: cst.ClassDef, name: str) -> Iterator[cst.ClassDef]:
        """The objects that an attribute of objects of a class may be."""
        for one in (*self.above(owner), *self._below(owner)):
            for binding in self._body(one, name):
                match binding.given:
                    case Defined(definition=cst.FunctionDef() as function):
                        if not PROPERTIES.isdisjoint(_decorators(function)):
                            yield from self._returned(function)
                    case given:
                        yield from self._given(given)
            for value in self._resolver.members.fields(one, name):
                yield from self.classes(value)
            yield from (found for said in _annotated(one, name) for found in self._named(said))

    def _named(self, annotation: cst.Annotation | None) -> Iterator[cst.ClassDef]:
        """The classes that an annotation names, and those that inherit from them."""
        if annotation is None:
            return
        match annotation.annotation:
            case cst.SimpleString() as text:
                of = [self._by_name.get(str(text.evaluated_value))]
            case written:
                of = [one for name in types_named(written) for one in self.classes(name)]
        for one in of:
            if one is not None:
                yield from (one, *self._below(one))

    def _method(
        self, owner: cst.ClassDef, name: str, depth: int = MAX_DEPTH
    ) -> Sequence[cst.FunctionDef]:
        """That of a class itself, or of the first of its bases that has one."""
        given = (binding.given for binding in self._body(owner, name))
        own = [one.definition for one in given if isinstance(one, Defined)]
        found = [one for one in own if isinstance(one, cst.FunctionDef)]
        bases = (one for arg in owner.bases for one in self.classes(arg.value))
        inherited = (self._method(base, name, depth - 1) for base in bases if depth)
        return found or next(filter(None, inherited), ())

    def _body(self, owner: cst.ClassDef, name: str) -> Sequence[Binding]:
        return self._resolver.scopes.body_of(owner).bindings.get(name, ())

    def above(self, owner: cst.ClassDef) -> Sequence[cst.ClassDef]:
        """A class, and all that it inherits from."""
        found, new = {id(owner): owner}, [owner]
        while new:
            bases = [one for arg in new.pop().bases for one in self.classes(arg.value)]
            new += [one for one in bases if id(one) not in found]
            found |= {id(one): one for one in bases}
        return [*found.values()]

    def _below(self, owner: cst.ClassDef) -> Sequence[cst.ClassDef]:
        """All that inherit from a class."""
        found: dict[int, cst.ClassDef] = {}
        new = [owner]
        while new:
            heirs = self._heirs.get(identifier(new.pop().name), ())
            new += [one for one in heirs if id(one) not in found]
            found |= {id(one): one for one in heirs}
        return [*found.values()]

    @cached_property
    def _by_name(self) -> Mapping[str, cst.ClassDef]:
        """The classes, for annotations in quotes."""
        every = self._resolver.tree.of_type(cst.ClassDef)
        return {identifier(one.name): one for one in every if isinstance(one, cst.ClassDef)}

    @cached_property
    def _heirs(self) -> Mapping[str, Sequence[cst.ClassDef]]:
        """The classes that name a class among their bases."""
        heirs: dict[str, list[cst.ClassDef]] = defaultdict(list)
        for node in self._resolver.tree.of_type(cst.ClassDef):
            for arg in node.bases if isinstance(node, cst.ClassDef) else ():
                base = (written_name(arg.value) or "").rpartition(".")[2]
                heirs[base] += [node] if isinstance(node, cst.ClassDef) else []
        return heirs


def _annotated(owner: cst.ClassDef, name: str) -> Iterator[cst.Annotation]:
    """`name: D` in the body of a class."""
    for line in owner.body.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            match statement:
                case cst.AnnAssign(target=cst.Name() as target) if identifier(target) == name:
                    yield statement.annotation


def _decorators(function: cst.FunctionDef) -> Set[str]:
    names = (written_name(one.decorator) or "" for one in function.decorators)
    return {name.rpartition(".")[2] for name in names}


def _each_once(found: Iterator[T]) -> Sequence[T]:
    return [*{id(one): one for one in found}.values()]
