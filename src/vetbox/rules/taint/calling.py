"""Calling: what functions give that are handed to others, begun before, or have but a variable."""

from collections.abc import Mapping
from typing import Protocol

import libcst as cst

from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.taint.functions import Function, bind_arguments
from vetbox.rules.taint.handing import completed, from_table, handed_call, is_mapping
from vetbox.rules.taint.module import Module, Scope
from vetbox.rules.taint.taints import Taints, union
from vetbox.rules.taint.values import CLEAN, Value, mixed


class Values(Protocol):
    """Evaluates expressions where they stand."""

    @property
    def module(self) -> Module:
        """The analysis of the module."""

    @property
    def scope(self) -> Scope:
        """The function body they stand in."""

    def value(self, node: cst.BaseExpression) -> Value:
        """What the expression may hold."""


def handed(node: cst.Call, arguments: Mapping[int, Value], result: Value, values: Values) -> Value:
    """What a call gives if it makes another: `map(f, xs)` is made of f(x), and of that alone."""
    func = node.func
    begun = func if isinstance(func, cst.Call) else values.module.facts.behind(func)
    if isinstance(begun, cst.Lambda):
        return _of_variable(begun, node, arguments, result, values)
    chosen = [
        _given(cst.Call(one, node.args), node, arguments, values)
        for one in from_table(node.func, values.module.facts)
    ]
    if chosen and None not in chosen:
        return mixed([Value(one) for one in chosen if one])
    made, alone = handed_call(node), is_mapping(node)
    if made is None and isinstance(begun, cst.Call):
        made, alone = completed(begun, node), True
    given = None if made is None else _given(made, node, arguments, values)
    if given is None:
        return result
    return Value(given if alone else union(result.all_taints, given))


def _of_variable(
    function: cst.Lambda,
    node: cst.Call,
    arguments: Mapping[int, Value],
    result: Value,
    values: Values,
) -> Value:
    """What a lambda gives that a variable stands for; `result` while it calls itself."""
    active = values.module.active
    if id(function) in active or any(arg.star for arg in node.args):
        return result
    parameters = parameter_list(function.params)
    definition = Function(_as_definition(function), None)
    given = {
        id(one): CLEAN if one.default is None else values.value(one.default) for one in parameters
    }
    for bound in bind_arguments(definition, node):
        given[id(bound.parameter)] = arguments.get(id(bound.value), CLEAN)
    if any(one.star for one in parameters):
        return result
    active.add(id(function))
    with values.scope.aside():
        for parameter in parameters:
            values.scope.bind(parameter.name, given[id(parameter)])
        value = values.value(function.body)
    active.discard(id(function))
    return value


def _as_definition(function: cst.Lambda) -> cst.FunctionDef:
    return cst.FunctionDef(cst.Name("_"), function.params, cst.IndentedBlock([]))


def _given(
    made: cst.Call, node: cst.Call, arguments: Mapping[int, Value], values: Values
) -> Taints | None:
    """What comes out of a function that is handed on; None where it is not known."""
    given = {id(arg.value): _argument(arg.value, arguments, values) for arg in made.args}
    if isinstance(made.func, cst.Lambda):
        for parameter in parameter_list(made.func.params):
            values.scope.bind(parameter.name, mixed([*given.values()]))
        return values.value(made.func.body).all_taints
    function = values.module.index.called(made.func, values.scope.owner)
    if function is None:
        return None
    returned = values.module.call(function, made, given, values.scope.summary, at=node)
    return None if returned is None else returned.all_taints


def _argument(node: cst.BaseExpression, arguments: Mapping[int, Value], values: Values) -> Value:
    known = arguments.get(id(node))
    return values.value(node) if known is None else known
