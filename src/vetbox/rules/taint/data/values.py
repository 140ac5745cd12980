"""Abstract values: the taints of an expression and, where known, its constant or elements."""

from collections.abc import Hashable, Mapping
from dataclasses import field, replace
from functools import reduce
from itertools import count, islice, takewhile
from typing import Final

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.data.keys import ANY_KEY, ELEMENT, REST, THE_KEYS, UNKNOWN
from vetbox.rules.taint.data.taints import NO_TAINTS, PARAMETER, Step, Taints, union

MAX_ITEMS = 64
"""Containers with more known elements are read as one value."""
MAX_SIZE = 1_000
"""Lists of lists of lists are read as one value too: what is in them twice counts twice."""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """An abstract value: `taints` of it as a whole, its `constant` and its `items` where known.

    `items` maps the keys of a dict, the indices of a sequence or the attributes of an object to
    values. `whole` is the parameter whose argument it is, or a part of.
    """

    taints: Taints = field(default_factory=dict)
    constant: object = UNKNOWN
    items: Mapping[Hashable, "Value"] | None = None
    is_sequence: bool = False
    is_object: bool = False
    whole: cst.CSTNode | None = None
    size: int = field(default=1, init=False)
    """The number of values in it at any depth; one that is reached twice counts twice."""

    def __post_init__(self) -> None:
        if self.items is None:
            return
        size = 1 + sum(item.size for item in self.items.values())
        if size <= MAX_SIZE:
            object.__setattr__(self, "size", size)
            return
        known = {"taints": self.all_taints, "items": None, "is_sequence": False, "is_object": False}
        for name, value in known.items():
            object.__setattr__(self, name, value)

    @property
    def all_taints(self) -> Taints:
        """The taints of the value and of everything in it."""
        taints = self.taints
        for item in self.items.values() if self.items is not None else ():
            if item.taints or item.items is not None:
                taints = union(taints, item.all_taints)
        return taints

    @property
    def truth(self) -> bool | None:
        """Its truth value, if that is certain."""
        return None if self.constant is UNKNOWN else bool(self.constant)

    def cleaned(self, sanitizers: frozenset[str]) -> "Value":
        """The value after sanitizers; what is known of it stays."""
        taints = {(new := taint.after(sanitizers)).key: new for taint in self.taints.values()}
        items = self.items and {key: item.cleaned(sanitizers) for key, item in self.items.items()}
        return replace(self, taints=taints, items=items)

    def moved(self, node: cst.CSTNode, note: str) -> "Value":
        """The value one stop further on its way."""
        if not self.taints:
            return self
        new = {key: taint.moved(node, note) for key, taint in self.taints.items()}
        return Value(new, self.constant, self.items, self.is_sequence, self.is_object, self.whole)

    def item(self, key: object) -> "Value":
        """The element at a key: exact where both are known, else anything in the container."""
        if key is THE_KEYS and self.is_table:
            return self.element()
        if self.items is not None and key is not UNKNOWN and isinstance(key, Hashable):
            if self.is_sequence and isinstance(key, int) and key < 0:
                key += len(self.items)
            if self.is_object and self.is_sequence and isinstance(key, int):
                key = next(islice(self.items, key, None), key) if key >= 0 else key
            if key in self.items:
                found = self.items[key]
                if self.whole is not None and self.is_open:
                    return join(found, self._part((False, key)))
                return replace(found, taints=union(found.taints, self.taints))
        known = self.items or {}
        if ELEMENT in known and (key is UNKNOWN or isinstance(key, int)):
            return self.element()
        if ANY_KEY in known and self.is_table and key is not UNKNOWN:
            besides = replace(self, items=None).item(key)
            return replace(known[ANY_KEY], taints=union(known[ANY_KEY].taints, besides.taints))
        if key is UNKNOWN or self.whole is None or not isinstance(key, Hashable):
            return Value(self._held, _constant_item(self.constant, key))
        return self._part((False, key))

    def attribute(self, name: str) -> "Value":
        """What an attribute holds: exact of an object that is known, else anything in it."""
        known = (self.items or {}).get(name) if self.is_object else None
        if self.is_open:
            return Value(self.all_taints)
        if self.whole is not None:  # an object that a function was given, and has changed
            return self._part((True, name)) if known is None else known
        if self.is_object:
            known = known or CLEAN
            return replace(known, taints=union(known.taints, self.taints))
        if ELEMENT in (self.items or {}) and name in (self.items or {}):
            return self.item(name)  # of a record some of whose fields are known
        return Value(self.all_taints)

    def _part(self, step: Step) -> "Value":
        """A part of what a parameter is given, and anything else in it."""
        taints = (
            one.of(step) if one.kind == PARAMETER and one.origin is self.whole else one
            for one in self.taints.values()
        )
        return Value({taint.key: taint for taint in taints}, whole=self.whole)

    @property
    def _held(self) -> Taints:
        """The taints of everything in it, but not those of its keys."""
        if self.items is None or THE_KEYS not in self.items:
            return self.all_taints
        rest = {key: item for key, item in self.items.items() if key is not THE_KEYS}
        return replace(self, items=rest).all_taints

    def has(self, key: object) -> bool | None:
        """Is there something at a key? None when that is not known."""
        if self.items is None or key is UNKNOWN or self.is_object:
            return None
        if ANY_KEY in self.items or ELEMENT in self.items:
            return None
        return isinstance(key, Hashable) and key in self.items

    def element(self) -> "Value":
        """What iterating over it gives: of a dict its keys."""
        if self._is_keywords:
            return self._keywords
        if self.items is None and self.whole is not None:
            return self._part((False, ELEMENT))
        if self.items is None or self.is_object:
            return Value(self.all_taints)
        if self.is_sequence or ELEMENT in self.items:
            return self._one_of([*self.items.values()])
        return Value(union(self.taints, self.items.get(THE_KEYS, CLEAN).all_taints))

    def _one_of(self, values: list["Value"]) -> "Value":
        one = added(values)
        return replace(one, taints=union(one.taints, self.taints))

    def view(self, name: str) -> "Value | None":
        """What `items()`, `keys()` or `values()` of it returns; None where that is not known."""
        if not self.is_table and (self.whole is None or self.items is not None):
            return None
        keys = self.element() if self.is_table else self._keywords
        held = [one for key, one in (self.items or {}).items() if key not in (THE_KEYS, REST)]
        values = self._one_of(held) if self.is_table else self._part((False, ANY_KEY))
        made = {"keys": keys, "values": values, "items": sequence([keys, values])}
        return stream(made[name]) if name in made else None

    @property
    def _is_keywords(self) -> bool:
        """Is it the dict of a `**parameter`?"""
        is_whole = self.items is None and isinstance(self.whole, cst.Param)
        return is_whole and self.whole.star == "**"  # type: ignore[union-attr]

    @property
    def _keywords(self) -> "Value":
        """Its keys: constants of the callers, unless one of them unpacks a dict."""
        return Value(self._part((False, THE_KEYS)).taints)

    @property
    def is_table(self) -> bool:
        """Is it a dict some or all of whose keys are known?"""
        return not (self.items is None or self.is_sequence or self.is_object) and (
            ELEMENT not in self.items
        )

    @property
    def is_open(self) -> bool:
        """Is it a dict that may have more entries than those that are known?"""
        return REST in (self.items or {})

    @property
    def may_be_table(self) -> bool:
        """May it be a dict: one that is known, or a value of which only taints are known?"""
        return self.is_table or (self.items is None and self.constant is UNKNOWN)

    @property
    def parts(self) -> list["Value"] | None:
        """The elements of a sequence in order; None where they are not known one by one."""
        return [*self.items.values()] if self.is_sequence and self.items is not None else None

    @property
    def is_listed(self) -> bool:
        """Is it a sequence or iterator of which at least some elements are known?"""
        if self.items is None or self.is_object:
            return False
        known = (key is ELEMENT or isinstance(key, int) for key in self.items)
        return self.is_sequence or (ELEMENT in self.items and all(known))

    @property
    def head(self) -> list["Value"]:
        """The first elements of a sequence, as far as they are known one by one."""
        items = self.items or {}
        if self.is_sequence:
            return [*items.values()]
        if ELEMENT not in items or ANY_KEY in items:
            return []
        return [items[place] for place in takewhile(items.__contains__, count())]

    @property
    def rest(self) -> list["Value"]:
        """What any element after the head may be; empty where there is none."""
        if self.items is None or ANY_KEY in self.items:
            return [self.element()]
        return [] if self.is_sequence else [self.items.get(ELEMENT, CLEAN)]


