"""The evaluator of expressions: what each may hold; taint follows data, not control."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.requirement import MARKUP
from vetbox.rules.numbers import only_number
from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.patterns.tree import children
from vetbox.rules.patterns.vocabulary import UNKNOWN as NOT_CONSTANT
from vetbox.rules.taint.calls.constructing import made
from vetbox.rules.taint.calls.effects import leave
from vetbox.rules.taint.calls.given import callee_in, given_in, with_callbacks
from vetbox.rules.taint.calls.harmless import is_harmless_call
from vetbox.rules.taint.calls.higher_order import handed, note_applied
from vetbox.rules.taint.calls.own_calls import note_checks, own_call, text_call
from vetbox.rules.taint.calls.results import Called, result_of
from vetbox.rules.taint.calls.specials import OPERATORS, put_behind_percent, special, text_of
from vetbox.rules.taint.calls.substitution import attribute_of
from vetbox.rules.taint.calls.summaries import Arrival
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.sharing import with_shared
from vetbox.rules.taint.data.taints import NO_TAINTS, Taints, of_kinds, union
from vetbox.rules.taint.data.unknown_origin import in_doubt, read_at
from vetbox.rules.taint.data.values import CLEAN, Value, join, mixed
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.policy.declared import as_declared, is_filled_in
from vetbox.rules.taint.policy.markup import asked, markup_in
from vetbox.rules.taint.reading.attributes import (
    given_by_object,
    given_by_own,
    is_builtin,
    is_intercepted,
    is_of_class,
    is_own_field,
    put_by_module,
    with_gains,
)
from vetbox.rules.taint.reading.comprehensions import comprehended
from vetbox.rules.taint.reading.container_builtins import arranged
from vetbox.rules.taint.reading.containers import sliced
from vetbox.rules.taint.reading.displays import collection, mapping
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.reading.folding import NUMBERS, after_percent, compare, fold
from vetbox.rules.taint.reading.places import is_instance
from vetbox.rules.taint.reading.sets import left_of
from vetbox.rules.taint.sanitizing.allow_lists import is_constant_name
from vetbox.rules.taint.sanitizing.guards import nearest
from vetbox.rules.taint.scope import Scope
from vetbox.rules.walk import identifier


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Evaluates expressions where they stand."""

    module: Module
    scope: Scope

    def value(self, node: cst.BaseExpression) -> Value:
        """What the expression may hold; sinks in it are asked on the way."""
        self.module.budget.spend()
        value = _EXPRESSIONS.get(type(node), Evaluator._other)(self, node)
        self.module.budget.glance(value.size + len(value.taints))
        return self._marked(node, value)

    def _marked(self, node: cst.BaseExpression, value: Value) -> Value:
        marks, key = self.module.marks, id(node)
        if key in marks.sources:
            fresh = Value(union(self.module.source_taints(node), value.all_taints))
            value = self.scope.env.entry(node) or fresh
        if key in marks.sanitizers and (key in marks.placed or not is_own_field(node, self)):
            value = value.cleaned(marks.sanitizers[key])
        if value.taints and is_filled_in(node):
            value = as_declared(value, self.module.index.declared)
        if key in marks.labellings:
            made_of = value.all_taints or self.module.given.pop(key, NO_TAINTS)
            value = replace(value, taints=self.module.labelled(node, made_of))
        if key in marks.planted:
            self.scope.add(node, of_kinds(marks.planted[key], value.taints))
        if key in marks.side_effects:
            self.scope.clean_names(node, marks.side_effects[key])
        if key in marks.sinks:
            self._ask_sinks(node, value)
        return value

    def _ask_sinks(self, node: cst.BaseExpression, value: Value) -> None:
        for sink in self.module.marks.sinks[id(node)]:
            taints = asked(sink, value)
            if sink.rule in self.module.marks.excusing:
                self.module.excuse(sink, taints)
            self.module.budget.glance(len(taints))
            self.module.arrive(self.scope.summary, Arrival(sink, node, tuple(taints.values())))

    # Names and places -------------------------------------------------------------------------

    def _name(self, node: cst.Name) -> Value:
        name, env = identifier(node), self.scope.env
        known = env.get(name)
        if known is None and env is not self.module.globals:
            known = self._global(node)
        if known is not None:
            known = with_gains(name, known, self) if known.is_object else env.as_object(name, known)
        return self._with_shared(identifier(node), self._constant(node) if known is None else known)

    def _with_shared(self, path: str | None, value: Value) -> Value:
        return with_shared(value, self.scope.shared(path)) if path else value

    def _global(self, node: cst.Name) -> Value | None:
        """What the module has put there; a function may put something else."""
        known = self.module.globals.get(identifier(node))
        if known is None or is_constant_name(node):
            return known
        rest = self._constant(node)
        return replace(known, taints=union(known.taints, rest.taints)) if rest.taints else known

    def _constant(self, node: cst.CSTNode) -> Value:
        constant = self.module.facts.constant(node)
        if constant is NOT_CONSTANT:
            return self.module.unknown
        return Value(self._markup_in(node, constant), constant)

    def _markup_in(self, node: cst.CSTNode, constant: object = None) -> Taints:
        return markup_in(node, constant) if self.module.marks.seeks_markup else NO_TAINTS

    def _attribute(self, node: cst.Attribute) -> Value:
        path = path_of(node)
        known = self.scope.env.get(path) or put_by_module(path, self) if path else None
        if known is None:
            known = self._of_object(node, self.value(node.value))
            if not known.all_taints and is_of_class(node, self):
                known = self._constant(node)
        return self._with_shared(path, known)

    def _of_object(self, node: cst.Attribute, base: Value) -> Value:
        name = identifier(node.attr)
        given = given_by_object(node, base, self) or given_by_own(node, base, self)
        if given is not None:
            return given
        found = attribute_of(base, name, self.module.index)
        owner = self.scope.owner if is_instance(node.value) else self.module.single(node.value)
        if owner:
            return join(found, self.module.field(owner, node))
        if base.is_object and name not in (base.items or {}):
            if is_intercepted(node, self):
                return Value(base.all_taints)
            return replace(found, taints=union(found.taints, self.module.unknown.taints))
        return found

    def _subscript(self, node: cst.Subscript) -> Value:
        variable = self.scope.variable_meant(node)
        if variable is not None:
            return self.value(variable)
        container = self.value(node.value)
        match [element.slice for element in node.slice]:
            case [cst.Index(value=index)]:
                key = self.value(index)
                given = special("__getitem__", node.value, container, [(index, key)], self)
                held = given or self.scope.env.entry(node)
                held = held or read_at(container, key.constant, self.module.unknown)
                made = special("__missing__", node.value, container, [(index, key)], self)
                return held if made is None else join(held, made)
            case [cst.Slice(lower=lower, upper=upper, step=step)]:
                bounds = (self.value(one).constant if one else None for one in (lower, upper, step))
                return sliced(container, *bounds)
        for element in node.slice:
            self._other(element.slice)
        return Value(container.all_taints)

    # Operators --------------------------------------------------------------------------------

    def _binary(self, node: cst.BinaryOperation) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        name = OPERATORS.get(type(node.operator), "")
        given = special(name, node.left, left, [(node.right, right)], self)
        if given is not None:
            return given
        right = put_behind_percent(node, right, self)
        common = left_of(node, left, self.module.facts)
        return self.combine(type(node.operator), left, right) if common is None else common

    def combine(self, operation: type[cst.CSTNode], left: Value, right: Value) -> Value:
        """The result of an operator: both taints, the constant where it can be computed."""
        if operation is cst.Modulo:
            right = after_percent(left.constant, right)
        both = arranged(operation, left, right)
        if both is not None:
            return both
        return Value(union(left.all_taints, right.all_taints), fold(operation, left, right))

    def _boolean(self, node: cst.BooleanOperation) -> Value:
        left = self.value(node.left)
        decides = isinstance(node.operator, cst.Or)
        if left.truth is decides:
            return left
        right = self.scope.value_where(nearest(node.left), node.right, holds=not decides)
        # Of `x and y` nothing is left of x that is not empty.
        return join(left, right) if decides and left.truth is None else right

    def _comparison(self, node: cst.Comparison) -> Value:
        left, known = self.value(node.left), True
        result: object = True
        for target in node.comparisons:
            right = self.value(target.comparator)
            name = OPERATORS.get(type(target.operator), "")
            special(name, target.comparator, right, [(node.left, left)], self)
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
        return collection(node, self)

    def _dict(self, node: cst.Dict) -> Value:
        return mapping(node, self)

    def _formatted(self, node: cst.FormattedString) -> Value:
        parts = [p for p in node.parts if isinstance(p, cst.FormattedStringExpression)]
        values = [(p, text_of(p, self.value(p.expression), self)) for p in parts]
        filled = mixed([value for part, value in values if not only_number(part.format_spec)])
        return replace(filled, taints=union(filled.taints, self._markup_in(node)))

    def _joined_strings(self, node: cst.ConcatenatedString) -> Value:
        both = mixed([self.value(node.left), self.value(node.right)])
        if any(taint.kind != MARKUP for taint in both.taints.values()):
            return both
        whole = self._constant(node)
        return replace(whole, taints=union(both.taints, whole.taints))

    def _comprehension(self, node: cst.BaseComp) -> Value:
        return comprehended(node, self)

    def _inner(self, node: cst.Await | cst.From | cst.Yield) -> Value:
        inner = node.expression if isinstance(node, cst.Await) else getattr(node, "value", None)
        if isinstance(inner, cst.From):
            inner = inner.item
        value = self.value(inner) if inner is not None else CLEAN
        if isinstance(node, cst.Yield):
            self.scope.summary.give(value, one_by_one=isinstance(node.value, cst.From))
            return in_doubt(value, self.module.unknown)  # it may be sent something
        return value

    def _lambda(self, node: cst.Lambda) -> Value:
        given = parameter_list(node.params)
        with self.scope.own_variables(frozenset(identifier(one.name) for one in given)):
            for one in given:
                self.scope.bind(one.name, self.module.handed(one))
            return Value(self.value(node.body).all_taints)

    def _other(self, node: cst.CSTNode) -> Value:
        values = [self.value(c) for c in children(node) if isinstance(c, cst.BaseExpression)]
        return mixed(values) if values else self._constant(node)

    # Calls ------------------------------------------------------------------------------------

    def _call(self, node: cst.Call) -> Value:
        receiver, arguments = given_in(node, self)
        if id(node) in self.module.marks.labellings and is_harmless_call(node):
            self.module.given[id(node)] = mixed([*arguments.values()]).taints
        meant = self.module.index.meant(node.func, self.scope.owner)
        functions = self.module.decorated.with_registered(meant, arguments.values())
        guessed = (
            bool(functions)
            and not receiver.is_object
            and self.module.index.is_guess(node.func, self.scope.owner)
        )
        if guessed and (is_builtin(receiver) or self.module.is_outside(node.func)):
            functions, guessed = (), False
        if functions or self.module.index.made(node.func, self.scope.owner):
            arguments = with_callbacks(node, arguments, self)
        seen = Called(node, receiver, [*arguments.values()])
        functions = [self.module.specializations.as_called(f, node, arguments) for f in functions]
        if functions:
            known = own_call(node, receiver, arguments, functions, self)
        if functions and not guessed:
            note_checks(node, functions, self)
        if guessed or not functions:
            leave(seen, self.module, self.scope)
            note_applied(node, arguments, self)
        if not functions:
            known = self._made_by_class(node, arguments) or text_call(node, arguments, self)
        if known is not None and not guessed:
            return known
        result = result_of(seen, callee_in(node, self), self.module, self.scope)
        given = handed(node, arguments, result, self)
        return given if known is None else join(known, given)

    def _made_by_class(self, node: cst.Call, arguments: dict[int, Value]) -> Value | None:
        """The object that a class of this module makes; None where it is not known."""
        clean, scope = id(node) in self.module.marks.sanitizers, self.scope
        return None if clean else made(self.module, node, arguments, scope)


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
