"""The environment of a function while it is read: the values of `x` and `self.x` by path."""

from collections.abc import Set
from dataclasses import field, replace
from functools import reduce
from typing import TYPE_CHECKING

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.data.aliasing import NO_ALIASES, Aliases, joined_aliases, unlinked
from vetbox.rules.taint.data.taints import union
from vetbox.rules.taint.data.values import CLEAN, Value, join
from vetbox.rules.taint.reading.containers import ELEMENTS
from vetbox.rules.taint.sanitizing.branch_flags import Split, new_splits
from vetbox.rules.taint.sanitizing.entries import is_entry, place_of, without_entries
from vetbox.rules.walk import identifier, written_name

if TYPE_CHECKING:
    from collections.abc import Hashable

_INSTANCES = frozenset({"self", "cls"})
_FLAG = cst.Name("_")
"""Stands for the test that decided which branch was taken."""


@dataclass(slots=True)
class Environment:
    """What is known of variables at one point of a function; a path is `x` or `self.x`."""

    values: dict[str, Value] = field(default_factory=dict)
    dead: bool = False
    """Is this point unreachable?"""
    attributes: dict[str, set[str]] = field(default_factory=dict)
    """By path the attributes that ever had a value; shared with copies."""
    texts: dict[int, Value] = field(default_factory=dict)
    """By `id()` the text values that are surely not empty; shared with copies."""
    tests: dict[str, tuple[cst.BaseExpression, frozenset[str]]] = field(default_factory=dict)
    """By variable the test whose result it holds, and the paths in that test."""
    own: frozenset[str] = frozenset()
    """Variables that hold some constant of the program, though not known which."""
    splits: dict[str, Split] = field(default_factory=dict)
    """By flag the values of other variables where it is true, and where it is false."""
    entries: dict[str, Value] = field(default_factory=dict)
    """By place (`x["n"]`) what is known of single elements of containers."""
    aliases: Aliases = field(default_factory=lambda: NO_ALIASES)
    """Places that hold the same object."""
    lost: dict[str, Value] | None = None
    """In a `try`: the tainted values that assignments have replaced; shared with copies.

    A handler may find them still there, as `x = int(x)` may have failed.
    """

    def copy(self) -> "Environment":
        return Environment(
            dict(self.values),
            self.dead,
            self.attributes,
            self.texts,
            dict(self.tests),
            self.own,
            dict(self.splits),
            dict(self.entries),
            self.aliases,
            self.lost,
        )

    def get(self, path: str) -> Value | None:
        """The value assigned to a path, or None."""
        return self.values.get(path)

    def entry(self, node: cst.BaseExpression) -> Value | None:
        """What is known of an element that is read, beyond the value of its container."""
        return self.entries.get(place_of(node) or "") if self.entries else None

    def hand_on(self, call: cst.Call, receiver: Value, given: dict[int, Value]) -> None:
        """Add the receiver to the arguments, and to each object its attributes' values."""
        nodes = [arg.value for arg in call.args]
        if isinstance(call.func, cst.Attribute):
            given[id(call.func.value)] = receiver
            nodes.append(call.func.value)
        for node in nodes:
            path, value = path_of(node), given.get(id(node), CLEAN)
            if path is not None and value.items is None and path in self.attributes:
                given[id(node)] = self._with_attributes(path, value)

    def as_known(self, path: str, made: Value) -> Value:
        """A new object with what is known of its attributes by now: that one is clean, say."""
        names = self.attributes.get(path)
        known = {
            name[len(path) + 1 :]: self.values[name] for name in names or () if name in self.values
        }
        items = made.items or {}
        fields: dict[Hashable, Value] = {key: one for key, one in known.items() if key in items}
        return replace(made, items={**items, **fields}) if fields else made

    def _with_attributes(self, path: str, value: Value) -> Value:
        names = [name for name in self.attributes.get(path, ()) if name in self.values]
        held: dict[Hashable, Value] = {name[len(path) + 1 :]: self.values[name] for name in names}
        return replace(value, items=held, is_object=True) if held else value

    def as_object(self, name: str, value: Value) -> Value:
        """What a variable holds, with what the attributes of its object were given here."""
        if value.items is not None or name not in self.attributes or name in _INSTANCES:
            return value
        return self._with_attributes(name, value)

    def as_whole(self, node: cst.CSTNode, value: Value) -> Value:
        """What is handed on to a function elsewhere, with all that its attributes were given."""
        path = path_of(node) if self.attributes and not value.is_object else None
        names = self.attributes.get(path, ()) if path and path not in _INSTANCES else ()
        held = [name for name in names if name in self.values and ".__" not in name]
        given = [self.values[name].all_taints for name in held]
        return replace(value, taints=reduce(union, given, value.taints)) if given else value

    def assign(self, path: str, value: Value) -> None:
        """Assign a value to a path and forget its attributes."""
        self._forget_attributes(path)
        self.aliases = unlinked(self.aliases, path)
        self.put(path, value)

    def put(self, path: str, value: Value) -> None:
        """Change the value of a path and keep its attributes."""
        if self.tests:
            self.tests = {
                name: (test, paths)
                for name, (test, paths) in self.tests.items()
                if path != name and path not in paths
            }
        if path in self.own:
            self.own -= {path}
        if self.entries:
            self.entries = without_entries(self.entries, path)
        self._set(path, value)

    def assume(self, flag: str, *, holds: bool, of_none: bool = False) -> None:
        """Assume that a flag is true, or false: restore the values of variables that go with it."""
        split = self.splits.get(flag)
        if split is None or self.values.get(flag) is not split.flag:
            return
        if of_none and holds and not split.is_none:  # it may be False, or empty
            return
        for path, (joined, came) in split.sides[holds].items():
            if self.values.get(path) is joined:
                self.values[path] = came

    def note_text(self, path: str) -> None:
        """A path holds a text that is surely not empty."""
        held = self.values[path] = replace(self.values[path])
        self.texts[id(held)] = held

    def learn(self, path: str, value: Value) -> None:
        """Replace what is known of a path by more precise knowledge; the object is the same."""
        if is_entry(path):
            self.entries[path] = value
            return
        self._forget_attributes(path)
        self._set(path, value)

    def _forget_attributes(self, path: str) -> None:
        for name in self.attributes.get(path, ()):
            self.values.pop(name, None)

    def _set(self, path: str, value: Value) -> None:
        if self.lost is not None:
            self._lose(self.lost, path, value)
        self.values[path] = value
        base = path
        while "." in base:
            base = base.rpartition(".")[0]
            self.attributes.setdefault(base, set()).add(path)

    def _lose(self, lost: dict[str, Value], path: str, value: Value) -> None:
        held = self.values.get(path, CLEAN)
        if held.all_taints and not value.all_taints:
            lost[path] = join(lost.get(path, held), held)

    def forget(self, name: str) -> None:
        """A variable of that name is no more."""
        self._forget_attributes(name)
        self.values.pop(name, None)

    def restore(self, names: Set[str], before: "Environment") -> None:
        """Variables are what they were before something else was called like them."""
        for path, value in before.values.items():
            if _variable_of(path) in names:
                self.values[path] = value
        for name, (test, asked) in before.tests.items():
            if not names.isdisjoint({name, *map(_variable_of, asked)}):
                self.tests[name] = test, asked
        for place, value in before.entries.items():
            if _variable_of(place) in names:
                self.entries[place] = value
        self.own |= before.own & names
        self.aliases = before.aliases

    def become(self, other: "Environment") -> None:
        """Take over another environment's state."""
        self.values, self.dead, self.tests = other.values, other.dead, other.tests
        self.own, self.splits, self.entries = other.own, other.splits, other.entries
        self.aliases = other.aliases


