"""Linking: which places hold the same object, so that what one of them gets all have."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.calls.summaries import Summary
from vetbox.rules.taint.data.aliasing import Alias, aliases_of, element_read, elements_of, linked
from vetbox.rules.taint.data.gains import with_attributes
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.taints import Taints
from vetbox.rules.taint.data.values import CLEAN, Value, join
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.reading.environment import Environment, path_of
from vetbox.rules.taint.reading.stores import FILES, file_meant, is_written


@dataclass(slots=True)
class Linking(ABC):
    """The aliases of one function, or of the module."""

    module: Module
    owner: str | None
    env: Environment = field(default_factory=Environment)
    summary: Summary = field(default_factory=Summary)
    spreading: set[str] = field(default_factory=set)
    """The aliases that a change in progress has reached: each is changed once."""

    @abstractmethod
    def add(self, place: cst.BaseExpression, taints: Taints) -> None:
        """Something is put into what a place holds."""

    @abstractmethod
    def held(self, place: cst.BaseExpression) -> Value | None:
        """What a place holds; None where it is neither a variable nor in one."""

    @abstractmethod
    def put(self, place: cst.BaseExpression, value: Value) -> None:
        """Say what a place holds now."""

    def link(self, target: cst.BaseExpression, value: cst.BaseExpression) -> None:
        """Note that the target is an alias of the value."""
        file = file_meant(value, self.module.facts) if is_written(value) else None
        if file is not None:
            self.env.values.setdefault(FILES, Value(items={}))
            self._link(target, Alias(file))
        for place, alias in aliases_of(target, value):
            self._link(place, alias)

    def link_elements(self, target: cst.BaseExpression, listed: cst.BaseExpression) -> None:
        """Note that a loop variable is an alias of the elements of a list."""
        alias = elements_of(listed)
        parts = target.elements if isinstance(target, cst.Tuple) else ()
        for place in [part.value for part in parts] or [target]:
            if alias is not None:
                self._link(place, alias)

    def link_part(self, place: cst.BaseExpression, container: cst.BaseExpression) -> None:
        """Note that an object was put into a container, and so is an alias of its elements."""
        if path_of(place) is not None and path_of(container) is not None:
            self._link(place, Alias(container, is_part=True))

    def _keep_in_single(self, of: cst.BaseExpression, kept: Mapping[str, Value]) -> None:
        single = self.module.single(of) if kept else None
        for name, value in kept.items() if single is not None else ():
            self.module.share(self.summary, f"{single}.{name}", value)

    def _keep_in_element(self, place: cst.BaseExpression, kept: Mapping[str, Value]) -> None:
        """The attributes of an object in a container gain something: `x["k"]`, `x.get("k")`."""
        element = element_read(place)
        held = None if element is None else self.held(element)
        if element is not None and held is not None and held.is_object:
            self.put(element, with_attributes(held, kept))

    def _link(self, place: cst.BaseExpression, alias: Alias) -> None:
        held = self.env.get(path_of(place) or "")
        is_text = held is not None and held.constant is not UNKNOWN  # which never changes
        # What is imported belongs to all: `request.args` gets nothing that is read of it.
        if not is_text and not self._is_imported(alias.place):
            self.env.aliases = linked(self.env.aliases, place, alias)

    def _is_imported(self, place: cst.BaseExpression) -> bool:
        while isinstance(place, (cst.Attribute, cst.Subscript)):
            place = place.value
        names = self.module.facts.names(place)
        return any("." in name and not name.endswith("()") for name in names)

    def _others(self, place: str) -> Iterator[Alias]:
        """The aliases of a place to which its change has not been spread yet."""
        found = self.env.aliases.get(place)
        if not found:
            return
        is_first = not self.spreading
        self.spreading.add(place)
        for name, alias in found.items():
            if name not in self.spreading:
                self.spreading.add(name)
                yield alias
        if is_first:
            self.spreading.clear()

    def _spread(self, place: str, value: Value) -> None:
        """Give the new value of a place to its aliases."""
        for alias in self._others(place):
            if alias.is_part:
                self.add(alias.place, value.all_taints)
            else:
                held = CLEAN if alias.is_sure else self.held(alias.place) or CLEAN
                self.put(alias.place, value if alias.is_sure else join(held, value))
