"""A call's arguments by keyword and position, splats of known values taken apart."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.formula import Argument
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.resolve.reaching import MAX_TOLD_APART, Reached
from vetbox.rules.resolve.scopes import Value
from vetbox.rules.walk import identifier

_Entries: TypeAlias = dict[str, cst.BaseExpression]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """One argument: its value, and the node to point at (the splat it came from)."""

    value: cst.BaseExpression
    shown: cst.BaseExpression


@dataclass(frozen=True, slots=True, eq=False)
class Arguments:
    """`unknown` when a splat may hold anything."""

    positional: Sequence[Given]
    keywords: Mapping[str, Given]
    unknown: bool

    def find(self, wanted: Argument) -> Given | None:
        """The argument under one of the keywords, else at the position."""
        for keyword in wanted.keywords:
            if keyword in self.keywords:
                return self.keywords[keyword]
        position = wanted.position
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return None

    def all(self) -> Iterator[Given]:
        yield from self.positional
        yield from self.keywords.values()


NO_ARGUMENTS = Arguments((), {}, unknown=True)


def read_arguments(node: cst.CSTNode, resolver: Resolver) -> Arguments:
    """The arguments of a call; those of a decorator are the interpreter's secret."""
    if not isinstance(node, cst.Call):
        return NO_ARGUMENTS
    positional: list[Given] = []
    keywords: dict[str, Given] = {}
    unknown = False
    for arg in _with_partial(node, resolver):
        if arg.star == "**":
            spelled = _entries(arg.value, resolver)
            unknown = unknown or spelled is None
            keywords.update(_put(arg.value, resolver, {}) if spelled is None else spelled)
        elif arg.star:
            parts = resolver.elements(arg.value, None)
            unknown = unknown or parts is None
            positional.extend(Given(part, arg.value) for part in parts or ())
        elif arg.keyword is not None:
            keywords[identifier(arg.keyword)] = Given(arg.value, arg.value)
        else:
            positional.append(Given(arg.value, arg.value))
    return Arguments(positional, keywords, unknown)


def _with_partial(call: cst.Call, resolver: Resolver) -> Iterator[cst.Arg]:
    """The arguments that `functools.partial` holds come before the call's own."""
    inner = call.func
    if isinstance(inner, cst.Name):
        values = list(islice(resolver.assigned(inner), 2))
        inner = values[0] if len(values) == 1 else inner
    if isinstance(inner, cst.Call) and "functools.partial" in resolver.names(inner.func):
        yield from inner.args[1:]
    yield from call.args


def _entries(splat: cst.BaseExpression, resolver: Resolver) -> dict[str, Given] | None:
    """The keywords that `**splat` gives, if it is a dict one can see."""
    if isinstance(splat, cst.Name):
        seen = resolver.visible(identifier(splat), splat)
        found = [_held(reached, resolver) for _, reached in seen]
        known = [entries for entries in found if entries is not None]
        return _put(splat, resolver, _shown(splat, resolver, *known)) if known else None
    value = splat
    if isinstance(splat, cst.Attribute):
        held = [binding.given for binding in resolver.members.held_by_classes(splat)]
        if len(held) == 1 and isinstance(held[0], Value) and not held[0].path:
            value = held[0].value
    spelled = _spelled(value, resolver)
    return None if spelled is None else _shown(splat, resolver, spelled)


def _shown(splat: cst.BaseExpression, resolver: Resolver, *entries: _Entries) -> dict[str, Given]:
    """The entries, later ones in place of earlier ones, to be pointed at where the splat is."""
    resolver.budget.glance(sum(map(len, entries)))
    return {key: Given(value, splat) for some in entries for key, value in some.items()}


def _held(reached: Reached, resolver: Resolver) -> _Entries | None:
    """The entries of all that a variable may hold; many uses see the same very many values."""

    def gather() -> _Entries | None:
        found = [_spelled(value, resolver) for value in resolver.whole(reached)]
        known = [entries for entries in found if entries is not None]
        return {key: value for some in known for key, value in some.items()} if known else None

    if len(reached.bindings) <= MAX_TOLD_APART:
        return gather()
    return resolver.gathering.of(("splat", reached), None, gather, lambda: True)


def _put(
    splat: cst.BaseExpression, resolver: Resolver, shown: dict[str, Given]
) -> dict[str, Given]:
    """With what `splat["key"] = value` has put into it on the way, whatever is decided there."""
    tree = resolver.tree
    name = identifier(splat) if isinstance(splat, cst.Name) else ""
    additions = resolver.members.additions.get(name, ())
    resolver.budget.glance(len(additions))
    around = {id(outer) for outer in tree.ancestors(splat)}
    before = tree.order[id(splat)]
    put = [
        one for one in additions if tree.order[id(one.value)] < before and id(one.block) in around
    ]
    spare = {one.key: Given(one.value, splat) for one in put if one.spare}
    return spare | shown | {one.key: Given(one.value, splat) for one in put if not one.spare}


def _displayed(table: cst.Dict, resolver: Resolver) -> _Entries:
    """The entries of a display, and of the tables that one can see in it: `{**a, "b": c}`."""
    found: _Entries = {}
    for entry in table.elements:
        match entry:
            case cst.DictElement(key=key, value=value):
                found[str(resolver.folder.value(key))] = value
            case cst.StarredDictElement(value=cst.Name() as inner):
                values = [one for one in islice(resolver.assigned(inner), 2) if one is not table]
                if len(values) == 1 and isinstance(values[0], cst.Dict):
                    found |= _written(values[0], resolver)
    return found


def _written(table: cst.Dict, resolver: Resolver) -> _Entries:
    entries = (one for one in table.elements if isinstance(one, cst.DictElement))
    return {str(resolver.folder.value(one.key)): one.value for one in entries}


def _spelled(value: cst.BaseExpression, resolver: Resolver) -> _Entries | None:
    if isinstance(value, cst.Dict):
        return _displayed(value, resolver)
    if isinstance(value, cst.Call) and "dict" in resolver.names(value.func):
        return {identifier(a.keyword): a.value for a in value.args if a.keyword}
    return None
