"""What an expression may hold: taint follows data, not control."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import libcst as cst

from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.patterns.tree import children
from vetbox.rules.patterns.vocabulary import UNKNOWN as NOT_CONSTANT
from vetbox.rules.taint.environment import path_of
from vetbox.rules.taint.folding import NUMBERS, compare, fold
from vetbox.rules.taint.handing import handed_call
from vetbox.rules.taint.module import Arrival, Module, Scope
from vetbox.rules.taint.values import (
    CLEAN,
    NO_TAINTS,
    UNKNOWN,
    Taints,
    Value,
    join,
    mixed,
    sequence,
    union,
)
from vetbox.rules.walk import identifier

HARMLESS = frozenset(
    {"abs", "all", "any", "bool", "callable", "complex", "divmod", "float", "hasattr", "hash"}
    | {"id", "int", "isinstance", "issubclass", "len", "ord", "round", "type"}
)
"""Builtins whose result cannot carry a payload."""
ADDING_METHODS = frozenset(
    {"add", "append", "appendleft", "extend", "insert", "push", "put", "setdefault", "update"}
    | {"write", "writelines", "set", "extendleft", "put_nowait", "writestr", "add_argument"}
)
"""Methods that leave their arguments in the receiver."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Evaluates expressions where they stand."""

    module: Module
    scope: Scope

    def value(self, node: cst.BaseExpression) -> Value:
        """What the expression may hold; sinks in it are asked on the way."""
        self.module.budget.spend()
        evaluate = _EXPRESSIONS.get(type(node), Evaluator._other)
        value = evaluate(self, node)
        return self._marked(node, value)

    def _marked(self, node: cst.BaseExpression, value: Value) -> Value:
        marks, key = self.module.marks, id(node)
        if key in marks.sanitizers:
            value = value.cleaned(marks.sanitizers[key])
        if key in marks.sources:
            value = Value(union(self.module.source_taints(node), value.all_taints))
        if key in marks.sinks:
            self._ask_sinks(node, value)
        return value

    def _ask_sinks(self, node: cst.BaseExpression, value: Value) -> None:
        for sink in self.module.marks.sinks[id(node)]:
            for taint in value.all_taints.values():
                self.module.arrive(self.scope.summary, Arrival(sink, node, taint))

    # Names and places -------------------------------------------------------------------------

    def _name(self, node: cst.Name) -> Value:
        known = self.scope.env.get(identifier(node))
        if known is None and self.scope.env is not self.module.globals:
            known = self.module.globals.get(identifier(node))
        return known if known is not None else self._constant(node)

    def _constant(self, node: cst.BaseExpression) -> Value:
        constant = self.module.facts.constant(node)
        return CLEAN if constant is NOT_CONSTANT else Value(constant=constant)

    def _attribute(self, node: cst.Attribute) -> Value:
        path = path_of(node)
        known = self.scope.env.get(path) if path else None
        if known is not None:
            return known
        base = self.value(node.value)
        if isinstance(node.value, cst.Name) and node.value.value == "self" and self.scope.owner:
            return join(Value(base.all_taints), self.module.field(self.scope.owner, node))
        return Value(base.all_taints)

    def _subscript(self, node: cst.Subscript) -> Value:
        container = self.value(node.value)
        keys = [self._index(element.slice) for element in node.slice]
        if len(keys) == 1 and isinstance(node.slice[0].slice, cst.Index):
            return container.item(keys[0].constant)
        return Value(container.all_taints)

    def _index(self, node: cst.BaseSlice) -> Value:
        if isinstance(node, cst.Index):
            return self.value(node.value)
        for part in (node.lower, node.upper, node.step) if isinstance(node, cst.Slice) else ():
            if part is not None:
                self.value(part)
        return CLEAN

    # Operators --------------------------------------------------------------------------------

    def _binary(self, node: cst.BinaryOperation) -> Value:
        return self.combine(type(node.operator), self.value(node.left), self.value(node.right))

    def combine(self, operation: type[cst.CSTNode], left: Value, right: Value) -> Value:
        """The result of an operator: both taints, the constant where it can be computed."""
        return Value(union(left.all_taints, right.all_taints), fold(operation, left, right))

    def _boolean(self, node: cst.BooleanOperation) -> Value:
        left = self.value(node.left)
        decides = isinstance(node.operator, cst.Or)
        if left.truth is decides:
            return left
        right = self.value(node.right)
        return right if left.truth is not None else join(left, right)

    def _comparison(self, node: cst.Comparison) -> Value:
        left, known = self.value(node.left), True
        result: object = True
        for target in node.comparisons:
            right = self.value(target.comparator)
            answer = compare(type(target.operator), left, right)
            known = known and answer is not UNKNOWN
            result = result and answer
            left = right
        return Value(constant=bool(result)) if known else CLEAN

    def _unary(self, node: cst.UnaryOperation) -> Value:
        value = self.value(node.expression)
        if isinstance(node.operator, cst.Not):
            return CLEAN if value.truth is None else Value(constant=not value.truth)
        if isinstance(node.operator, cst.Minus) and isinstance(value.constant, NUMBERS):
            return Value(value.taints, -value.constant)
        return Value(value.all_taints)

    def _conditional(self, node: cst.IfExp) -> Value:
        truth = self.value(node.test).truth
        if truth is not None:
            return self.value(node.body if truth else node.orelse)
        chosen = self.scope.value_where(node.test, node.body, holds=True)
        return join(chosen, self.scope.value_where(node.test, node.orelse, holds=False))

    def _walrus(self, node: cst.NamedExpr) -> Value:
        value = self.value(node.value)
        self.scope.bind(node.target, value)
        return value

    # Displays ---------------------------------------------------------------------------------

    def _sequence(self, node: cst.List | cst.Tuple | cst.Set) -> Value:
        values = [self.value(element.value) for element in node.elements]
        starred = any(isinstance(element, cst.StarredElement) for element in node.elements)
        return mixed(values) if starred or isinstance(node, cst.Set) else sequence(values)

    def _dict(self, node: cst.Dict) -> Value:
        result = Value(items={})
        for element in node.elements:
            value = self.value(element.value)
            if isinstance(element, cst.DictElement):
                result = result.with_item(self.value(element.key).constant, value)
            else:
                result = mixed([result, value])
        return result

    def _formatted(self, node: cst.FormattedString) -> Value:
        parts = [p for p in node.parts if isinstance(p, cst.FormattedStringExpression)]
        return mixed([self.value(part.expression) for part in parts])

    def _joined_strings(self, node: cst.ConcatenatedString) -> Value:
        both = mixed([self.value(node.left), self.value(node.right)])
        return both if both.taints else self._constant(node)

    def _comprehension(self, node: cst.BaseSimpleComp | cst.DictComp) -> Value:
        self._comp_for(node.for_in)
        if isinstance(node, cst.DictComp):
            return mixed([self.value(node.key), self.value(node.value)])
        return mixed([self.value(node.elt)])

    def _comp_for(self, clause: cst.CompFor) -> None:
        self.scope.bind(clause.target, Value(self.value(clause.iter).all_taints))
        for condition in clause.ifs:
            self.value(condition.test)
        if clause.inner_for_in is not None:
            self._comp_for(clause.inner_for_in)

    def _inner(self, node: cst.Await | cst.From | cst.Yield) -> Value:
        inner = node.expression if isinstance(node, cst.Await) else getattr(node, "value", None)
        if isinstance(inner, cst.From):
            inner = inner.item
        value = self.value(inner) if inner is not None else CLEAN
        if isinstance(node, cst.Yield):
            self.scope.summary.returns = join(self.scope.summary.returns, Value(value.all_taints))
        return value

    def _lambda(self, node: cst.Lambda) -> Value:
        return Value(self.value(node.body).all_taints)

    def _other(self, node: cst.BaseExpression) -> Value:
        values = [self.value(c) for c in children(node) if isinstance(c, cst.BaseExpression)]
        return mixed(values) if values else self._constant(node)

    # Calls ------------------------------------------------------------------------------------

    def _call(self, node: cst.Call) -> Value:
        receiver = self.value(node.func.value) if isinstance(node.func, cst.Attribute) else CLEAN
        arguments = {id(arg.value): self.value(arg.value) for arg in node.args}
        self._side_effects(node, receiver, arguments)
        function = self.module.index.called(node.func, self.scope.owner)
        if function is not None and id(node) not in self.module.marks.sanitizers:
            if isinstance(node.func, cst.Attribute):
                arguments[id(node.func.value)] = receiver
            returned = self.module.call(function, node, arguments, self.scope.summary)
            if returned is not None:
                return returned
        result = self._result(node, receiver, arguments)
        given = self._handed(node, arguments)
        return Value(union(result.all_taints, given)) if given else result

    def _handed(self, node: cst.Call, arguments: dict[int, Value]) -> Taints:
        """What a function gives that is handed on to be called: `map(f, xs)` is made of f(x)."""
        made = handed_call(node)
        if made is None:
            return NO_TAINTS
        elements = {key: Value(value.all_taints) for key, value in arguments.items()}
        if isinstance(made.func, cst.Lambda):
            for parameter in parameter_list(made.func.params):
                self.scope.bind(parameter.name, mixed([*elements.values()]))
            return self.value(made.func.body).all_taints
        function = self.module.index.called(made.func, self.scope.owner)
        if function is None:
            return NO_TAINTS
        returned = self.module.call(function, made, elements, self.scope.summary, at=node)
        return NO_TAINTS if returned is None else returned.all_taints

    def _result(self, node: cst.Call, receiver: Value, arguments: dict[int, Value]) -> Value:
        """What an unknown function returns: whatever went in, unless it cannot carry it."""
        names = self.module.facts.names(node.func)
        if isinstance(node.func, cst.Name) and node.func.value in HARMLESS:
            return CLEAN
        if any(name.removeprefix("builtins.") in HARMLESS for name in names):
            return CLEAN
        looked_up = self._lookup(node, receiver, [*arguments.values()])
        inside = [receiver, self._callee(node.func), *arguments.values()]
        return looked_up or mixed(inside).moved(node, "through this call")

    def _callee(self, func: cst.BaseExpression) -> Value:
        """What the function itself carries: a bound method of tainted data gives it back."""
        match func:
            case cst.Attribute():
                return CLEAN
            case cst.Name():
                return self.scope.env.get(identifier(func)) or CLEAN
        return self.value(func)

    def _lookup(self, node: cst.Call, receiver: Value, given: list[Value]) -> Value | None:
        """`container.get(key)` and `container.pop(key)`: what was put in, never the key."""
        asks = isinstance(node.func, cst.Attribute) and node.func.attr.value in ("get", "pop")
        if not asks or not given:
            return None
        if receiver.items is not None:
            return receiver.item(given[0].constant)
        return mixed([receiver, *given[1:]]).moved(node, "through this call")

    def _side_effects(self, node: cst.Call, receiver: Value, arguments: dict[int, Value]) -> None:
        cleaned = self.module.marks.side_effects.get(id(node))
        if cleaned:
            self.scope.clean_names(node, cleaned)
        if isinstance(node.func, cst.Attribute):
            self._method(node.func, receiver, list(arguments.values()))

    def _method(self, func: cst.Attribute, receiver: Value, arguments: list[Value]) -> None:
        path = path_of(func.value)
        if path is None or path not in self.scope.env.values:
            return
        change = _LIST_METHODS.get(func.attr.value)
        if change is not None and receiver.is_sequence and receiver.items is not None:
            self.scope.env.values[path] = change(receiver, arguments)
        elif func.attr.value in ADDING_METHODS:
            self.scope.env.values[path] = mixed([receiver, *arguments])


