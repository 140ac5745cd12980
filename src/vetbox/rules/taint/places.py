"""Places: the variables, attributes and elements that statements assign to."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import libcst as cst

from vetbox.rules.taint.environment import Environment, path_of, root_of
from vetbox.rules.taint.module import Module, Summary
from vetbox.rules.taint.values import CLEAN, NO_TAINTS, Taints, Value, join, union


@dataclass(slots=True)
class Places(ABC):
    """Those that the body of one function, or of the module, can name."""

    module: Module
    owner: str | None
    env: Environment = field(default_factory=Environment)
    summary: Summary = field(default_factory=Summary)

    @abstractmethod
    def value(self, node: cst.BaseExpression | None) -> Value:
        """What an expression may hold here."""

    def bind(self, target: cst.CSTNode, value: Value) -> None:
        """Assign to a target of any form."""
        match target:
            case cst.Name() | cst.Attribute():
                self._bind_path(target, value.moved(target, "assigned here"))
            case cst.Tuple() | cst.List():
                self._unpack(target, value)
            case cst.StarredElement():
                self.bind(target.value, value)
            case cst.Subscript():
                self._bind_item(target, value)

    def _bind_path(self, target: cst.Name | cst.Attribute, value: Value) -> None:
        path = path_of(target)
        if path is None:
            return
        self.env.assign(path, value)
        if isinstance(target, cst.Attribute):
            self._set_attribute(path, value)

    def _set_attribute(self, path: str, value: Value) -> None:
        base, _, name = path.rpartition(".")
        known = self.env.get(base)
        if known is not None and known.is_object:
            self.env.values[base] = replace(known, items={**(known.items or {}), name: value})
        if base == "self":
            self.module.remember_field(self.owner, name, value)
            self._hold(name, value.all_taints)

    def _hold(self, name: str, taints: Taints) -> None:
        if taints:
            self.summary.kept[name] = union(self.summary.kept.get(name, NO_TAINTS), taints)

    def change(self, path: str, value: Value) -> None:
        """What a variable or an attribute holds has changed."""
        self.env.put(path, value)
        if "." in path:
            self._set_attribute(path, value)

    def keep(self, place: cst.BaseExpression, kept: Mapping[str, Taints]) -> None:
        """An object has got something into its attributes."""
        path = path_of(place)
        known = self.env.get(path) if path is not None else None
        if path == "self":
            for name, taints in kept.items():
                self.module.remember_field(self.owner, name, Value(taints))
                self._hold(name, taints)
        elif path is not None and known is not None:
            for name, taints in kept.items():
                known = known.with_attribute(name, taints)
            self.env.values[path] = known

    def _unpack(self, target: cst.Tuple | cst.List, value: Value) -> None:
        exact = value.is_sequence and len(value.items or ()) == len(target.elements)
        for position, element in enumerate(target.elements):
            part = value.item(position) if exact else Value(value.all_taints)
            self.bind(element if isinstance(element, cst.StarredElement) else element.value, part)

    def _bind_item(self, target: cst.Subscript, value: Value) -> None:
        path = path_of(target.value)
        if path is None:
            root = root_of(target)
            self._add_to(root, value)
            return
        container, key = self.env.get(path) or CLEAN, self._key(target)
        known = container.with_item(
            key.constant, value, key if container.items is not None else None
        )
        self.change(path, known)

    def _key(self, target: cst.Subscript) -> Value:
        match target.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=index))]:
                return self.value(index)
        return CLEAN

    def _add_to(self, path: str | None, value: Value) -> None:
        if path is not None and value.all_taints:
            known = self.env.get(path) or CLEAN
            self.env.values[path] = join(Value(known.all_taints), Value(value.all_taints))