CLEAN: Final = Value()
NOT_KNOWN: Final[Mapping[Hashable, Value]] = {ANY_KEY: CLEAN, REST: CLEAN}
"""The items of a table that was begun elsewhere."""


def sequence(values: list[Value]) -> Value:
    """A list or tuple display."""
    if len(values) > MAX_ITEMS:
        return mixed(values)
    return Value(items=dict(enumerate(values)), is_sequence=True)


def stream(element: Value) -> Value:
    """An iterator over such elements."""
    return Value(items={ELEMENT: element})


def headed(head: list[Value], rest: Value) -> Value:
    """A sequence with known first elements; each after them may be `rest`."""
    if len(head) > MAX_ITEMS:
        return mixed([*head, rest])
    return Value(items={**dict(enumerate(head)), ELEMENT: rest})


def mixed(values: list[Value]) -> Value:
    """A value made of all of them, as by concatenation."""
    return Value(reduce(union, (value.all_taints for value in values), NO_TAINTS))


def added(values: list[Value]) -> Value:
    """A value that is one of them, nobody knows which."""
    return reduce(join, values) if values else CLEAN


def join(left: Value, right: Value) -> Value:
    """The least upper bound: the value that is one or the other."""
    if left is right:
        return left
    same = type(left.constant) is type(right.constant) and left.constant == right.constant
    constant = left.constant if same else UNKNOWN
    if _are_alike(left, right) and left.items is not None and right.items is not None:
        keys = [*left.items, *(key for key in right.items if key not in left.items)]
        items = {k: join(left.items.get(k, CLEAN), right.items.get(k, CLEAN)) for k in keys}
        taints = union(left.taints, right.taints)
        return Value(taints, constant, items, left.is_sequence, left.is_object and right.is_object)
    if left.is_table and right.is_table and not (left.is_open or right.is_open):
        return _of_both_tables(left, right)
    if (left.is_open or right.is_open) and left.may_be_table and right.may_be_table:
        return _of_open_tables(left, right)
    if left.is_listed and right.is_listed and not (left.head and right.head):
        parts = added([*left.head, *right.head, *left.rest, *right.rest])
        return replace(stream(parts), taints=union(left.taints, right.taints))
    heads = left.head, right.head
    if all(heads) and not (left.is_object or right.is_object):
        return _of_both_heads(left, right, min(map(len, heads)))
    if left.whole is None is right.whole:
        return Value(union(left.all_taints, right.all_taints), constant)
    return _of_parts(left, right, constant)


