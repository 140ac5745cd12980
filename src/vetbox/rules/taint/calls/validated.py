"""Validated fields: those of a record that a method of its class checks, and refuses by raising.

`@field_validator("name")` of Pydantic: what the method has checked once it returns, the field has.
"""

from collections.abc import Callable, Hashable, Iterator

import libcst as cst

from vetbox.rules.language.callbacks import VALIDATING
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.functions import FunctionIndex
from vetbox.rules.taint.calls.summaries import Summary
from vetbox.rules.taint.data.values import CLEAN, Value
from vetbox.rules.taint.reading.objects import fields_of, is_record, typed
from vetbox.rules.taint.sanitizing.guards import EVERY
from vetbox.rules.walk import identifier, last_word


def as_made(
    made: cst.ClassDef,
    value: Value,
    index: FunctionIndex,
    facts: Facts,
    summary: Callable[[Function], Summary | None],
) -> Value:
    """What is given for an object of a class, as its types and its validators leave it."""
    record = typed(made, value, index.made)
    checked = [*_checked(made, index, facts, summary)] if is_record(made) else []
    if not checked:
        return record
    given: dict[Hashable, Value] = {name: record.attribute(name) for name in fields_of(made)}
    for name, kinds in checked:
        if name in given:
            given[name] = CLEAN if kinds == EVERY else given[name].cleaned(kinds)
    return Value(items=given, is_object=True)


def _checked(
    made: cst.ClassDef,
    index: FunctionIndex,
    facts: Facts,
    summary: Callable[[Function], Summary | None],
) -> Iterator[tuple[str, frozenset[str]]]:
    """The fields that some method checks, with the sanitizers that they passed."""
    for node in made.body.body:
        names = [*_named(node, facts)] if isinstance(node, cst.FunctionDef) else []
        found = [one for one in index.functions if one.node is node] if names else []
        for function in found:
            place = int(function.takes_instance)
            known, parameters = summary(function), function.parameters
            if known is not None and known.checked and len(parameters) > place:
                kinds = known.checked.get(identifier(parameters[place].name), frozenset())
                yield from ((name, kinds) for name in names if kinds)


def _named(node: cst.FunctionDef, facts: Facts) -> Iterator[str]:
    """The fields that a decorator says a method is of."""
    for one in node.decorators:
        match one.decorator:
            case cst.Call(func=func, args=args) if last_word(func) in VALIDATING:
                yield from (str(facts.constant(arg.value)) for arg in args if not arg.keyword)
