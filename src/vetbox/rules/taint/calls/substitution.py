"""Substitution: a function's summary as one call sees it, arguments put in for parameters."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.budget import Budget
from vetbox.rules.taint.calls.binding import bind_arguments
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.functions import FunctionIndex
from vetbox.rules.taint.calls.harmless import OF_THE_PATTERN
from vetbox.rules.taint.calls.summaries import Arrival
from vetbox.rules.taint.data.keys import ANY_KEY, ELEMENT, THE_KEYS, UNKNOWN
from vetbox.rules.taint.data.putting import with_item
from vetbox.rules.taint.data.taints import NO_TAINTS, PARAMETER, Step, Taint, TaintKey, Taints
from vetbox.rules.taint.data.values import CLEAN, Value, join
from vetbox.rules.taint.policy.labelling import decided
from vetbox.rules.taint.policy.marks import Marks

_STEPS_OF_A_WAY = 20
"""What it costs to go on from an argument on the way that data takes in a function."""


@dataclass(frozen=True, slots=True)
class Substitution:
    """The arguments of a `call` by parameter node, to be put into a summary."""

    marks: Marks
    index: FunctionIndex
    given: Mapping[int, Value]
    call: cst.BaseExpression
    budget: Budget

    def value(self, value: Value) -> Value:
        """A value, with all that is in it."""
        if value is CLEAN:
            return value
        if value.whole is not None and value.items is None and len(value.taints) == 1:
            (taint,) = value.taints.values()
            if self._is_put_in(taint):
                return self._moved(self._within(self.given[id(taint.origin)], taint.part), taint)
        items = value.items and {key: self.value(one) for key, one in value.items.items()}
        taints = self.taints(value.taints)
        return Value(taints, value.constant, items, value.is_sequence, value.is_object)

    def taints(self, taints: Taints) -> Taints:
        """Each taint, or those that are put in for it."""
        seen: dict[TaintKey, Taint] = {}
        for taint in taints.values():
            for new in self._put_in(taint, seen):
                seen.setdefault(new.key, new)
        return seen or NO_TAINTS

    def _moved(self, given: Value, stand_in: Taint) -> Value:
        """What is put in for a parameter, as it comes out: nothing is known of its constants."""
        taints = {(new := self._onward(one, stand_in)).key: new for one in given.taints.values()}
        items = given.items and {k: self._moved(v, stand_in) for k, v in given.items.items()}
        return Value(taints, UNKNOWN, items, given.is_sequence, given.is_object, given.whole)

    def arrival(self, arrival: Arrival) -> Arrival:
        """What comes to a sink in the function."""
        seen: dict[TaintKey, Taint] = {}
        for taint in arrival.taints:
            for new in self._put_in(taint, seen) if taint.is_open else (taint,):
                seen.setdefault(new.key, new)
        return Arrival(arrival.sink, arrival.target, tuple(seen.values()))

    def _put_in(self, taint: Taint, seen: Container[TaintKey] = ()) -> Iterator[Taint]:
        """The taint seen from a call: a parameter's stand-in becomes the argument's taints.

        Those that were seen before are left out, as their way is not asked for.
        """
        if taint.proviso is not None:
            yield from decided(taint, self.marks.policies[taint.proviso.rule], self._put_in)
            return
        if not self._is_put_in(taint):  # of a function around it
            yield taint.moved(self.call, "returned by this call")
            return
        for outer in self._within(self.given[id(taint.origin)], taint.part).all_taints.values():
            if outer.proviso is None and outer.after(taint.cleaned).key in seen:
                continue
            yield self._onward(outer, taint)

    def _is_put_in(self, taint: Taint) -> bool:
        """Does it stand for an argument?"""
        return taint.kind == PARAMETER and taint.proviso is None and id(taint.origin) in self.given

    def _onward(self, outer: Taint, stand_in: Taint) -> Taint:
        """The taint of an argument after the way that its parameter takes in the function."""
        inner = outer.moved(self.call, "passed to this call").after(stand_in.cleaned)
        self.budget.spend(_STEPS_OF_A_WAY)
        return replace(inner, trace=inner.trace.onward(stand_in.trace))

    def _within(self, value: Value, part: Sequence[Step]) -> Value:
        """A part of what is put in."""
        for is_attribute, key in part:
            if is_attribute:
                value = attribute_of(value, str(key), self.index)
            elif key is ELEMENT:
                value = value.element()
            elif key is ANY_KEY:
                values = value.view("values")
                value = Value(value.all_taints) if values is None else values.element()
            else:
                value = value.item(key) if key is THE_KEYS else _splatted(value, key)
        return value


def attribute_of(base: Value, name: str, index: FunctionIndex) -> Value:
    """What an attribute of an object holds; a property may give anything of it."""
    if base.is_object and name not in (base.items or {}) and index.is_property(name):
        return Value(base.all_taints)
    if name in OF_THE_PATTERN and not base.is_object and name not in index.fields:
        return CLEAN
    return base.attribute(name)


def filled(function: Function, call: cst.Call, arguments: Mapping[int, Value]) -> dict[int, Value]:
    """What each parameter is given by a call; `*args` is a sequence, and `**kwargs` a table."""
    given = {id(one): _nothing(one) for one in function.parameters}
    bound_before: set[int] = set()
    for bound in bind_arguments(function, call):
        value = _splatted(arguments.get(id(bound.value), CLEAN), bound.part)
        key = id(bound.parameter)
        spread = value if bound.parameter.star == "**" and bound.key is UNKNOWN else None
        if bound.parameter.star:
            value = with_item(given[key], bound.key, value, spread)
        elif key in bound_before:  # `f(*args, **options)`: one of them may fill it
            value = join(given[key], value)
        bound_before.add(key)
        given[key] = value
    return given


def _nothing(parameter: cst.Param) -> Value:
    """What a parameter holds that is given nothing."""
    return Value(items={}, is_sequence=parameter.star == "*") if parameter.star else CLEAN


def _splatted(value: Value, key: object) -> Value:
    """What a splat puts into a parameter: nothing where its key is known to be missing."""
    if key is UNKNOWN:
        return value
    return Value(value.taints) if value.has(key) is False else value.item(key)