def _of_parts(left: Value, right: Value, constant: object) -> Value:
    """The join of two values one of which is a part of a parameter."""
    whole = _whole_of(left, right)
    for part, other in ((left, right), (right, left)):
        if whole is not None and part.items is None and other.is_object:
            items = {n: join(part.attribute(str(n)), one) for n, one in (other.items or {}).items()}
            return Value(union(part.taints, other.taints), items=items, is_object=True, whole=whole)
    whole = whole if left.items is None is right.items else None
    return Value(union(left.all_taints, right.all_taints), constant, whole=whole)


def _whole_of(left: Value, right: Value) -> cst.CSTNode | None:
    """The parameter that both may be a part of, where nothing else in them is made of it."""
    if left.whole is right.whole:
        return left.whole
    one, other = (left, right) if right.whole is None else (right, left)
    if other.whole is not None:
        return None
    made = (taint.origin for taint in other.all_taints.values() if taint.kind == PARAMETER)
    return None if any(origin is one.whole for origin in made) else one.whole


def _of_both_tables(left: Value, right: Value) -> Value:
    """A dict with the keys that both have, and all other values under unknown keys."""
    ours, theirs = left.items or {}, right.items or {}
    both = [key for key in ours if key in theirs and key not in (ANY_KEY, THE_KEYS)]
    every = [pair for items in (ours, theirs) for pair in items.items() if pair[0] not in both]
    items = {key: join(ours[key], theirs[key]) for key in both}
    items[ANY_KEY] = added([item for key, item in every if key is not THE_KEYS])
    names = [item for key, item in every if key is THE_KEYS]
    if names:
        items[THE_KEYS] = added(names)
    return Value(union(left.taints, right.taints), items=items)


def _of_open_tables(left: Value, right: Value) -> Value:
    """The join of two dicts one of which may have more entries than are known."""
    ours, theirs = ({**NOT_KNOWN, **(one.items or {})} for one in (left, right))
    items = {
        key: join(ours.get(key, ours[ANY_KEY]), theirs.get(key, theirs[ANY_KEY]))
        for key in {**ours, **theirs}
    }
    return Value(union(left.taints, right.taints), items=items, whole=_whole_of(left, right))


def _of_both_heads(left: Value, right: Value, length: int) -> Value:
    """A sequence whose first elements are those of one or the other."""
    rest = added([*left.head[length:], *right.head[length:], *left.rest, *right.rest])
    head = [join(*pair) for pair in zip(left.head[:length], right.head[:length], strict=True)]
    return replace(headed(head, rest), taints=union(left.taints, right.taints))


def _are_alike(left: Value, right: Value) -> bool:
    """Are the same parts known of both? What is no attribute of an object holds nothing."""
    if left.items is None or right.items is None:
        return False
    if left.is_object and right.is_object and left.whole is None and right.whole is None:
        return True
    return left.items.keys() == right.items.keys()


def _constant_item(constant: object, key: object) -> object:
    if isinstance(constant, str) and isinstance(key, int) and -len(constant) <= key < len(constant):
        return constant[key]
    return UNKNOWN
