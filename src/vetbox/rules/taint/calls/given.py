"""What a call is given: the function, the object whose method it means, and the arguments."""

from dataclasses import replace

import libcst as cst

from vetbox.rules.taint.calls.evaluating import Values
from vetbox.rules.taint.calls.specials import iterated
from vetbox.rules.taint.data.taints import NO_TAINTS, Taints, union
from vetbox.rules.taint.data.values import CLEAN, Value
from vetbox.rules.taint.reading.attributes import is_own_field
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.reading.places import is_instance
from vetbox.rules.walk import identifier, last_word

ITERATING = frozenset(
    {"all", "any", "chain", "deque", "enumerate", "extend", "filter", "frozenset", "iter", "join"}
    | {"islice", "list", "map", "max", "min", "next", "reduce", "reversed", "set", "sorted", "sum"}
    | {"tuple", "zip"}
)
"""Last words of what goes through the elements of its arguments."""


def given_in(node: cst.Call, values: Values) -> tuple[Value, dict[int, Value]]:
    """The object whose method a call means, and the arguments, which may change it."""
    of = node.func.value if isinstance(node.func, cst.Attribute) else None
    receiver = CLEAN if of is None else values.value(of)
    path = (of and path_of(of)) or ""
    held = values.scope.env.get(path)
    arguments = {id(arg.value): _argument(arg, node, values) for arg in node.args}
    if of is not None and values.scope.env.get(path) is not held:
        receiver = values.value(of)
    return receiver, arguments


def _argument(arg: cst.Arg, node: cst.Call, values: Values) -> Value:
    value = values.value(arg.value)
    if value.is_object and (arg.star == "*" or last_word(node.func) in ITERATING):
        return iterated(arg.value, value, values)
    return value


def callee_in(node: cst.Call, values: Values) -> Value:
    """What the function itself carries: a bound method of tainted data gives it back."""
    match node.func:
        case cst.Attribute() as func:
            return values.value(func) if is_own_field(func, values) else CLEAN
        case cst.Name():
            return values.scope.env.get(identifier(node.func)) or CLEAN
    return values.value(node.func)


def with_callbacks(node: cst.Call, arguments: dict[int, Value], values: Values) -> dict[int, Value]:
    """The arguments of a call of the module's own: functions carry what calling them gives."""
    given = ((arg.value, _given_by(arg.value, values)) for arg in node.args)
    carried = {id(of): _with(arguments[id(of)], taints) for of, taints in given if taints}
    return {**arguments, **carried} if carried else arguments


def _with(value: Value, taints: Taints) -> Value:
    return replace(value, taints=union(value.taints, taints))


def _given_by(func: cst.BaseExpression, values: Values) -> Taints:
    """What a function of the module gives, whatever it is called with."""
    index, owner = values.module.index, values.scope.owner
    is_method = isinstance(func, cst.Attribute) and is_instance(func.value)
    function = index.called(func, owner) if is_method or isinstance(func, cst.Name) else None
    summary = None if function is None or function.is_property else values.module.summary(function)
    if function is None or summary is None or not summary.returns.all_taints:
        return NO_TAINTS
    receiver = {id(func.value): values.value(func.value)} if isinstance(func, cst.Attribute) else {}
    return values.module.seen(function, cst.Call(func), receiver).value(summary.returns).all_taints
