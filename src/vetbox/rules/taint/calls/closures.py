"""Closures: functions that a function has made, called with what made them put in."""

from collections.abc import Mapping

import libcst as cst

from vetbox.rules.taint.calls.dynamic_calls import given_by
from vetbox.rules.taint.calls.evaluating import Values
from vetbox.rules.taint.calls.summaries import Summary
from vetbox.rules.taint.data.values import Value


def of_closure(
    begun: cst.Call, node: cst.Call, arguments: Mapping[int, Value], values: Values
) -> Value | None:
    """What a closure returns, with the arguments of the call that made it put in."""
    module = values.module
    outer = module.index.called(begun.func, values.scope.owner)
    inner = None if outer is None else given_by(outer, module.index)
    if outer is None or inner is None or module.summary(outer) is None:
        return None
    within = Summary()
    value = module.call(inner, cst.Call(inner.node.name, node.args), arguments, within, at=node)
    if value is None:
        return None
    given = {id(arg.value): values.value(arg.value) for arg in begun.args}
    seen = module.seen(outer, begun, given)
    module.hand_up(within, values.scope.summary, seen)
    return seen.value(value)


def written_as(func: cst.BaseExpression, values: Values) -> cst.BaseExpression:
    """The lambda that a variable holds, or else the function as it is named."""
    behind = values.module.facts.behind(func)
    return behind if isinstance(behind, cst.Lambda) else func
