"""Constants: the values an expression may have, worked out within bounds and without running it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TypeAlias

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.changing import Changing
from vetbox.rules.resolve.choosing import (
    MAX_VALUES,
    any_element,
    choices,
    is_composing,
    is_repeated,
    is_starred,
    parts_at,
    rows,
)
from vetbox.rules.resolve.computing import (
    BINARY,
    FUNCTIONS,
    LIBRARY,
    METHODS,
    WORDS,
    Unfoldable,
    added,
    bounded,
    item,
    iterated,
    sized,
    tried,
    unary,
    unescaped,
)
from vetbox.rules.resolve.context import Context, Values
from vetbox.rules.resolve.scopes import Augmented, Binding, Parameter, Value
from vetbox.rules.walk import identifier

Environment: TypeAlias = Mapping[str, object]
MAX_DEPTH = 30
MAX_STEPS = 100_000
"""Expressions worked out for one module; a comprehension works its element out again and again."""
MAX_NUMBER = 10**30


class Folder:
    """Works out the constants of one module."""

    def __init__(self, resolver: Context) -> None:
        self._resolver = resolver
        self.is_wary = False
        """Is the code about to run? Then a table that something may change is no constant."""
        self._known: dict[int, Values | None] = {}
        self._guessed: set[int] = set()
        self._asked: list[cst.CSTNode] = []  # kept, as answers go by identity
        self._guesses = self._depth = self._steps = self._composing = 0

    def values(self, node: cst.CSTNode) -> Values | None:
        """All values the expression may have; None when that is not known."""
        key = id(node)
        if key not in self._known:
            before = self._guesses
            self._asked.append(node)
            self._known[key] = None  # what a cycle sees
            self._known[key] = self._folded(node, {})
            if self._guesses > before:
                self._guessed.add(key)
        elif key in self._guessed:
            self._guesses += 1
        return self._known[key]

    def is_constant(self, node: cst.CSTNode) -> bool:
        """Are all its values known, whoever calls? A parameter's default is one value of any."""
        return self.values(node) is not None and id(node) not in self._guessed

    def is_guessed(self, node: cst.CSTNode) -> bool:
        """May code about to run have other values there: who calls gives them, or a namespace?"""
        return self.is_wary and self.values(node) is not None and id(node) in self._guessed

    def value(self, node: cst.CSTNode, default: object = None) -> object:
        """The one value, or the default."""
        found = self.values(node)
        return found[0] if found is not None and len(found) == 1 else default

    def _folded(self, node: cst.CSTNode, env: Environment) -> Values | None:
        self._steps += 1
        if self._depth > MAX_DEPTH or self._steps > MAX_STEPS:
            return None
        composing = self.is_wary and is_composing(node)
        self._depth += 1
        self._composing += composing
        try:
            found = tuple(islice(self._fold(node, env), MAX_VALUES + 1))
            return found if len(found) <= MAX_VALUES else None
        except Unfoldable:
            return None
        finally:
            self._depth -= 1
            self._composing -= composing

    def all(self, node: cst.CSTNode, env: Environment) -> Values:
        """The values; raises Unfoldable when there are none."""
        found = self._folded(node, env) if env else self.values(node)
        if not found:
            raise Unfoldable
        return found

    def _fold(self, node: cst.CSTNode, env: Environment) -> Iterable[object]:
        match node:
            case cst.SimpleString() | cst.ConcatenatedString() | cst.FormattedString():
                return [*self._string(node, env)]
            case cst.Integer() | cst.Float() | cst.Imaginary():
                return [bounded(node.evaluated_value)]
            case cst.Name():
                return self._name(node, env)
            case cst.BinaryOperation(left=left, operator=operator, right=right):
                return self._binary(left, type(operator).__name__, right, env)
            case cst.UnaryOperation(operator=operator, expression=inner):
                return [unary(type(operator).__name__, v) for v in self.all(inner, env)]
            case cst.Tuple() | cst.List() | cst.Set() | cst.Dict():
                return self._container(node, env)
            case cst.IfExp(body=body, orelse=orelse):
                return [*self.all(body, env), *self.all(orelse, env)]
            case cst.NamedExpr(value=value):
                return self.all(value, env)
            case cst.Subscript():
                return self._subscript(node, env)
            case cst.Attribute():
                return self._attribute(node)
            case cst.Call():
                return self._call(node, env)
            case cst.ListComp() | cst.GeneratorExp():
                return self._comprehension(node, env)
        raise Unfoldable

    def _name(self, node: cst.Name, env: Environment) -> Iterable[object]:
        name = identifier(node)
        if name in WORDS:
            return [WORDS[name]]
        if name in env:
            return [env[name]]
        reached = self._resolver.visible(name, node)
        bindings = [binding for _, found in reached for binding in found.bindings]
        if not bindings or len(bindings) > MAX_VALUES:
            raise Unfoldable
        if self.is_wary and self._changing.is_written_by_text:
            self._guesses += 1
        return [value for binding in bindings for value in self._given(binding)]

    def _given(self, binding: Binding) -> Values:
        """The values that a binding gives; raises Unfoldable when one is unknown."""
        match binding.given:
            case Value(value=cst.List(elements=[]) | cst.Dict(elements=[]), path=()):
                raise Unfoldable  # whoever names an empty table will fill it
            case Value(value=value, path=()):
                found = self.all(value, {})
                if self.is_wary and self._changing.may_hold_others(binding, value, found):
                    raise Unfoldable
                return found
            case Value(value=value, path=path) if self._may_choose:
                if is_starred(binding.node, self._resolver.tree):
                    raise Unfoldable
                return parts_at(self.all(value, {}), path)
            case Parameter(param=cst.Param(default=default)) if default is not None:
                self._guesses += 1
                return self.all(default, {})
            case Augmented(statement=statement):
                if self.is_wary and is_repeated(statement, self._resolver.tree):
                    raise Unfoldable
                operator = type(statement.operator).__name__.removesuffix("Assign")
                target = statement.target
                return tuple(self._binary(target, operator, statement.value, {}))
        raise Unfoldable

    @property
    def _may_choose(self) -> bool:
        """Is one of several written texts asked for as a whole, not as a part of a new one?"""
        return self.is_wary and not self._composing

    @cached_property
    def _changing(self) -> Changing:
        return Changing(self._resolver.scopes)

    def _attribute(self, node: cst.Attribute) -> Iterable[object]:
        """`stat.S_IWOTH`, `string.ascii_letters`, `self.KEY` where the class gives it."""
        held = self._resolver.members.held_by_classes(node)
        if held:
            if self.is_wary:
                held = self._held_for_sure(node)
            return [value for binding in held for value in self._given(binding)]
        for name in self._resolver.names(node, Resolve.DYNAMIC):
            if name in LIBRARY:
                return [LIBRARY[name]]
        raise Unfoldable

    def _held_for_sure(self, node: cst.Attribute) -> list[Binding]:
        """What classes give to an attribute, if nothing else may have put something there."""
        name = identifier(node.attr)
        if self._changing.is_put_to(name):
            raise Unfoldable
        if self._changing.is_written_by_text or self._changing.answers_for_attributes:
            self._guesses += 1
        return self._resolver.members.held_anywhere(name)

    # Texts ------------------------------------------------------------------------------------

    def _string(
        self,
        node: cst.SimpleString | cst.ConcatenatedString | cst.FormattedString,
        env: Environment,
    ) -> Iterator[object]:
        match node:
            case cst.SimpleString():
                yield node.evaluated_value
            case cst.ConcatenatedString(left=left, right=right):
                for first, second in choices(self.all(left, env), self.all(right, env)):
                    yield added(first, second)
            case cst.FormattedString(parts=parts):
                yield from map("".join, choices(*(self._field(part, env) for part in parts)))

    def _field(self, part: cst.CSTNode, env: Environment) -> list[str]:
        match part:
            case cst.FormattedStringText(value=value):
                return [unescaped(value)]
            case cst.FormattedStringExpression(expression=inner, format_spec=None, conversion=None):
                return [str(sized(value)) for value in self.all(inner, env)]
            case cst.FormattedStringExpression(expression=inner, conversion="s", format_spec=None):
                return [str(sized(value)) for value in self.all(inner, env)]
        raise Unfoldable

    # Operators --------------------------------------------------------------------------------

    def _binary(
        self, left: cst.CSTNode, operator: str, right: cst.CSTNode, env: Environment
    ) -> Iterable[object]:
        compute = BINARY.get(operator)
        if compute is None:
            raise Unfoldable
        pairs = choices(self.all(left, env), self.all(right, env))
        return [tried(compute, first, second) for first, second in pairs]

    def _container(
        self, node: cst.Tuple | cst.List | cst.Set | cst.Dict, env: Environment
    ) -> Iterable[object]:
        if isinstance(node, cst.Dict):
            entries = [e for e in node.elements if isinstance(e, cst.DictElement)]
            if len(entries) != len(node.elements):
                raise Unfoldable
            pairs = [(self._one(e.key, env), self._one(e.value, env)) for e in entries]
            return [tried(dict, pairs)]
        parts = []
        for element in node.elements:
            one = self._one(element.value, env)
            parts.extend(iterated(one) if isinstance(element, cst.StarredElement) else [one])
        return [sized(tuple(parts) if isinstance(node, cst.Tuple) else parts)]

    def _one(self, node: cst.CSTNode, env: Environment) -> object:
        found = self.all(node, env)
        if len(found) != 1:
            raise Unfoldable
        value = found[0]
        return tuple(value) if isinstance(value, list) else value

    def _subscript(self, node: cst.Subscript, env: Environment) -> Iterable[object]:
        if len(node.slice) != 1:
            raise Unfoldable
        for_all = self.all(node.value, env)
        match node.slice[0].slice:
            case cst.Index(value=index):
                keys = self._folded(index, env) if env else self.values(index)
                if keys is None and self._may_choose:
                    return any_element(for_all)
                if not keys:
                    raise Unfoldable
                return [tried(item, value, key) for value, key in choices(for_all, keys)]
            case cst.Slice(lower=lower, upper=upper, step=step):
                bounds = [self._bound(part, env) for part in (lower, upper, step)]
                return [tried(item, value, slice(*bounds)) for value in for_all]
        raise Unfoldable

    def _bound(self, part: cst.BaseExpression | None, env: Environment) -> object:
        return None if part is None else self._one(part, env)

    def _comprehension(
        self, node: cst.ListComp | cst.GeneratorExp, env: Environment
    ) -> Iterable[object]:
        loop = node.for_in
        if loop.ifs or loop.inner_for_in or not isinstance(loop.target, cst.Name):
            raise Unfoldable
        items = iterated(self._one(loop.iter, env))
        name = loop.target.value
        return [sized([self._one(node.elt, {**env, name: item}) for item in items])]

    # Calls ------------------------------------------------------------------------------------

    def _call(self, call: cst.Call, env: Environment) -> Iterable[object]:
        if any(arg.star or arg.keyword is not None for arg in call.args):
            raise Unfoldable
        if self.is_wary and self._composing == 1:  # by this call alone
            found = self._rows(call, env)
            if found is not None:
                return found
        if isinstance(call.func, cst.Attribute):
            found = self._method(call, call.func, env)
            if found is not None:
                return found
        names = self._resolver.names(call.func, Resolve.DYNAMIC)
        compute = next((FUNCTIONS[name] for name in names if name in FUNCTIONS), None)
        if compute is None:
            if "map" in names:
                return [self._mapped(call, env)]
            raise Unfoldable
        return self._computed(compute, [self.all(arg.value, env) for arg in call.args])

    def _rows(self, call: cst.Call, env: Environment) -> Values | None:
        self._composing = 0
        try:
            return rows(call, self._resolver, lambda node: self.all(node, env))
        finally:
            self._composing = 1

    def _method(self, call: cst.Call, func: cst.Attribute, env: Environment) -> Values | None:
        compute = METHODS.get(identifier(func.attr))
        if compute is None:
            return None
        receivers = self._folded(func.value, env) if env else self.values(func.value)
        if not receivers or not all(isinstance(r, (str, bytes, dict)) for r in receivers):
            return None
        return self._computed(compute, [receivers, *(self.all(a.value, env) for a in call.args)])

    def _computed(self, compute: Callable[..., object], arguments: Sequence[Values]) -> Values:
        return tuple(tried(compute, *given) for given in choices(*arguments))

    def _mapped(self, call: cst.Call, env: Environment) -> object:
        if len(call.args) != 2:  # noqa: PLR2004 - a function and what it is mapped over
            raise Unfoldable
        names = self._resolver.names(call.args[0].value, Resolve.DYNAMIC)
        compute = next((FUNCTIONS[name] for name in names if name in FUNCTIONS), None)
        if compute is None:
            raise Unfoldable
        return [tried(compute, item) for item in iterated(self._one(call.args[1].value, env))]
