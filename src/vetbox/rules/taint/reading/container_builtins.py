"""Builtins that make containers of containers: `dict`, `zip`, `sorted`, `json.dumps` and more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeAlias

import libcst as cst

from vetbox.rules.taint.data.keys import ANY_KEY, ELEMENT, THE_KEYS, UNKNOWN
from vetbox.rules.taint.data.putting import with_item
from vetbox.rules.taint.data.taints import NO_TAINTS, union
from vetbox.rules.taint.data.values import (
    CLEAN,
    MAX_ITEMS,
    Value,
    added,
    headed,
    mixed,
    sequence,
    stream,
)
from vetbox.rules.taint.reading.containers import turned_over
from vetbox.rules.walk import identifier

Given: TypeAlias = Sequence[tuple[str, Value]]
"""Arguments: "", "*", "**" or the keyword, and the value."""
_PAIR = 2


def given_to(call: cst.Call, values: Sequence[Value]) -> Given:
    """The arguments of a call with how each is given."""
    kinds = (identifier(arg.keyword) if arg.keyword else str(arg.star) for arg in call.args)
    return [*zip(kinds, values, strict=True)]


def made_of(
    names: Sequence[str], call: cst.Call, values: Sequence[Value], *of: Value
) -> Value | None:
    """What a builtin that makes a container returns; None where it is no such builtin."""
    makers = (_MAKERS[name] for name in names if name in _MAKERS)
    make = next(makers, None)
    return None if make is None else make([*(("", one) for one in of), *given_to(call, values)])


def merged(left: Value, right: Value) -> Value:
    """A dict updated with another, whose entries win."""
    if not left.is_table or not (right.is_table or right.items is None):
        return mixed([left, right])
    items = dict(right.items or {})
    anywhere, names = items.pop(ANY_KEY, None), items.pop(THE_KEYS, None)
    if right.items is None:
        anywhere = names = Value(right.all_taints)
    below = left if anywhere is None else with_item(left, UNKNOWN, anywhere, names)
    items = {**(below.items or {}), **items}
    if below.items is None or len(items) > MAX_ITEMS:
        return mixed([left, right])
    taints = union(below.taints, right.taints if right.items else NO_TAINTS)
    return Value(taints, items=items, whole=below.whole)


def table(given: Given) -> Value:
    """What `dict()` returns for its arguments."""
    made = Value(items={})
    for kind, value in given:
        if kind == "**":
            made = merged(made, value)
        elif kind:
            made = with_item(made, kind, value)
        else:
            made = merged(made, _of_pairs(value))
    return made


def arranged(operation: type[cst.CSTNode], left: Value, right: Value) -> Value | None:
    """The container that `+`, `|` or `*` makes; None where that is not known."""
    arrange = _OPERATORS.get(operation)
    return None if arrange is None else arrange(left, right)


def _united(left: Value, right: Value) -> Value | None:
    return merged(left, right) if left.is_table and right.is_table else None


def _joined(left: Value, right: Value) -> Value | None:
    """One sequence after the other, where the first elements of the left one are known."""
    before, behind, taints = left.parts, right.parts, union(left.taints, right.taints)
    if before is not None and behind is not None:
        return replace(sequence([*before, *behind]), taints=taints)
    if before:
        return replace(headed([*before, *right.head], added(right.rest)), taints=left.taints)
    if left.head:
        return replace(headed(left.head, added([*left.rest, right.element()])), taints=left.taints)
    if left.is_listed and right.is_listed:
        return replace(stream(added([*left.rest, right.element()])), taints=taints)
    return None


def _repeated(of: Value, by: Value) -> Value | None:
    """`[x] * 3`; None where it is not known what that gives."""
    times = by.constant
    if of.parts is None or not isinstance(times, int) or not 0 <= times <= MAX_ITEMS:
        return None
    return replace(sequence(of.parts * times), taints=of.taints)


def _of_pairs(value: Value) -> Value:
    """The dict that a collection of pairs stands for; a dict stays as it is."""
    pairs = value.parts
    if pairs is None:
        pair = value.element()
        if not value.is_table and value.items is not None and _is_pair(pair):
            return with_item(Value(value.taints, items={}), UNKNOWN, pair.item(1), pair.item(0))
        return value
    if not all(map(_is_pair, pairs)):
        return Value(value.all_taints)
    made = Value(value.taints, items={})
    for pair in pairs:
        key = pair.item(0)
        made = with_item(made, key.constant, pair.item(1), key)
    return made


def pairs_of(table: Value) -> list[Value] | None:
    """The entries of a dict, key and value; None where they are not known one by one."""
    known = table.items or {}
    if not table.is_table or table.is_open or table.taints or ANY_KEY in known:
        return None
    return [sequence([Value(constant=key), value]) for key, value in known.items()]


def _is_pair(value: Value) -> bool:
    return len(value.parts or ()) == _PAIR


def _namespace(given: Given) -> Value | None:
    if not all(kind.isidentifier() for kind, _ in given):
        return None
    return Value(items=dict(given), is_object=True)


def _one_over_the_other(given: Given) -> Value | None:
    """`ChainMap`: the entries of the first argument hide those of the others."""
    if any(kind for kind, _ in given):
        return None
    return reduce(merged, [value for _, value in reversed(given)], Value(items={}))


def _with_default(given: Given) -> Value | None:
    """`defaultdict`: its first argument only makes missing entries."""
    return table(given[1:]) if given and not given[0][0] else None


def _tallied(given: Given) -> Value | None:
    """`Counter`: a table of numbers by what is counted."""
    match given:
        case []:
            return table([])
        case [("", value)] if not value.is_table:
            return with_item(table([]), UNKNOWN, CLEAN, value.element())
    return None


def _listed(given: Given) -> Value | None:
    match given:
        case []:
            return sequence([])
        case [("", value)] if value.items is not None:
            return value if value.parts is not None else stream(value.element())
    return None


def _turned(given: Given) -> Value | None:
    """The elements of a sequence from its end."""
    match given:
        case [("", value)] if value.parts is not None:
            return replace(sequence(value.parts[::-1]), taints=value.taints)
    return _in_order(given)


def _in_order(given: Given) -> Value | None:
    """The elements of the first argument in unknown order."""
    if given and not given[0][0] and given[0][1].items is not None:
        return stream(given[0][1].element())
    return None


def _one_of(given: Given) -> Value | None:
    """One of the elements of the only argument, or of the arguments; or a default."""
    values = [value for kind, value in given if not kind]
    others = [value for kind, value in given if kind == "default"]
    if any(kind.startswith("*") for kind, _ in given) or not values:
        return None
    if len(values) == 1:
        return None if values[0].items is None else added([values[0].element(), *others])
    return added([*values, *others])


def _next(given: Given) -> Value | None:
    """The first element of the first argument; or the second where there is none."""
    match given:
        case [("", value), *others] if value.items is not None:
            return added([value.element(), *(other for _, other in others)])
    return None


def _chained(given: Given) -> Value | None:
    """The elements of all arguments."""
    if any(kind or value.items is None for kind, value in given):
        return None
    values = [value for _, value in given]
    if all(value.parts is not None for value in values):
        return sequence([part for value in values for part in value.parts or ()])
    return stream(added([value.element() for value in values]))


def _counted(given: Given) -> Value | None:
    match given:
        case [("", value)] if value.parts is not None:
            pairs = [sequence([Value(constant=at), one]) for at, one in enumerate(value.parts)]
            return replace(sequence(pairs), taints=value.taints)
        case [("", value), *_]:
            return stream(sequence([CLEAN, value.element()]))
    return None


def _zipped(given: Given) -> Value | None:
    match given:
        case [("*", rows)] if not rows.taints:
            return turned_over(rows)
    if any(kind and kind != "strict" for kind, _ in given):
        return None
    values = [value for kind, value in given if not kind]
    parts = [value.parts for value in values if value.parts is not None]
    if len(parts) == len(values):
        made = [sequence([*row]) for row in zip(*parts, strict=False)]
        return replace(sequence(made), taints=mixed([Value(one.taints) for one in values]).taints)
    return stream(sequence([value.element() for value in values]))


def _replaced(given: Given) -> Value | None:
    """A record with other values in some of its fields."""
    match given:
        case [("", record), *fields] if record.is_object and all(name for name, _ in fields):
            return replace(record, items={**(record.items or {}), **dict(fields)})
    return None


def _fields(given: Given) -> Value | None:
    """A table of what a record has in its fields."""
    match given:
        case [("", record)] if record.is_object:
            return Value(record.taints, items=record.items)
    return None


def _same(given: Given) -> Value | None:
    return given[0][1] if given and not given[0][0] else None


def _written(given: Given) -> Value | None:
    """A JSON text that keeps the elements of its value, for when it is parsed again."""
    if given and not given[0][0] and given[0][1].items is not None:
        return stream(given[0][1])
    return None


def _read_again(given: Given) -> Value | None:
    """The value from which a JSON text was made; None where that is not known."""
    if given and not given[0][0] and given[0][1].items is not None:
        return given[0][1].items.get(ELEMENT)
    return None


def _each_with_each(given: Given) -> Value | None:
    """`product`, `zip_longest`: rows with an element of each argument, or what fills it up."""
    if any(kind == "*" for kind, _ in given):
        return None
    filling = [value for kind, value in given if kind == "fillvalue"]
    return stream(sequence([added([one.element(), *filling]) for kind, one in given if not kind]))


def _grouped(given: Given) -> Value | None:
    """`groupby`: elements that are equal, with all of those."""
    element = given[0][1].element() if len(given) == 1 else None
    return None if element is None else stream(sequence([element, stream(element)]))


def _results(given: Given) -> Value | None:
    """`gather`: the results of the arguments, in their order."""
    if any(kind == "*" for kind, _ in given):
        return None
    return sequence([value for kind, value in given if not kind])


_OPERATORS: Mapping[type[cst.CSTNode], Callable[[Value, Value], Value | None]] = {
    cst.BitOr: _united,
    cst.BitOrAssign: _united,
    cst.Add: _joined,
    cst.AddAssign: _joined,
    cst.Multiply: _repeated,
}
_MAKERS: Mapping[str, Callable[[Given], Value | None]] = {
    "dict": table,
    "collections.OrderedDict": table,
    "configparser.ConfigParser": lambda _: Value(items={}),
    "configparser.RawConfigParser": lambda _: Value(items={}),
    "collections.defaultdict": _with_default,
    "collections.Counter": _tallied,
    "collections.ChainMap": _one_over_the_other,
    "types.SimpleNamespace": _namespace,
    "string.Template": _same,
    "list": _listed,
    "tuple": _listed,
    "collections.deque": _listed,
    **dict.fromkeys(("queue.Queue", "queue.SimpleQueue", "asyncio.Queue"), lambda _: sequence([])),
    "sorted": _in_order,
    "reversed": _turned,
    "iter": _in_order,
    "set": _in_order,
    "frozenset": _in_order,
    "max": _one_of,
    "min": _one_of,
    "next": _next,
    "random.choice": _one_of,
    "random.choices": _in_order,
    "random.sample": _in_order,
    "itertools.chain": _chained,
    "itertools.cycle": _in_order,
    "itertools.islice": _in_order,
    "enumerate": _counted,
    "zip": _zipped,
    "dataclasses.replace": _replaced,
    "attr.evolve": _replaced,
    "attrs.evolve": _replaced,
    "copy.replace": _replaced,
    "dataclasses.asdict": _fields,
    "attr.asdict": _fields,
    "attrs.asdict": _fields,
    "vars": _fields,
    "itertools.product": _each_with_each,
    "itertools.groupby": _grouped,
    "heapq.heappop": _next,
    "itertools.zip_longest": _each_with_each,
    "asyncio.gather": _results,
    "json.dumps": _written,
    "json.loads": _read_again,
    "copy.copy": _same,
    "copy.deepcopy": _same,
}
