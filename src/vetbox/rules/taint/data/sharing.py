"""Shared variables: what functions put into those of the module or of a function around."""

from collections.abc import Hashable, Iterator
from dataclasses import field, replace
from typing import Final, TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.data.gains import with_attribute, within
from vetbox.rules.taint.data.keys import ANY_KEY, REST, THE_KEYS, UNKNOWN
from vetbox.rules.taint.data.taints import NO_TAINTS, Taint, Taints, union
from vetbox.rules.taint.data.values import CLEAN, NOT_KNOWN, Value, join, stream

_NO_KEYS = frozenset({ANY_KEY, REST, THE_KEYS})
WHOLE: Final = None
"""In place of a key: it may be anywhere in what the variable holds."""

Shelf: TypeAlias = tuple[str, Hashable]
"""The path to a variable, and a key of the table that it holds."""


@dataclass(slots=True)
class Shared:
    """The taints in shared variables, by path and key."""

    held: dict[str, dict[Hashable, Taints]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.held)

    def add(self, shelf: Shelf, taint: Taint) -> bool:
        """Put data on a shelf; is it new there?"""
        path, key = shelf
        shelves = self.held.setdefault(path, {})
        known = shelves.get(key, NO_TAINTS)
        shelves[key] = union(known, {taint.key: taint})
        return taint.key not in known

    def of_object(self, path: str, known: Value) -> Value:
        """An object that is known, with all that was put into its attributes."""
        start = f"{path}."
        for inner in [one for one in self.held if one.startswith(start)]:
            names = inner[len(start) :].split(".")
            known = with_attribute(known, names[0], within(names[1:], self.value(inner)))
        return known

    def value(self, path: str) -> Value:
        """All that was put into a variable."""
        shelves = self.held.get(path)
        if shelves is None:
            return CLEAN
        items = {key: Value(taints) for key, taints in shelves.items() if key is not WHOLE}
        whole = shelves.get(WHOLE, NO_TAINTS)
        return Value(whole, items={**NOT_KNOWN, **items}) if items else Value(whole)


def shelves(path: str, value: Value) -> Iterator[tuple[Shelf, Taints]]:
    """The taints of a value, each with the shelf (path, key) it lies on."""
    if not value.is_open:
        yield (path, WHOLE), value.all_taints
        return
    yield (path, WHOLE), value.taints
    for key, item in (value.items or {}).items():
        yield (path, WHOLE if key in _NO_KEYS else key), item.all_taints


def lasting(value: Value) -> Value:
    """A value without the taints of parameters, which mean nothing outside the function."""
    if value.is_object and not value.is_sequence:
        fields = {name: lasting(one) for name, one in (value.items or {}).items()}
        held = {name: one for name, one in fields.items() if one.all_taints}
        return Value(_known(value.taints), items=held, is_object=True)
    if not value.is_table:
        return Value(_known(value.all_taints))
    items = {key: Value(_known(item.all_taints)) for key, item in (value.items or {}).items()}
    return Value(_known(value.taints), items={**NOT_KNOWN, **items})  # others may add to it


def _known(taints: Taints) -> Taints:
    return {key: taint for key, taint in taints.items() if not taint.is_open}


def with_shared(value: Value, shared: Value) -> Value:
    """What a variable holds with what others have put there, so that it is no constant."""
    if shared is CLEAN:
        return value
    value = replace(value, constant=UNKNOWN)
    taints = union(value.taints, shared.taints)
    if value.is_listed and shared.all_taints:
        held = join(value.element(), Value(shared.all_taints))
        return replace(stream(held), taints=union(taints, shared.all_taints))
    if shared.items is None:
        return replace(value, taints=taints) if shared.taints else value
    if value.items is not None and not value.is_table:
        return replace(value, taints=union(taints, shared.all_taints))
    known = {**NOT_KNOWN, **(value.items or {})}
    put = {key: one for key, one in shared.items.items() if key not in _NO_KEYS}
    joined = {key: join(value.item(key), one) for key, one in put.items()}
    return replace(value, taints=taints, items={**known, **joined})