def _append(receiver: Value, arguments: list[Value]) -> Value:
    items = dict(receiver.items or {})
    return receiver.with_item(len(items), arguments[0] if arguments else CLEAN)


def _pop(receiver: Value, arguments: list[Value]) -> Value:
    items = list((receiver.items or {}).values())
    position = arguments[0].constant if arguments else -1
    if not isinstance(position, int) or not -len(items) <= position < len(items):
        return Value(receiver.all_taints)
    del items[position]
    return sequence(items)


_LIST_METHODS: dict[str, Callable[[Value, list[Value]], Value]] = {"append": _append, "pop": _pop}


_EXPRESSIONS: dict[type[cst.CSTNode], Callable[[Evaluator, Any], Value]] = {
    cst.Name: Evaluator._name,
    cst.Attribute: Evaluator._attribute,
    cst.Subscript: Evaluator._subscript,
    cst.BinaryOperation: Evaluator._binary,
    cst.BooleanOperation: Evaluator._boolean,
    cst.Comparison: Evaluator._comparison,
    cst.UnaryOperation: Evaluator._unary,
    cst.IfExp: Evaluator._conditional,
    cst.NamedExpr: Evaluator._walrus,
    cst.List: Evaluator._sequence,
    cst.Tuple: Evaluator._sequence,
    cst.Set: Evaluator._sequence,
    cst.Dict: Evaluator._dict,
    cst.FormattedString: Evaluator._formatted,
    cst.ConcatenatedString: Evaluator._joined_strings,
    cst.ListComp: Evaluator._comprehension,
    cst.SetComp: Evaluator._comprehension,
    cst.GeneratorExp: Evaluator._comprehension,
    cst.DictComp: Evaluator._comprehension,
    cst.Await: Evaluator._inner,
    cst.Yield: Evaluator._inner,
    cst.Lambda: Evaluator._lambda,
    cst.Call: Evaluator._call,
}
