"""Gains: what objects get in functions that are given them, by attribute and key."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from vetbox.rules.taint.data.keys import ANY_KEY, REST, THE_KEYS
from vetbox.rules.taint.data.taints import PARAMETER, Taints, union
from vetbox.rules.taint.data.values import CLEAN, NOT_KNOWN, Value, join

_NO_KEYS: Final = frozenset({ANY_KEY, REST, THE_KEYS})


def gain(value: Value) -> Value:
    """What something may hold from now on that holds a value, besides what it held before."""
    if value.items is None:
        return Value(value.taints, whole=value.whole)
    taints = value.taints if value.whole is None else _others(value)
    if value.is_object:
        kept = value.is_sequence  # whose fields have places
        fields = {name: gain(one) for name, one in value.items.items() if kept or one.all_taints}
        return Value(taints, items=fields, is_object=True, is_sequence=kept)
    if not value.is_table:
        parts = {key: gain(one) for key, one in value.items.items()}
        return Value(taints, items=parts, is_sequence=value.is_sequence)
    held = {key: gain(one) for key, one in value.items.items() if one.all_taints}
    return Value(taints, items={**NOT_KNOWN, **held})


def _others(value: Value) -> Taints:
    """The taints of a part of a parameter but for its own, which it holds already."""
    return {
        key: taint
        for key, taint in value.taints.items()
        if taint.kind != PARAMETER or taint.origin is not value.whole
    }


def within(names: Sequence[str], gained: Value) -> Value:
    """The gain of an object that holds another one, whose gain it is: `x.y.z` is in `x`."""
    for name in reversed(names):
        gained = Value(items={name: gained}, is_object=True)
    return gained


def both(known: Value | None, gained: Value) -> Value:
    """What is gained in one way or another."""
    return gained if known is None or known is CLEAN else join(known, gained)


def with_attribute(record: Value, name: str, gained: Value) -> Value:
    """The object with more in one of its attributes."""
    if not record.is_object:
        return replace(record, taints=union(record.taints, gained.all_taints))
    items = record.items or {}
    return replace(record, items={**items, name: both(items.get(name), gained)})


def with_attributes(record: Value, kept: Mapping[str, Value]) -> Value:
    """The object with more in some of its attributes, one that a function is given as well."""
    if record.whole is not None and record.items is None and kept:
        record = replace(record, items={}, is_object=True)
    for name, gained in kept.items():
        record = with_attribute(record, name, gained)
    return record
