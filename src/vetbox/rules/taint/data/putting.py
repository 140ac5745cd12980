"""Putting: what a container holds after something was put into it under a key."""

from collections.abc import Hashable
from dataclasses import replace

from vetbox.rules.taint.data.keys import ANY_KEY, THE_KEYS, UNKNOWN
from vetbox.rules.taint.data.taints import NO_TAINTS, union
from vetbox.rules.taint.data.values import CLEAN, MAX_ITEMS, NOT_KNOWN, Value, join


def with_item(container: Value, key: object, value: Value, named: Value | None = None) -> Value:
    """The container after `container[key] = value`; `named` is what the key may hold."""
    if container.items is None and key is UNKNOWN and named is not None and named.taints:
        items = {**NOT_KNOWN, ANY_KEY: value, THE_KEYS: named}
        return Value(container.taints, items=items, whole=container.whole)
    if container.items is None and isinstance(key, str):  # whatever it is, this is under its key
        return Value(container.taints, items={**NOT_KNOWN, key: value}, whole=container.whole)
    if container.items is None or len(container.items) >= MAX_ITEMS or container.is_object:
        keys = NO_TAINTS if named is None else named.all_taints
        return Value(union(union(container.all_taints, value.all_taints), keys))
    if container.is_listed and isinstance(key, int) and key < 0:  # from the end
        key = key + len(container.items) if container.is_sequence else UNKNOWN
    if key is not UNKNOWN and isinstance(key, Hashable):
        return replace(container, items={**container.items, key: value})
    if container.is_listed:
        return Value(union(container.all_taints, value.all_taints))
    # It may be any of those that are known.
    items = {k: join(one, value) for k, one in container.items.items() if k is not THE_KEYS}
    items[ANY_KEY] = join(items.get(ANY_KEY, value), value)
    if named is not None or THE_KEYS in container.items:
        items[THE_KEYS] = join(container.items.get(THE_KEYS, CLEAN), named or CLEAN)
    return replace(container, items=items)
