"""Comprehensions: what displays with a `for` in them hold, whose variables are theirs alone."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.taint.calls.higher_order import Values
from vetbox.rules.taint.calls.specials import looped
from vetbox.rules.taint.data.values import UNKNOWN, Value, mixed, stream
from vetbox.rules.taint.reading.environment import join_environments
from vetbox.rules.taint.reading.loops import variables_in


def comprehended(node: cst.BaseComp, values: Values) -> Value:
    """What it holds. What is trusted for its `if` is so in it only, what it changes stays so."""
    scope, found = values.scope, Value()
    names = frozenset(name for each in _clauses(node.for_in) for name in variables_in(each.target))

    def read() -> None:
        nonlocal found
        with scope.own_variables(names):
            _loop(node.for_in, values)
            found = _made_by(node, values)

    if any(each.ifs for each in _clauses(node.for_in)):
        scope.env.become(join_environments(scope.env, scope.branch(read)))
    else:
        read()
    return found


def _loop(each: cst.CompFor, values: Values) -> None:
    values.scope.bind(each.target, looped(each.iter, values.value(each.iter), values))
    for condition in each.ifs:
        values.value(condition.test)
        values.scope.trust(condition.test)
    if each.inner_for_in is not None:
        _loop(each.inner_for_in, values)


def _made_by(node: cst.BaseComp, values: Values) -> Value:
    if isinstance(node, cst.DictComp):
        key = values.value(node.key)
        return Value(items={}).with_item(UNKNOWN, values.value(node.value), key)
    if isinstance(node, cst.BaseSimpleComp):
        element = values.value(node.elt)
        return mixed([element]) if isinstance(node, cst.SetComp) else stream(element)
    return Value()


def _clauses(each: cst.CompFor) -> Iterator[cst.CompFor]:
    yield each
    if each.inner_for_in is not None:
        yield from _clauses(each.inner_for_in)
