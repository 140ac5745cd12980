"""What a variable may hold: where its data came from, and what is known of it."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import libcst as cst

UNKNOWN: Final = object()
"""The constant of a value that is not known."""
MAX_ITEMS = 64
"""Containers with more known elements are read as one value."""
MAX_TRACE = 24
"""Stops kept of one trace; the first and the last ones tell the story."""

TaintKey = tuple[str, int, frozenset[str]]


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The way a value came, newest stop first."""

    node: cst.CSTNode
    note: str
    before: "Trace | None" = None
    length: int = 1

    def then(self, node: cst.CSTNode, note: str) -> "Trace":
        """One stop further; a stop at the same node is not repeated."""
        if node is self.node or self.length >= MAX_TRACE:
            return self
        return Trace(node, note, self, self.length + 1)

    def stops(self) -> tuple["Trace", ...]:
        """Every stop, the source first."""
        return (*(self.before.stops() if self.before else ()), self)


@dataclass(frozen=True, slots=True, eq=False)
class Taint:
    """Data of one `kind` from one place; `cleaned` names the sanitizers it passed."""

    kind: str
    origin: cst.CSTNode
    trace: Trace
    cleaned: frozenset[str] = frozenset()

    @property
    def key(self) -> TaintKey:
        """Taints with equal keys are the same; the first trace found is kept."""
        return self.kind, id(self.origin), self.cleaned

    def moved(self, node: cst.CSTNode, note: str) -> "Taint":
        """The taint one stop further."""
        return replace(self, trace=self.trace.then(node, note))

    def after(self, sanitizers: frozenset[str]) -> "Taint":
        """The taint with more sanitizers passed."""
        return replace(self, cleaned=self.cleaned | sanitizers)


Taints = Mapping[TaintKey, Taint]
NO_TAINTS: Final[Taints] = {}


def union(left: Taints, right: Taints) -> Taints:
    """Both, the left one's traces first."""
    if not right or left is right:
        return left
    return {**right, **left} if left else right


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """`taints` of the whole, its `constant` if known, `items` of a container that is known in full.

    `items` maps the keys of a dict, or the indices of a list or tuple, to values.
    """

    taints: Taints = field(default_factory=dict)
    constant: object = UNKNOWN
    items: Mapping[Hashable, "Value"] | None = None
    is_sequence: bool = False

    @property
    def all_taints(self) -> Taints:
        """The taints of the value and of everything in it."""
        taints = self.taints
        for item in (self.items or {}).values():
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
        taints = {key: taint.moved(node, note) for key, taint in self.taints.items()}
        return replace(self, taints=taints)

    def item(self, key: object) -> "Value":
        """The element at a key: exact where both are known, else anything in the container."""
        if self.items is not None and key is not UNKNOWN and isinstance(key, Hashable):
            if self.is_sequence and isinstance(key, int) and key < 0:
                key += len(self.items)
            if key in self.items:
                found = self.items[key]
                return replace(found, taints=union(found.taints, self.taints))
        return Value(self.all_taints, _constant_item(self.constant, key))

    def part(self, key: object) -> "Value":
        """What a splat puts into a parameter: nothing where its key is known to be missing."""
        if key is UNKNOWN:
            return self
        missing = self.items is not None and key not in self.items
        return Value(self.taints) if missing else self.item(key)

    def with_item(self, key: object, value: "Value") -> "Value":
        """The container after `container[key] = value`."""
        if self.items is None or key is UNKNOWN or not isinstance(key, Hashable):
            return Value(union(self.all_taints, value.all_taints))
        if len(self.items) >= MAX_ITEMS:
            return Value(union(self.all_taints, value.all_taints))
        return replace(self, items={**self.items, key: value})


CLEAN: Final = Value()


def sequence(values: list[Value]) -> Value:
    """A list or tuple display."""
    if len(values) > MAX_ITEMS:
        return mixed(values)
    return Value(items=dict(enumerate(values)), is_sequence=True)


def mixed(values: list[Value]) -> Value:
    """Something made of all of them."""
    taints = NO_TAINTS
    for value in values:
        taints = union(taints, value.all_taints)
    return Value(taints)


def join(left: Value, right: Value) -> Value:
    """What holds of a value that is one or the other."""
    if left is right:
        return left
    same = type(left.constant) is type(right.constant) and left.constant == right.constant
    constant = left.constant if same else UNKNOWN
    if (
        left.items is not None
        and right.items is not None
        and left.items.keys() == right.items.keys()
    ):
        items = {key: join(item, right.items[key]) for key, item in left.items.items()}
        return Value(union(left.taints, right.taints), constant, items, left.is_sequence)
    return Value(union(left.all_taints, right.all_taints), constant)


def _constant_item(constant: object, key: object) -> object:
    if isinstance(constant, str) and isinstance(key, int) and -len(constant) <= key < len(constant):
        return constant[key]
    return UNKNOWN