def join_environments(left: Environment, right: Environment) -> Environment:
    """The join after two branches; one that ends in `return` or `raise` adds nothing."""
    if left.dead:
        return right.copy()
    if right.dead:
        return left.copy()
    values = dict(left.values)
    for path, value in right.values.items():
        known = values.get(path)
        values[path] = value if known is None else join(known, value)
    for path in left.values.keys() ^ right.values.keys():
        of, _, name = path.rpartition(".")
        other = (right if path in left.values else left).values.get(of) if of else None
        if other is not None and other.is_object and name in (other.items or {}):
            values[path] = join(values[path], other.attribute(name))
    tests = {name: told for name, told in left.tests.items() if right.tests.get(name) is told}
    tests |= _flagged(left, right) | _flagged(right, left)
    splits = {name: one for name, one in left.splits.items() if right.splits.get(name) is one}
    ways = (left.values, left.splits), (right.values, right.splits)
    splits |= new_splits(ways, left.texts, values)
    own = left.own & right.own
    both = left.entries.keys() & right.entries.keys()
    entries = {place: join(left.entries[place], right.entries[place]) for place in both}
    aliases = joined_aliases(left.aliases, right.aliases)
    return Environment(
        values, False, left.attributes, left.texts, tests, own, splits, entries, aliases, left.lost
    )


def _flagged(
    one: Environment, other: Environment
) -> dict[str, tuple[cst.BaseExpression, frozenset[str]]]:
    """Variables that hold the result of a test after one branch, and False after the other.

    Where such a variable is true, the first branch was taken and its test holds.
    """
    found: dict[str, tuple[cst.BaseExpression, frozenset[str]]] = {}
    for name in one.tests.keys() - other.tests.keys():
        value = other.values.get(name)
        if value is not None and value.constant is False:
            test, asked = one.tests[name]
            found[name] = cst.BooleanOperation(test, cst.And(), _FLAG), asked
    return found


def _variable_of(place: str) -> str:
    """`x` of the places `x.y` and `x['y']`."""
    return place.partition(".")[0].partition("[")[0]


def path_of(node: cst.CSTNode) -> str | None:
    """`x` or `x.y` of a chain of names."""
    return written_name(node)


def default_meant(node: cst.BaseExpression) -> cst.Subscript | None:
    """The element that is there after `x.setdefault("k", {})`."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=of, attr=cst.Name("setdefault")),
            args=[cst.Arg(cst.SimpleString() as key), *_],
        ) if written_name(of):
            return cst.Subscript(of, [cst.SubscriptElement(cst.Index(key))])
    return None


def holder_of(node: cst.CSTNode) -> str | None:
    """The variable at the start of `x.setdefault(k, {})["n"]`, which an element of it stays in."""
    while True:
        match node:
            case cst.Attribute(value=inner) | cst.Subscript(value=inner):
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=name)) if (
                identifier(name) in ELEMENTS
            ):
                node = inner
            case _:
                return root_of(node)


def root_of(node: cst.CSTNode) -> str | None:
    """The variable at the start of `x.y[0].z()`."""
    while type(node) is cst.Attribute or type(node) is cst.Subscript:
        node = node.value
    return identifier(node) if type(node) is cst.Name else None
