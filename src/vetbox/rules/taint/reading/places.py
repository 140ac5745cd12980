"""Assignable places: variables, attributes and elements, and what assigning to them changes."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import field, replace

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.data.aliasing import Alias, unlinked
from vetbox.rules.taint.data.gains import both, gain, with_attribute, within
from vetbox.rules.taint.data.putting import with_item
from vetbox.rules.taint.data.taints import Taints, union
from vetbox.rules.taint.data.values import CLEAN, Value, join, stream
from vetbox.rules.taint.module import AROUND
from vetbox.rules.taint.reading.containers import is_whole, replaced, unpacked
from vetbox.rules.taint.reading.environment import default_meant, holder_of, path_of, root_of
from vetbox.rules.taint.reading.linking import Linking
from vetbox.rules.taint.reading.stores import FILES, attribute_meant, of_all
from vetbox.rules.taint.sanitizing.entries import place_of
from vetbox.rules.walk import identifier

INSTANCES = frozenset({"self", "cls"})
_CLASSES = frozenset({"cls", "self.__class__"})


@dataclass(slots=True)
class Places(Linking):
    """The assignable places in the body of one function, or of the module."""

    given: set[str] = field(default_factory=set)
    """The parameters that have not been assigned to yet."""
    others: set[str] = field(default_factory=set)
    """Paths to variables of the module that the function assigns to or mutates."""
    lent: set[str] = field(default_factory=set)
    """Paths to shared variables that it mutates and has not assigned to."""
    around: set[str] = field(default_factory=set)
    """The visible variables of enclosing functions."""
    outer: set[str] = field(default_factory=set)
    """Those of them that it declares `nonlocal`."""
    within: Function | None = None
    """The function itself; None in the body of the module or of a class."""
    nested: bool = False
    """Is it nested in a function, or has it a nested one?"""

    @abstractmethod
    def value(self, node: cst.BaseExpression | None) -> Value:
        """What an expression may hold here."""

    def bind(self, target: cst.CSTNode, value: Value) -> None:
        """Assign to a target of any form."""
        match target:
            case cst.Attribute(value=cst.Call()) if is_instance(target.value):
                of_class = cst.Attribute(cst.Name("cls"), target.attr)
                self._bind_path(of_class, value.moved(target, "assigned here"))
            case cst.Name() | cst.Attribute():
                self._bind_path(target, value.moved(target, "assigned here"))
            case cst.Tuple() | cst.List():
                self._unpack(target, value)
            case cst.StarredElement():
                self.bind(target.value, value)
            case cst.Subscript():
                self._bind_item(target, value)
                self.env.aliases = unlinked(self.env.aliases, place_of(target) or "")

    def _bind_path(self, target: cst.Name | cst.Attribute, value: Value) -> None:
        path = path_of(target)
        if isinstance(target, cst.Attribute):
            self._keep_in_single(target.value, {identifier(target.attr): value})
        if path is None:
            self._add_to(root_of(target), value)
            return
        if isinstance(target, cst.Attribute):
            if not self._call_setter(target, value):
                self._put_in(path, value)
                self.env.assign(path, value)
                self._set_attribute(path, value)
            for alias in self._others(path_of(target.value) or ""):
                self._bind_other(alias, target.attr, value)
            return
        self.env.assign(path, value)
        if self.env is self.module.globals:
            self.module.note_put(path, value)
        self.given.discard(path)
        self.lent.discard(path)
        if path in self.others:
            self.module.share(self.summary, path, value)
        elif path in self.around and path in self.outer:
            self.module.share(self.summary, AROUND + path, value)
        else:
            self.around.discard(path)

    def _bind_other(self, alias: Alias, name: cst.Name, value: Value) -> None:
        """Assign to the attribute of an object by one of its aliases."""
        if alias.is_part:
            self.add(alias.place, value.all_taints)
            return
        target = cst.Attribute(alias.place, name)
        held = CLEAN if alias.is_sure else self.value(target)
        self._bind_path(target, value if alias.is_sure else join(held, value))

    def _call_setter(self, target: cst.Attribute, value: Value) -> bool:
        """Does a setter decide what an object that is known gets?"""
        setter = self.module.index.setter(target, self.owner)
        if setter is None:
            return False
        given = cst.Arg(cst.Name("value"))
        call = cst.Call(target, [given])
        arguments = {id(given.value): value, id(target.value): self.value(target.value)}
        self.module.call(setter, call, arguments, self.summary, at=target)
        self.keep(target.value, self.module.kept(setter, call, arguments, at=target))
        held = self.env.get(path_of(target.value) or "")
        return held is not None and held.is_object

    def _put_in(self, path: str, value: Value) -> None:
        """Mutate a parameter or a shared variable, which callers and other functions see."""
        if path == FILES:
            self.lent.add(FILES)
            self.module.share(self.summary, FILES, of_all(value, self.owner))
            return
        root, taints = path.partition(".")[0], value.all_taints
        if root not in self.given and path not in self.others and self._is_of_others(root):
            self.lent.add(path)
        if root in INSTANCES or not taints:
            return
        if root in self.given:
            self._fill(path, value)
        elif root in self.around:
            self.module.share(self.summary, AROUND + path, value)
        elif path in self.others or self._is_of_others(root):
            self.others.add(path)
            self.module.share(self.summary, path, value)

    def _is_of_others(self, root: str) -> bool:
        return self.env is not self.module.globals and root not in self.env.values

    def shared(self, path: str) -> Value:
        """What functions have put into a shared variable."""
        if not self.module.shared:
            return CLEAN
        own = path.partition(".")[0] in self.env.values and self.env is not self.module.globals
        own = own and path not in self.lent
        if own and not self.nested:
            return CLEAN
        return self.module.shared.value(AROUND + path if own else path)

    def _set_attribute(self, path: str, value: Value) -> None:
        base, _, name = path.rpartition(".")
        known = self.env.get(base)
        if known is not None and known.is_object:
            self.env.values[base] = replace(known, items={**(known.items or {}), name: value})
        elif known is None and "." in base and value.all_taints:
            self._keep_in(base, name, gain(value))
        if base == "self":
            self._hold(name, value)
        elif base in _CLASSES:
            if self.owner is not None and value.all_taints:
                self.module.share(self.summary, f"{self.owner}.{name}", value)
        elif base.startswith("self."):
            self._hold_within(path, value)

    def _hold(self, name: str, value: Value) -> None:
        """An attribute of the object itself gains something."""
        self.module.remember_field(self.owner, name, value)
        if value.all_taints:
            self.summary.kept[name] = both(self.summary.kept.get(name), gain(value))

    def _hold_within(self, path: str, value: Value) -> None:
        """An attribute gains something of an object that is in another one, `self.x.y`."""
        _, name, *inner = path.split(".")
        if value.all_taints:
            self._hold(name, within(inner, gain(value)))

    def _fill(self, path: str, value: Value) -> None:
        """A parameter gains something, or what is in its attributes."""
        name, *inner = path.split(".")
        gained = within(inner, gain(value))
        self.summary.filled[name] = both(self.summary.filled.get(name), gained)

    def change(self, path: str, value: Value) -> None:
        """What a variable or an attribute holds has changed."""
        self._put_in(path, value)
        if self.env is self.module.globals:
            self.module.note_put(path, value)
        self.env.put(path, value)
        if "." in path:
            self._set_attribute(path, value)
        self._spread(path, value)

    def keep(self, place: cst.BaseExpression, kept: Mapping[str, Value]) -> None:
        """The attributes of the object at a place gain something."""
        self._keep_in_single(place, kept)
        path = path_of(place)
        if path is None:
            self._keep_in_element(place, kept)
            return
        for name, gained in kept.items():
            self._keep_at(path, place, name, gained)
        for alias in self._others(path) if kept else ():
            self.keep(alias.place, kept)

    def _keep_at(self, path: str, place: cst.BaseExpression, name: str, gained: Value) -> None:
        """An attribute of the object that a variable holds gains something."""
        inner, root = f"{path}.{name}", path.partition(".")[0]
        if path == "self":
            self._hold(name, gained)
            return
        if root == "self":
            # Another one's method may be meant that has the name of one of the file.
            if self.module.index.class_of(place, self.owner) is not None:
                self._hold_within(inner, gained)
        elif root in self.given:
            self._fill(inner, gained)
        elif root in self.around:
            self.module.share(self.summary, AROUND + inner, gained)
        elif self._is_of_others(root) and self.module.holds_object(root):
            self.module.share(self.summary, inner, gained)
        self._keep_in(path, name, gained)
        if inner in self.env.values:
            self.env.values[inner] = both(self.env.values[inner], gained)

    def _keep_in(self, path: str, name: str, gained: Value) -> None:
        """The object at a path gains something in an attribute, wherever the object is kept."""
        inner: list[str] = [name]
        while path not in self.env.values and "." in path:
            path, _, around = path.rpartition(".")
            inner.insert(0, around)
        known = self.env.values.get(path)
        if known is not None and (known.is_object or len(inner) == 1):
            self.env.values[path] = with_attribute(known, inner[0], within(inner[1:], gained))

    def _unpack(self, target: cst.Tuple | cst.List, value: Value) -> None:
        for element, part in zip(target.elements, unpacked(target, value), strict=True):
            self.bind(element if isinstance(element, cst.StarredElement) else element.value, part)

    def _bind_item(self, target: cst.Subscript, value: Value) -> None:
        meant = attribute_meant(target, self._key) or self.variable_meant(target)
        if meant is not None:
            self.others |= {meant.value} if isinstance(meant, cst.Name) else set()
            self._bind_path(meant, value.moved(target, "assigned here"))
            return
        default = default_meant(target.value)
        if default is not None:
            self.value(target.value)
            target = cst.Subscript(default, target.slice)
        container = self.held(target.value)
        if container is None:
            self._add_to(holder_of(target), value)
            return
        if all(is_whole(one.slice) for one in target.slice):
            self.put(target.value, value if value.is_listed else stream(value.element()))
            return
        match target.slice:
            case [cst.SubscriptElement(slice=cst.Slice() as part)]:
                ends = (part.lower, part.upper)
                bounds = [self.value(end).constant if end else None for end in ends]
                self.put(target.value, replaced(container, part, bounds, value))
                return
        key = self._key(target)
        if self.module.index.has("__setitem__") and self._sets_item(target, key, value):
            return
        is_own = container.items is not None or (path_of(target.value) or "").startswith("self.")
        named = key if is_own and (container.items is not None or key.taints) else None
        others, place = self.env.entries, place_of(target)
        self.put(target.value, with_item(container, key.constant, value, named))
        if place is not None and (container.items is None or container.is_open):
            self.env.entries = {**others, place: value}

    @abstractmethod
    def _sets_item(self, target: cst.Subscript, key: Value, value: Value) -> bool:
        """Does a `__setitem__` of the module handle the assignment?"""

    def variable_meant(self, target: cst.Subscript) -> cst.Name | None:
        """The variable of the module that an element of `globals()` is."""
        match target.value:
            case cst.Call(func=cst.Name(value="globals"), args=[]):
                name = self._key(target).constant
                is_name = isinstance(name, str) and name.isidentifier()
                return cst.Name(str(name)) if is_name else None
        return None

    def held(self, place: cst.BaseExpression) -> Value | None:
        """What a place holds; None where it is neither a variable nor in one."""
        path = path_of(place)
        if path is not None:
            return self.env.get(path) or CLEAN
        around = self.held(place.value) if isinstance(place, cst.Subscript) else None
        if around is None or not isinstance(place, cst.Subscript):
            return None
        key = self._key(place).constant
        return CLEAN if around.has(key) is False else around.item(key)

    def put(self, place: cst.BaseExpression, value: Value) -> None:
        """Say what a place holds now."""
        path = path_of(place)
        if path is not None:
            self.change(path, value)
        elif isinstance(place, cst.Subscript):
            self._bind_item(place, value)
            self._spread(place_of(place) or "", value)

    def _key(self, target: cst.Subscript) -> Value:
        match target.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=index))]:
                return self.value(index)
        return CLEAN

    def add(self, place: cst.BaseExpression, taints: Taints) -> None:
        """Something is put into what a place holds."""
        path = path_of(place)
        known = self.env.get(path) if path is not None else None
        if path is not None and known is not None:
            self.change(path, replace(known, taints=union(known.taints, taints)))
        elif taints:
            self._add_to(holder_of(place), Value(taints))

    def gain(self, place: cst.BaseExpression, gained: Value) -> None:
        """What a place holds gains something."""
        path = path_of(place)
        known = self.env.get(path) if path is not None else None
        fields = {} if not gained.is_object else gained.items or {}
        held = [name for name in fields if f"{path}.{name}" in self.env.values]
        for name in held:
            self.gain(cst.Attribute(place, cst.Name(str(name))), fields[name])
        if held and len(held) == len(fields) and known is not None and not known.is_object:
            return
        if path is None or known is None or gained.items is None:
            self.add(place, gained.all_taints)
        else:
            self.change(path, join(known, gained))

    def _add_to(self, path: str | None, value: Value) -> None:
        if path is not None and value.all_taints:
            self._put_in(path, value)
            known = self.env.get(path) or CLEAN
            self.env.values[path] = join(Value(known.all_taints), Value(value.all_taints))
            self._spread(path, self.env.values[path])


def is_instance(node: cst.BaseExpression) -> bool:
    """Is it the object itself whose method stands there, or its class?"""
    match node:
        case cst.Call(func=cst.Name(value="type"), args=[cst.Arg(cst.Name(value="self"))]):
            return True
    path = path_of(node)
    return path in INSTANCES or path in _CLASSES
