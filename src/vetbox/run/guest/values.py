"""A result as plain data: None, booleans, numbers, text, lists and dictionaries of them."""

import base64
import dataclasses
import datetime
import enum
import math
from collections import deque
from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    KeysView,
    Mapping,
    Sequence,
    Set,
    ValuesView,
)
from typing import Any

MAX_DEPTH = 100  # levels; a value that holds itself is deeper

_ALWAYS_PRINTED_BITS = 2_000
_SHORT = 1 << 60
_CONSTANTS = {None: "null", True: "true", False: "false"}
_AS_IT_IS = frozenset({str, bool, type(None)})


def shown(value: object) -> object:
    """`value` as plain data; a lone number keeps what JSON cannot say, such as NaN."""
    return float(value) if isinstance(value, float) else plain(value)


def plain(value: object, depth: int = 0) -> object:
    """`value` as JSON can say it; ValueError when it is nested too deep, holds itself or has two
    keys that are the same text.

    Sets are sorted lists, moments ISO 8601, bytes base64, NaN and infinity null, paths and all
    else their `str()`.
    """
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if depth > MAX_DEPTH:
        raise ValueError(f"the result is nested more than {MAX_DEPTH} levels deep or holds itself")
    return _BY_TYPE.get(kind, _converted)(value, depth + 1)


def _converted(value: object, depth: int) -> object:
    for kinds, convert in _CONVERSIONS:
        if isinstance(value, kinds):
            return convert(value, depth)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name), depth) for f in dataclasses.fields(value)}
    return str(value)


def _number(value: int, _depth: int) -> int:
    """The number, unless it has more digits than Python prints: then str() raises."""
    if value.bit_length() > _ALWAYS_PRINTED_BITS:
        str(value)
    return value


def _real(value: float, _depth: int) -> float | None:
    return value if math.isfinite(value) else None


# What most values are made of is told without a call: there are many, and it takes long in the box.


def _mapping(value: Mapping[object, Any], depth: int) -> object:
    # A dictionary of the program's own is what it says its items are.
    pairs = value.items() if type(value) is dict else [*value.items()]
    entries = {
        key if type(key) is str else _key(key): item
        if (kind := type(item)) in _AS_IT_IS or (kind is int and -_SHORT < item < _SHORT)
        else plain(item, depth)
        for key, item in pairs
    }
    if len(entries) < len(pairs):
        same = _same_text(key for key, _ in pairs)
        raise ValueError(f"{same} are one key in JSON: an entry would be lost")
    return entries


def _sequence(value: Iterable[Any], depth: int) -> list[object]:
    return [
        item
        if (kind := type(item)) in _AS_IT_IS or (kind is int and -_SHORT < item < _SHORT)
        else plain(item, depth)
        for item in value
    ]


# The first that fits decides: a StrEnum is a string, too.
_CONVERSIONS: Sequence[tuple[tuple[type, ...], Callable[[Any, int], object]]] = (
    ((enum.Enum,), lambda value, depth: plain(value.value, depth)),
    ((str,), lambda value, depth: str.__str__(value)),
    ((int,), lambda value, depth: _number(int(value), depth)),
    ((float,), lambda value, depth: _real(float(value), depth)),
    ((Mapping,), _mapping),
    ((list, tuple, deque, KeysView, ValuesView, ItemsView), _sequence),
    ((Set,), lambda value, depth: _sequence(_sorted(value), depth)),
    ((bytes, bytearray, memoryview), lambda value, depth: base64.b64encode(value).decode("ascii")),
    ((datetime.datetime, datetime.date, datetime.time), lambda value, depth: value.isoformat()),
)

# What most values are made of, which is told by the very type at once.
_BY_TYPE: Mapping[type, Callable[[Any, int], object]] = {
    int: _number,
    float: _real,
    dict: _mapping,
    list: _sequence,
    tuple: _sequence,
}


def _key(key: object) -> str:
    match key:
        case None | bool():
            return _CONSTANTS[key]
        case enum.Enum():
            return _key(key.value)
        case _:
            return str(key)


def _same_text(keys: Iterable[object]) -> str:
    """The first two keys that cannot be told apart as text."""
    first: dict[str, object] = {}
    for key in keys:
        if first.setdefault(_key(key), key) is not key:
            return f"the keys {first[_key(key)]!r} and {key!r}"
    return "two keys"


def _sorted(values: Set[object]) -> list[object]:
    try:
        return sorted(values)  # type: ignore[type-var]
    except TypeError:
        return sorted(values, key=lambda item: (type(item).__name__, repr(item)))
