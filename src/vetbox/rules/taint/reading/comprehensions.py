"""Comprehensions: what displays with a `for` in them hold, whose variables are theirs alone."""

from collections.abc import Iterator, Sequence, Set
from functools import reduce

import libcst as cst

from vetbox.rules.taint.calls.evaluating import Values
from vetbox.rules.taint.calls.specials import looped
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.putting import with_item
from vetbox.rules.taint.data.values import Value, mixed, sequence, stream
from vetbox.rules.taint.reading.container_builtins import merged, pairs_of
from vetbox.rules.taint.reading.environment import join_environments
from vetbox.rules.taint.reading.loops import variables_in

_SEVERAL, _MOST = 2, 8
"""Rows that are looked at one by one."""


def comprehended(node: cst.BaseComp, values: Values) -> Value:
    """What it holds. What is trusted for its `if` is so in it only, what it changes stays so."""
    scope, found = values.scope, Value()
    names = frozenset(name for each in _clauses(node.for_in) for name in variables_in(each.target))
    iterated = values.value(node.for_in.iter)
    rows = _rows(node, iterated, values)
    each_made = _made_of_each(node, rows, names, values) if rows else None
    if each_made is not None:
        return each_made

    def read() -> None:
        nonlocal found
        with scope.own_variables(names):
            _loop(node.for_in, iterated, values)
            found = _made_by(node, values)

    if any(each.ifs for each in _clauses(node.for_in)):
        scope.env.become(join_environments(scope.env, scope.branch(read)))
    else:
        read()
    return found


def _loop(each: cst.CompFor, iterated: Value, values: Values) -> None:
    values.scope.bind(each.target, looped(each.iter, iterated, values))
    for condition in each.ifs:
        values.value(condition.test)
        values.scope.trust(condition.test)
    if each.inner_for_in is not None:
        _loop(each.inner_for_in, values.value(each.inner_for_in.iter), values)


def _rows(node: cst.BaseComp, iterated: Value, values: Values) -> Sequence[Value]:
    """What a plain loop goes through, if that is known one by one and there is data in it."""
    each = node.for_in
    if isinstance(node, cst.SetComp) or each.inner_for_in is not None:
        return ()
    match each.iter:
        case cst.List() | cst.Tuple() | cst.Name():
            rows = iterated.parts or []
        case cst.Call(func=cst.Attribute(value=cst.Name() as of, attr=cst.Name("items")), args=[]):
            rows = pairs_of(values.value(of)) or []
        case _:
            return ()
    carries = any(row.all_taints for row in rows)
    return rows if carries and _SEVERAL <= len(rows) <= _MOST else ()


def _made_of_each(
    node: cst.BaseComp, rows: Sequence[Value], names: Set[str], values: Values
) -> Value | None:
    """What it holds, row by row; None where it is not known of one whether it is left out."""
    made: list[Value] = []
    with values.scope.own_variables(names):
        for row in rows:
            values.scope.bind(node.for_in.target, row)
            tests = [values.value(condition.test).truth for condition in node.for_in.ifs]
            if False in tests:
                continue
            if None in tests:
                return None
            made.append(_made_by(node, values, is_once=True))
    if isinstance(node, cst.DictComp):
        return reduce(merged, made, Value(items={}))
    return sequence([one.element() for one in made])


def _made_by(node: cst.BaseComp, values: Values, *, is_once: bool = False) -> Value:
    if isinstance(node, cst.DictComp):
        named = values.value(node.key)
        key = named.constant if is_once else UNKNOWN
        return with_item(Value(items={}), key, values.value(node.value), named)
    if isinstance(node, cst.BaseSimpleComp):
        element = values.value(node.elt)
        return mixed([element]) if isinstance(node, cst.SetComp) else stream(element)
    return Value()


def _clauses(each: cst.CompFor) -> Iterator[cst.CompFor]:
    yield each
    if each.inner_for_in is not None:
        yield from _clauses(each.inner_for_in)
