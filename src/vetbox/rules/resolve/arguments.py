"""A call's arguments by keyword and position, splats of known values taken apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import libcst as cst

from vetbox.rules.language.formula import Argument
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.resolve.scopes import Value
from vetbox.rules.walk import identifier


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
            keywords.update(spelled or {})
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
        found = [_spelled(value, splat, resolver) for value in resolver.assigned(splat)]
        known = [entries for entries in found if entries is not None]
        if not known:
            return None
        return {k: v for entries in (*known, _put(splat, resolver)) for k, v in entries.items()}
    if isinstance(splat, cst.Attribute):
        held = [binding.given for binding in resolver.members.held_by_classes(splat)]
        if len(held) == 1 and isinstance(held[0], Value) and not held[0].path:
            return _spelled(held[0].value, splat, resolver)
    return _spelled(splat, splat, resolver)


def _put(splat: cst.Name, resolver: Resolver) -> dict[str, Given]:
    """What `splat["key"] = value` has put into it on the way, whatever is decided there."""
    tree = resolver.tree
    around = {id(outer) for outer in tree.ancestors(splat)}
    before = tree.order[id(splat)]
    return {
        one.key: Given(one.value, splat)
        for one in resolver.members.additions.get(splat.value, ())
        if tree.order[id(one.value)] < before and id(one.block) in around
    }


def _spelled(
    value: cst.BaseExpression, shown: cst.BaseExpression, resolver: Resolver
) -> dict[str, Given] | None:
    if isinstance(value, cst.Dict):
        return {
            str(resolver.folder.value(entry.key)): Given(entry.value, shown)
            for entry in value.elements
            if isinstance(entry, cst.DictElement)
        }
    if isinstance(value, cst.Call) and "dict" in resolver.names(value.func):
        return {identifier(a.keyword): Given(a.value, shown) for a in value.args if a.keyword}
    return None
