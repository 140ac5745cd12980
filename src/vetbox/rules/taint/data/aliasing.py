"""Aliases: expressions for the same object, so that mutating one changes the others as well."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.sanitizing.entries import place_of
from vetbox.rules.walk import last_word, written_name

_MOST: Final = 32
"""Places that are followed at a time: long functions of plain assignments stay quick to read."""
NESTED: Final = frozenset({"SubElement"})
"""Functions that make something which is a part of their first argument."""
_ROOT = re.compile(r"[.\[]")
_VIEWS = frozenset({"values", "items", "copy"})
_PASSED_ON = frozenset({"enumerate", "list", "sorted", "reversed", "tuple"})


@dataclass(frozen=True, slots=True, eq=False)
class Alias:
    """Another place of an object."""

    place: cst.BaseExpression
    is_part: bool = False
    """Is the object only somewhere in what the place holds?"""
    is_sure: bool = True
    """Is it so whichever way was taken?"""

    @property
    def name(self) -> str:
        """The place as it is written; nothing for one that has no name of its own."""
        return place_of(self.place) or ""


Aliases: TypeAlias = Mapping[str, Mapping[str, Alias]]
"""By the name of each place, the others by theirs."""
NO_ALIASES: Final[Aliases] = {}


def linked(aliases: Aliases, one: cst.BaseExpression, other: Alias) -> Aliases:
    """Say that an object has another place, and that this holds for all places known of it."""
    here, there = Alias(one), other.name
    if not here.name or not there or here.name == there or len(aliases) >= _MOST:
        return aliases
    added = [(here.name, other)]
    if not other.is_part:
        added.append((there, here))
        for third in aliases.get(there, {}).values():
            added.append((here.name, third))
            if not third.is_part:
                added.append((third.name, replace(here, is_sure=third.is_sure)))
    found = {there: {}, **aliases}
    for name, alias in added:
        if name != alias.name:
            found[name] = {**found.get(name, {}), alias.name: alias}
    return found


def unlinked(aliases: Aliases, path: str) -> Aliases:
    """A place, and what is reached by it, holds another object from now on."""
    within = f"{path}.", f"{path}["
    gone = {name for name in aliases if name == path or name.startswith(within)}
    if not gone:
        return aliases
    left = {
        name: {other: alias for other, alias in others.items() if other not in gone}
        for name, others in aliases.items()
        if name not in gone
    }
    meant = {other for others in left.values() for other in others}
    return {name: others for name, others in left.items() if others or name in meant}


def joined_aliases(left: Aliases, right: Aliases) -> Aliases:
    """What may hold after either way: unsure where it holds after one of them alone."""
    if left is right:
        return left
    found: dict[str, Mapping[str, Alias]] = {}
    for name in {**left, **right}:
        one, other = left.get(name, {}), right.get(name, {})
        both = {**one, **other}
        found[name] = {
            key: alias if key in one and key in other else replace(alias, is_sure=False)
            for key, alias in both.items()
        }
    return found


def aliases_of(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, Alias]]:
    """What `target = value` says of where objects are: a place, and another one."""
    match value:
        case cst.Tuple() | cst.List() if isinstance(target, (cst.Tuple, cst.List)):
            yield from _pairs(target, value)
        case cst.Dict(elements=elements):
            for pair in elements:
                if isinstance(pair, cst.DictElement) and written_name(pair.value):
                    yield pair.value, _element(target, pair.key)
        case cst.Call(func=func, args=[cst.Arg(parent), *_]) if last_word(func) in NESTED:
            yield target, Alias(parent, is_part=True)
        case cst.List(elements=parts) | cst.Tuple(elements=parts):
            for part in parts:
                if isinstance(part, cst.Element) and written_name(part.value):
                    yield part.value, Alias(target, is_part=True)
        case _:
            held = _place_read(value)
            if held is None:
                return
            if isinstance(target, cst.Subscript) and not place_of(target):
                yield value, Alias(target.value, is_part=True)
            else:
                yield target, held


def _pairs(
    targets: cst.Tuple | cst.List, values: cst.Tuple | cst.List
) -> Iterator[tuple[cst.BaseExpression, Alias]]:
    """What `one, other = x, y` says; of `one, other = other, one` nothing: both are others then."""
    parts = [*targets.elements, *values.elements]
    is_plain = all(isinstance(part, cst.Element) for part in parts)
    if not is_plain or len(targets.elements) != len(values.elements):
        return
    changed = {place_of(part.value) for part in targets.elements}
    for target, value in zip(targets.elements, values.elements, strict=True):
        for place, alias in aliases_of(target.value, value.value):
            if changed.isdisjoint((alias.name, _ROOT.split(alias.name, 1)[0])):
                yield place, alias


def elements_of(listed: cst.BaseExpression) -> Alias | None:
    """Where the elements are that a loop goes through."""
    match listed:
        case cst.Call(func=cst.Attribute(value=of, attr=cst.Name(value=word))) if word in _VIEWS:
            return elements_of(of)
        case cst.Call(func=cst.Name(value=word), args=[cst.Arg(of), *_]) if word in _PASSED_ON:
            return elements_of(of)
    return Alias(listed, is_part=True) if written_name(listed) else None


def element_read(value: cst.BaseExpression) -> cst.Subscript | None:
    """The element of a variable that `x["k"]` or `x.get("k")` gives."""
    match value:
        case (
            cst.Subscript(value=of, slice=[cst.SubscriptElement(slice=cst.Index(key))])
            | cst.Call(
                func=cst.Attribute(value=of, attr=cst.Name(value="get" | "setdefault")),
                args=[cst.Arg(key, keyword=None), *_],
            )
        ) if written_name(of):
            return cst.Subscript(of, [cst.SubscriptElement(cst.Index(key))])
    return None


def _place_read(value: cst.BaseExpression) -> Alias | None:
    match element_read(value):
        case cst.Subscript(value=of, slice=[cst.SubscriptElement(slice=cst.Index(key))]):
            return _element(of, key)
    return Alias(value) if written_name(value) else None


def _element(of: cst.BaseExpression, key: cst.BaseExpression) -> Alias:
    if not isinstance(key, cst.SimpleString) or not written_name(of):
        return Alias(of, is_part=True)
    return Alias(cst.Subscript(of, [cst.SubscriptElement(cst.Index(key))]))
