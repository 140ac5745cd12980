"""Names reached without being written: subscripts, getattr, namespaces, wrappers, import calls."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.canonical import NOTHING, UNKNOWN, Names
from vetbox.rules.resolve.context import Context
from vetbox.rules.resolve.namespaces import COPIES, copied, entries, is_namespace, listed, module_of
from vetbox.rules.resolve.steps import ANY, begun_with, dotted, unseen_twice, walked
from vetbox.rules.resolve.tables import (
    arguments,
    elements,
    handed_to,
    makers,
    steps_of,
)
from vetbox.rules.walk import identifier

_WRAPPERS: Mapping[str, int] = {
    "functools.partial": 0,
    "functools.partialmethod": 0,
    "functools.cache": 0,
    "functools.lru_cache": 0,
    "staticmethod": 0,
    "classmethod": 0,
    "property": 0,
    "contextlib.nullcontext": 0,
    "contextlib.closing": 0,
    "copy.copy": 0,
    "copy.deepcopy": 0,
    "importlib.reload": 0,
    "typing.cast": 1,
}
"""Calls that give back one of their arguments, or something that calls it."""
_ATTRIBUTE_READERS = frozenset({"getattr", "inspect.getattr_static"}) | {
    f"{of}.__getattribute__" for of in ("object", "type", "types.ModuleType")
}
_BEGINNING = frozenset({"functools.partial", "types.MethodType"})
"""They make a function of one and its first arguments."""
IMPORTERS = frozenset({"__import__", "importlib.import_module", "importlib._bootstrap._gcd_import"})
_NAME_RESOLVERS = frozenset(
    {"pkgutil.resolve_name", "pydoc.locate", "pydoc.safeimport", "unittest.mock._importer"}
)
_ITEM_METHODS = frozenset({"get", "pop", "setdefault", "__getitem__"})
_ITEM_READERS = frozenset({"operator.getitem", "dict.get", "dict.__getitem__", "dict.pop"})


def wrapped(resolver: Context, call: cst.Call) -> cst.BaseExpression | None:
    """The argument that a wrapper gives back: `partial(f, 1)` is f with an argument."""
    given = arguments(call)
    for name in resolver.names(call.func, Resolve.IMPORTS) if given else ():
        index = _WRAPPERS.get(name)
        if index is not None and index < len(given):
            return given[index]
    return None


# Subscripts ------------------------------------------------------------------------------------


def subscript(resolver: Context, node: cst.Subscript, level: Resolve) -> Names:
    """What `x[k]` may be: an element of a known container, or a name in a namespace."""
    keys = [part.slice.value for part in node.slice if isinstance(part.slice, cst.Index)]
    if not keys or len(keys) < len(node.slice):
        return UNKNOWN
    if len(keys) > 1:
        return resolver.union(elements(resolver, node.value, None) or (), level) or UNKNOWN
    return item(resolver, node.value, keys[0], level)


def item(
    resolver: Context, container: cst.BaseExpression, key: cst.BaseExpression, level: Resolve
) -> Names:
    keys = resolver.folder.values(key)
    found = NOTHING
    for constant in keys or (None,):
        parts = elements(resolver, container, constant)
        if parts:
            found |= resolver.of_any(parts, level)
    if level is Resolve.DYNAMIC:
        for namespace in resolver.names(container, level):
            found |= entries(resolver, namespace, keys, container)
            if resolver.folder.is_guessed(key):
                found |= entries(resolver, namespace, None, container)
        for name in keys or () if not found else ():
            if isinstance(name, str):
                found |= resolver.escaped.builtin(name) | resolver.escaped.under(name)
    return found or UNKNOWN


def fetched(resolver: Context, call: cst.Call, level: Resolve) -> Names:
    """What `table.get(k)` may take out of a table one can see."""
    given = arguments(call)
    if not isinstance(call.func, cst.Attribute) or not given:
        return NOTHING
    if identifier(call.func.attr) not in _ITEM_METHODS:
        return NOTHING
    keys = resolver.folder.values(given[0]) or (None,)
    found = [elements(resolver, call.func.value, key) or () for key in keys]
    return resolver.union((part for parts in found for part in parts), level)


# Calls -----------------------------------------------------------------------------------------


def called(resolver: Context, call: cst.Call) -> Names:
    """What a call calls by way of operator.methodcaller or operator.call; nothing otherwise."""
    given = handed_to(resolver, call)
    if not given:
        return NOTHING
    if isinstance(call.func, cst.Call):
        maker = arguments(call.func)
        if maker and "operator.methodcaller" in resolver.names(call.func.func, Resolve.ALIASES):
            return _attributes(resolver, given[0], maker[0])
    if "operator.call" in resolver.names(call.func, Resolve.ALIASES):
        return resolver.names(given[0], Resolve.DYNAMIC)
    return NOTHING


def result(resolver: Context, call: cst.Call) -> Names | None:
    """What a call that looks something up gives; None when it is not one of those."""
    names = resolver.names(call.func, Resolve.DYNAMIC)
    given = handed_to(resolver, call)
    for maker in makers(resolver, call.func):
        made = _made_getter(resolver, maker, given)
        if made is not None:
            return made
    if isinstance(call.func, cst.Attribute):
        method = _method(resolver, call.func, given)
        if method is not None:
            return method
    for name in names if given else ():
        namespace, _, method_name = name.rpartition(".")
        if method_name in _ITEM_METHODS and is_namespace(namespace):
            is_guessed = resolver.folder.is_guessed(given[0])
            keys = None if is_guessed else resolver.folder.values(given[0])
            return entries(resolver, namespace, keys, call)
        if method_name == "__getattribute__" and name not in _ATTRIBUTE_READERS:
            return _looked_up(resolver, namespace, given)  # `of = os.__getattribute__; of(n)`
    copies = copied(resolver, call)
    if copies:
        return copies
    for name in names:
        read = _CALLS.get(name)
        if read is not None:
            return read(resolver, given)
    return None


def read_unseen(resolver: Context, call: cst.Call, level: Resolve) -> Names:
    """What a call of nobody knows what may take out of a module: `g(os, n)` after `f(getattr)`.

    So may whoever is handed all of it, as by `apply(getattr, os, n)`.
    """
    readers = resolver.escaped.readers() if level is Resolve.DYNAMIC else NOTHING
    if not readers or not canonical.are_open(resolver.names(call.func, level)):
        return NOTHING
    given = handed_to(resolver, call)
    handed = (n for n, one in enumerate(given, 1) if resolver.names(one, level) & readers)
    found = (_getattr(resolver, given[start:]) for start in (0, *handed))
    return NOTHING.union(*filter(None, found))


def _method(
    resolver: Context, func: cst.Attribute, given: Sequence[cst.BaseExpression]
) -> Names | None:
    """`x.__getattribute__(n)`, `loader.load_module(n)`, `x.__dict__.get(n)`, `x.pop()`."""
    if identifier(func.attr) == "__getattribute__" and len(given) in (1, 2):
        return _attributes(resolver, *[func.value, *given][-2:])  # of an object, or of its class
    if identifier(func.attr) == "load_module":
        return _resolve_name(resolver, given)
    if identifier(func.attr) in _ITEM_METHODS and given:
        found = item(resolver, func.value, given[0], Resolve.DYNAMIC)
        return found if found != UNKNOWN else None
    if identifier(func.attr) == "pop":
        parts = elements(resolver, func.value, None) or ()
        return resolver.union(parts, Resolve.DYNAMIC) or None
    return None


def _made_getter(
    resolver: Context, maker: cst.Call, given: Sequence[cst.BaseExpression]
) -> Names | None:
    """`attrgetter("a.b")(x)`, `itemgetter("k")(x)`, `partial(getattr, x)("a")`."""
    names = resolver.names(maker.func, Resolve.ALIASES)
    made = arguments(maker)
    if names & _BEGINNING and made:
        return _begun(resolver, made[0], [*made[1:], *given])
    if not given or not made:
        return None
    if "operator.attrgetter" in names:
        return _attributes(resolver, given[0], made[0])
    if "operator.itemgetter" in names:
        return item(resolver, given[0], made[0], Resolve.DYNAMIC)
    if "operator.methodcaller" in names and "__getattribute__" in _texts(resolver, made):
        return _attributes(resolver, given[0], made[-1])
    return None


def _begun(
    resolver: Context, reader: cst.BaseExpression, given: Sequence[cst.BaseExpression]
) -> Names | None:
    """`partial(getattr, x)("a")`, `partial(x.__getattribute__, "a")()`, the same of MethodType."""
    names = resolver.names(reader, Resolve.ALIASES)
    for name in names:
        read = _CALLS.get(name)
        if read is not None:
            return read(resolver, given)
    for name in names if given else ():
        owner, _, method = name.rpartition(".")
        if method == "__getattribute__":
            return _looked_up(resolver, owner, given)
    return None


def _attributes(resolver: Context, base: cst.BaseExpression, name: cst.BaseExpression) -> Names:
    """The attributes of something whose name is computed."""
    texts = _attribute_texts(resolver, name)
    owners = resolver.names(base, Resolve.DYNAMIC)
    found = frozenset(dotted(owner, text) for owner in owners for text in texts)
    found |= walked(begun_with(resolver, base), texts) | unseen_twice(owners, texts)
    return found.union(*(resolver.escaped.attribute(owners, text) for text in texts))


def _looked_up(resolver: Context, owner: str, given: Sequence[cst.BaseExpression]) -> Names:
    """What `__getattribute__` of an owner gives; that of a class is given the object as well.

    The name of the builtins is left out where they are called.
    """
    if len(given) > 1:
        return _attributes(resolver, given[0], given[1])
    texts = _attribute_texts(resolver, given[0])
    return frozenset(dotted(owner or "builtins", text) for text in texts)


def _attribute_texts(resolver: Context, name: cst.BaseExpression) -> Sequence[str]:
    texts = [text for text in resolver.folder.values(name) or (ANY,) if isinstance(text, str)]
    return [*texts, ANY] if resolver.folder.is_guessed(name) else texts


def _getattr(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    if len(given) < 2:  # noqa: PLR2004 - an object and a name
        return None
    found = _attributes(resolver, given[0], given[1])
    return found.union(*(resolver.names(other, Resolve.DYNAMIC) for other in given[2:]))


def _getitem(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    return item(resolver, given[0], given[1], Resolve.DYNAMIC) if len(given) > 1 else None


def _import(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    names = list(_texts(resolver, given))
    return frozenset(names) | {n.partition(".")[0] for n in names} if names else None


def _reduced(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    """`reduce(getattr, names, base)` as getattr of getattr of the base."""
    if len(given) < 2:  # noqa: PLR2004
        return None
    *_, whole = steps_of(resolver, given[0], given[2:3], given[1])
    if not isinstance(whole, cst.Call):
        return resolver.names(whole, Resolve.DYNAMIC)
    if not resolver.names(whole.func, Resolve.ALIASES) & _CALLS.keys():
        return None
    resolver.made.append(whole)
    return resolver.names(whole, Resolve.DYNAMIC)


def _next(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    parts = elements(resolver, given[0], None) if given else None
    return resolver.union(parts, Resolve.DYNAMIC) or None if parts else None


def _method_of_any(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    """`map(methodcaller("system", x), [os])`: the method of what was put away."""
    return NOTHING.union(*map(resolver.escaped.of, _texts(resolver, given))) or None


def _resolve_name(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    names = [canonical.imported(n.replace(":", ".")) for n in _texts(resolver, given)]
    return frozenset(names) if names else None


def _vars(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    if not given:
        return frozenset({"vars()"})
    bases = resolver.names(given[0], Resolve.DYNAMIC)
    found = frozenset(f"{base}.__dict__" for base in bases)
    return found | resolver.escaped.of("__dict__") if canonical.are_open(bases) else found


def _texts(resolver: Context, given: Sequence[cst.BaseExpression]) -> Iterator[str]:
    for value in (resolver.folder.values(given[0]) or ()) if given else ():
        if isinstance(value, str):
            yield value


_Reader: TypeAlias = Callable[[Context, Sequence[cst.BaseExpression]], Names | None]
_CALLS: Mapping[str, _Reader] = {
    **dict.fromkeys(_ATTRIBUTE_READERS, _getattr),
    **dict.fromkeys(_ITEM_READERS, _getitem),
    **dict.fromkeys(IMPORTERS, _import),
    "functools.reduce": _reduced,
    "inspect.getmembers": listed,
    "inspect.getmodule": module_of,
    "next": _next,
    "operator.methodcaller": _method_of_any,
    **dict.fromkeys(_NAME_RESOLVERS, _resolve_name),
    "vars": _vars,
}
_TELLING = (*_CALLS, *_WRAPPERS, *_ITEM_METHODS, *COPIES)
LOOKING_UP = frozenset(name.rpartition(".")[2] for name in _TELLING) | {"copy"}
"""The last words of what gives more, when it is called, than something of its own kind."""
