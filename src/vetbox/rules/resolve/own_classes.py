"""Own classes: names that are surely a class of the file, and nothing that was put in its place."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.canonical import BUILTINS, is_of_library
from vetbox.rules.resolve.context import Context
from vetbox.rules.resolve.scopes import Binding, Defined, Parameter
from vetbox.rules.walk import identifier

_MAX_ABOVE = 12
_HARMLESS = frozenset({"dataclasses.dataclass", "functools.total_ordering", "typing.final"})
"""Decorators that give back the very class."""
_METACLASSES = frozenset({"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType", "type"})
_FOR_THE_CLASS = frozenset({"__init_subclass__", "__class_getitem__"})
"""Methods that are given the class without a word of it."""


def is_own_class(node: cst.CSTNode, resolver: Context, depth: int = _MAX_ABOVE) -> bool:
    """Is it a class of the file, or the one that a class method is called of?

    A decorator, a metaclass or a base of unknown origin may have put anything there.
    """
    if not isinstance(node, cst.Name) or not depth:
        return False
    found = [reached for _, reached in resolver.visible(identifier(node), node)]
    return bool(found) and all(
        reached.bindings
        and not reached.maybe_unbound
        and all(_gives_one(one, resolver, depth - 1) for one in reached.bindings)
        for reached in found
    )


def _gives_one(binding: Binding, resolver: Context, depth: int) -> bool:
    match binding.given:
        case Defined(definition=cst.ClassDef() as definition):
            return _is_plain(definition, resolver, depth)
        case Parameter(param=param):
            own = [*_asked_of(param, resolver)]
            return bool(own) and all(_is_plain(one, resolver, depth) for one in own)
    return False


def _asked_of(param: cst.Param, resolver: Context) -> Iterator[cst.ClassDef]:
    """The class around a class method, for the method's first parameter."""
    parameters = resolver.tree.parent(param)
    method = resolver.tree.parent(parameters) if parameters else None
    if isinstance(method, cst.FunctionDef) and _is_of_the_class(method, resolver):
        for one in resolver.members.owner_of_self(param):
            if isinstance(one, cst.ClassDef):
                yield one


def _is_of_the_class(method: cst.FunctionDef, resolver: Context) -> bool:
    if not method.decorators:
        return identifier(method.name) in _FOR_THE_CLASS
    said = [resolver.names(one.decorator, Resolve.IMPORTS) for one in method.decorators]
    return said == [frozenset({"classmethod"})]


def _is_plain(definition: cst.ClassDef, resolver: Context, depth: int) -> bool:
    def are(node: cst.CSTNode, known: frozenset[str]) -> bool:
        names = resolver.names(node, Resolve.IMPORTS)
        return bool(names) and names <= known

    decorators = (
        one.decorator.func if isinstance(one.decorator, cst.Call) else one.decorator
        for one in definition.decorators
    )
    return (
        all(are(one, _HARMLESS) for one in decorators)
        and all(
            one.keyword is not None
            and (identifier(one.keyword) != "metaclass" or are(one.value, _METACLASSES))
            for one in definition.keywords
        )
        and all(_is_plain_base(one, resolver, depth) for one in definition.bases)
    )


def _is_plain_base(base: cst.Arg, resolver: Context, depth: int) -> bool:
    written = base.value.value if isinstance(base.value, cst.Subscript) else base.value
    if base.star:
        return False
    names = resolver.names(written, Resolve.IMPORTS)
    known = bool(names) and all(name in BUILTINS or is_of_library(name) for name in names)
    return known or is_own_class(base.value, resolver, depth)
