"""Containers: what the methods of lists, tables and settings give, and what they leave behind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import libcst as cst

from vetbox.rules.patterns.vocabulary import subexpressions
from vetbox.rules.taint.data.keys import ELEMENT, UNKNOWN
from vetbox.rules.taint.data.putting import with_item
from vetbox.rules.taint.data.taints import union
from vetbox.rules.taint.data.unknown_origin import closed
from vetbox.rules.taint.data.values import (
    CLEAN,
    Value,
    added,
    headed,
    join,
    mixed,
    sequence,
    stream,
)

ADDING_METHODS = frozenset(
    {"add", "append", "appendleft", "extend", "insert", "push", "put", "setdefault", "update"}
    | {"write", "writelines", "set", "extendleft", "put_nowait", "writestr", "add_argument"}
    | {"read_string", "read_dict", "feed", "writerow", "writerows", "add_row", "setlist"}
    | {"set_result", "appendChild", "setAttribute", "attach", "set_payload", "set_content"}
    | {"add_section"}
)
"""Methods that leave their arguments in the receiver."""
ELEMENTS = frozenset({"setdefault", "get"})
"""Methods that give an element which stays where it is."""
_ADDING_ONE = frozenset({"append", "appendleft", "put", "put_nowait"})
_TAKING_OUT = frozenset({"pop", "popleft", "popitem", "remove", "clear"})
_TAKEN: Mapping[str, int] = {"pop": -1, "popleft": 0}
"""Methods that take one element out, and which."""
_DUMPING = frozenset({"_asdict", "model_dump", "dict"})
"""Methods of records that give their fields in a table."""
_OF_QUEUES = frozenset({"get", "get_nowait"})
"""Methods that take the first element out of a queue; a list has none of these names."""
_NAMING = frozenset({"sections", "options"})
"""Methods that give the names which settings have, of all sections or of one."""
_GET, _SET = 2, 3  # arguments of settings that are asked for by section and name


def given_by(
    name: str, receiver: Value, given: Sequence[Value], fallback: Sequence[Value] = ()
) -> Value | None:
    """What a method of a container returns; None where the method is none of a container."""
    if name in _OF_QUEUES and receiver.parts is not None and not receiver.is_object:
        name, given = "popleft", ()
    if name in _TAKEN and receiver.head:
        return receiver.item(given[0].constant if given else _TAKEN[name])
    if name in _TAKEN and receiver.is_listed:
        return receiver.element()
    if name == "copy" and receiver.items is not None:
        return receiver
    if name in _DUMPING and receiver.is_object:
        return Value(receiver.taints, items=receiver.items)
    if name in _NAMING and receiver.is_table:
        section = given[0].constant if given else UNKNOWN
        of = receiver if not given or receiver.has(section) is False else receiver.item(section)
        return stream(Value(union(receiver.taints, of.element().all_taints)))
    if name == "most_common" and receiver.is_table:
        return receiver.view("items")
    if not given:
        return receiver.view(name)
    if name not in ("get", "pop", "setdefault"):
        return None
    if receiver.items is None:
        return mixed([receiver.item(given[0].constant), *given[1:], *fallback])
    setting = _setting(given) if len(given) == _GET else None
    if setting is not None and receiver.has(setting):
        return receiver.item(setting)
    key = given[0].constant
    section = CLEAN if setting is None else receiver.item(key)
    if section.has(given[-1].constant):
        return section.item(given[-1].constant)
    held = receiver.has(key)
    found = Value(receiver.taints) if held is False else receiver.item(key)
    others = [*given[1:], *fallback]
    return join(found, mixed(others)) if others and not held else found


def after(name: str, receiver: Value, given: Sequence[Value]) -> Value | None:
    """The container after a method call that changes it; None for other methods."""
    if name in _OF_QUEUES and receiver.parts is not None and not receiver.is_object:
        name, given = "popleft", ()
    change = _LIST_METHODS.get(name) if receiver.is_sequence else None
    if change is not None and receiver.items is not None:
        put_in = given if name in ADDING_METHODS else ()
        changed = change(dict(receiver.items), given)
        if changed is None:
            return Value(mixed([receiver, *put_in]).taints)
        return replace(changed, taints=union(changed.taints, receiver.taints))
    if name in _LIST_METHODS and receiver.head:
        return _after_head(name, receiver, given)
    if receiver.is_listed and not receiver.is_sequence:
        return _after_any(name, receiver, given)
    if receiver.is_table and name in ("pop", "clear"):
        return without(receiver, given[0].constant) if given else Value(items={})
    if name == "clear" and receiver.items is None:
        return CLEAN
    setting = _setting(given) if name == "set" and len(given) == _SET else None
    if setting is not None and not (closed(receiver).taints and receiver.items is None):
        return with_item(Value(receiver.taints, items=receiver.items or {}), setting, given[-1])
    if name == "setdefault" and given and receiver.has(given[0].constant) is not None:
        return _with_default(receiver, given)
    is_given = receiver.whole is not None and receiver.items is None and len(given) == 1
    if is_given and name in _ADDING_ONE and given[0].items is not None:
        return replace(receiver, items={ELEMENT: given[0]})
    return mixed([receiver, *given]) if name in ADDING_METHODS else None


def takes_out(node: cst.BaseExpression) -> bool:
    """May evaluating an expression take an element out of a container?"""
    return any(
        isinstance(one, cst.Call)
        and isinstance(one.func, cst.Attribute)
        and one.func.attr.value in _TAKING_OUT
        for one in subexpressions(node)
    )


def sliced(container: Value, *bounds: object) -> Value:
    """The part of a sequence between known places, else anything in it."""
    places = [one for one in bounds if one is None or isinstance(one, int)]
    known = len(places) == len(bounds) and 0 not in places[2:]  # which no slice has for a step
    if known and isinstance(container.constant, str):
        return Value(container.all_taints, container.constant[slice(*places)])
    if container.parts is None or not known:
        listed = container.is_listed
        return stream(container.element()) if listed else Value(container.all_taints)
    return replace(sequence(container.parts[slice(*places)]), taints=container.taints)


def unpacked(target: cst.Tuple | cst.List, value: Value) -> Sequence[Value]:
    """What each element of a target gets: a starred one all that is left."""
    places = len(target.elements)
    starred = [isinstance(element, cst.StarredElement) for element in target.elements]
    found = value.parts
    if found is None or len(found) < places - sum(starred) or sum(starred) > 1:
        known = value.head[: starred.index(True) if True in starred else places]
        return [*known, *[Value(value.all_taints)] * (places - len(known))]
    rest = len(found) - places + 1
    if True in starred:
        first = starred.index(True)
        found[first : first + rest] = [sequence(found[first : first + rest])]
    elif rest != 1:
        return [Value(value.all_taints)] * places
    return [replace(part, taints=union(part.taints, value.taints)) for part in found]


def replaced(container: Value, part: cst.Slice, bounds: Sequence[object], by: Value) -> Value:
    """The sequence after `container[first:last] = by`; anything where places are not known."""
    parts, new = container.parts, by.parts
    places = [one for one in bounds if one is None or isinstance(one, int)]
    if parts is None or new is None or len(places) < len(bounds) or part.step is not None:
        return Value(union(container.all_taints, by.all_taints))
    left = [*parts]
    left[slice(*places)] = new
    return replace(sequence(left), taints=union(container.taints, by.taints))


def turned_over(rows: Value) -> Value | None:
    """`zip(*rows)`: the columns of rows of which it is known what is in each place."""
    parts = rows.parts
    if parts and all(one.parts is not None for one in parts):
        columns = zip(*(one.parts or () for one in parts), strict=False)
        return sequence([sequence([*column]) for column in columns])
    each = rows.element().parts if rows.is_listed else None
    return None if each is None else sequence([stream(one) for one in each])


def emptied(container: Value) -> Value:
    """What is left after `del container[:]`."""
    return sequence([]) if container.is_listed or container.items is None else container


def is_whole(part: cst.BaseSlice) -> bool:
    """Is it `[:]`?"""
    return isinstance(part, cst.Slice) and part.lower is part.upper is part.step is None


def _with_default(table: Value, given: Sequence[Value]) -> Value | None:
    """A dict after `setdefault`; None where the key is present."""
    key = given[0].constant
    return None if table.has(key) else with_item(table, key, added([*given[1:]]))


def without(container: Value, key: object) -> Value:
    """What is left after `del container[key]`."""
    if container.items is None or key is UNKNOWN or not isinstance(key, (str, int)):
        return Value(container.all_taints)
    if container.is_sequence:
        left = _pop(dict(container.items), [Value(constant=key)])
        return (
            Value(container.all_taints) if left is None else replace(left, taints=container.taints)
        )
    if ELEMENT in container.items:
        return _after_head("pop", container, [Value(constant=key)])
    items = {name: item for name, item in container.items.items() if name != key}
    return Value(container.taints, items=items)


def _setting(given: Sequence[Value]) -> tuple[str, str] | None:
    """The section and the name that a setting goes by."""
    section, name = given[0].constant, given[1].constant
    return (section, name) if isinstance(section, str) and isinstance(name, str) else None


Items: TypeAlias = dict[object, Value]


def _append(items: Items, given: Sequence[Value]) -> Value | None:
    return sequence([*items.values(), given[0] if given else CLEAN])


def _insert(items: Items, given: Sequence[Value]) -> Value | None:
    position = given[0].constant if len(given) == _GET else UNKNOWN
    if not isinstance(position, int):
        return None
    left = list(items.values())
    left.insert(position, given[1])
    return sequence(left)


def _extend(items: Items, given: Sequence[Value]) -> Value | None:
    if not given:
        return None
    if given[0].parts is not None:
        return sequence([*items.values(), *map(given[0].item, range(len(given[0].parts)))])
    if not items:
        return given[0] if given[0].is_listed else None
    return headed([*items.values(), *given[0].head], added(given[0].rest))


def _pop(items: Items, given: Sequence[Value]) -> Value | None:
    left = list(items.values())
    position = given[0].constant if given else -1
    if not isinstance(position, int) or not -len(left) <= position < len(left):
        return None
    del left[position]
    return sequence(left)


def _remove(items: Items, given: Sequence[Value]) -> Value | None:
    """Without the first equal element; None unless it is certain which that is."""
    wanted = given[0].constant if len(given) == 1 else UNKNOWN
    left: list[Value] = []
    for place, item in enumerate(items.values()):
        if UNKNOWN in (wanted, item.constant):
            return None
        if item.constant == wanted:
            return sequence([*left, *[*items.values()][place + 1 :]])
        left.append(item)
    return None


def _popleft(items: Items, _: Sequence[Value]) -> Value | None:
    return sequence([*items.values()][1:]) if items else None


def _appendleft(items: Items, given: Sequence[Value]) -> Value | None:
    return sequence([*given[:1], *items.values()])


def _reverse(items: Items, _: Sequence[Value]) -> Value | None:
    return sequence([*items.values()][::-1])


def _clear(_: Items, __: Sequence[Value]) -> Value | None:
    return sequence([])


def _after_any(name: str, of: Value, given: Sequence[Value]) -> Value | None:
    """A sequence of unknown length after a method call; None where it stays the same."""
    match name:
        case "append" | "put" | "put_nowait":
            element = added([*of.rest, *given])
            return replace(headed([element], element), taints=of.taints)
        case "extend" if all(one.is_listed for one in given):
            element = added([*of.rest, *(one.element() for one in given)])
            return replace(stream(element), taints=of.taints)
        case "clear":
            return sequence([])
        case "pop" | "popleft" | "remove":
            return replace(of)  # it may be empty now
    return mixed([of, *given]) if name in ADDING_METHODS else None


def _after_head(name: str, of: Value, given: Sequence[Value]) -> Value:
    """A sequence of which only the first elements are known, after a method call."""
    head, rest, place = of.head, of.rest, given[0].constant if given else None
    match name:
        case "append" | "put" | "put_nowait":
            rest += given
        case "extend":
            rest += (one.element() for one in given)
        case "appendleft":
            head = [*given[:1], *head]
        case "insert" if isinstance(place, int) and 0 <= place <= len(head):
            head.insert(place, given[-1])
        case "popleft":
            head = head[1:]
        case "pop" if isinstance(place, int) and place >= 0:
            head[place : place + 1] = []
        case "pop" if place is None or isinstance(place, int):
            pass  # one that is behind the others
        case "clear":
            return sequence([])
        case _:
            return mixed([of, *given])
    return replace(headed(head, added(rest)), taints=of.taints)


_LIST_METHODS: Mapping[str, Callable[[Items, Sequence[Value]], Value | None]] = {
    "append": _append,
    "put": _append,
    "put_nowait": _append,
    "insert": _insert,
    "extend": _extend,
    "pop": _pop,
    "popleft": _popleft,
    "appendleft": _appendleft,
    "reverse": _reverse,
    "clear": _clear,
    "sort": lambda items, _: stream(added([*items.values()])) if items else sequence([]),
    "remove": _remove,
}
