"""Namespaces: dictionaries under whose keys a program finds what has a name, and their copies."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.canonical import NOTHING, UNKNOWN, UNKNOWN_ROOT

if TYPE_CHECKING:
    from vetbox.rules.resolve.names import Resolver

Names: TypeAlias = frozenset[str]

OWN = frozenset({"globals()", "locals()", "vars()"})
"""The namespaces of the program itself."""
_ENDINGS = (".__dict__", ".__globals__", ".f_globals", ".f_locals", ".__builtins__", ".f_builtins")
COPIES = frozenset(
    {"dict", "types.MappingProxyType"}
    | {f"collections.{name}" for name in ("ChainMap", "OrderedDict", "UserDict")}
)
HOLDING = frozenset({"__builtins__", "builtins", "f_builtins"})
"""Words without which nobody gets hold of all builtins."""
_ALL_BUILTINS = frozenset({"builtins", "builtins.__dict__"})
# These take out what is asked for by name, or nothing.
_LOOKING = frozenset(
    {"getattr", "hasattr", "setattr", "delattr", "vars", "dir", "len", "id", "type", "sorted"}
    | {"print", "repr", "str", "isinstance", "issubclass", "help", "bool", "hash"}
)


def is_namespace(name: str) -> bool:
    return name in ("builtins", "sys.modules") or name in OWN or name.endswith(_ENDINGS)


def entries(
    resolver: "Resolver", namespace: str, keys: Sequence[object] | None, use: cst.CSTNode
) -> Names:
    """The names that a namespace holds under the keys; `?` for a key nobody knows."""
    if not is_namespace(namespace):
        return NOTHING
    names = [key for key in keys if isinstance(key, str)] if keys else [UNKNOWN_ROOT]
    return NOTHING.union(*(_entry(resolver, namespace, name, use) for name in names))


def _entry(resolver: "Resolver", namespace: str, key: str, use: cst.CSTNode) -> Names:
    if namespace == "sys.modules":
        return frozenset({key})
    if key == "__builtins__":
        return frozenset({"builtins"})
    if namespace in OWN:
        known = key != UNKNOWN_ROOT
        return resolver.lookup(key, resolver.tree.module, Resolve.DYNAMIC) if known else UNKNOWN
    if namespace.endswith(("globals__", "f_globals", "f_locals")):
        return frozenset({key})
    return frozenset({canonical.attribute(namespace.removesuffix(".__dict__"), key)})


# Copies ----------------------------------------------------------------------------------------


def copied(resolver: "Resolver", node: cst.CSTNode) -> Names:
    """The namespaces of which a new dictionary has the entries: `{**vars(os)}`, `a | b`."""
    names = NOTHING.union(*(resolver.names(n, Resolve.DYNAMIC) for n in _merged(node, resolver)))
    return frozenset(filter(is_namespace, names))


def _merged(node: cst.CSTNode, resolver: "Resolver") -> Iterator[cst.BaseExpression]:
    match node:
        case cst.Dict(elements=parts):
            yield from (part.value for part in parts if isinstance(part, cst.StarredDictElement))
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            yield from (left, right)
        case cst.Call(func=cst.Attribute(value=whole, attr=cst.Name(value="copy"))):
            yield whole
        case cst.Call(func=func, args=args) if args:
            if resolver.names(func, Resolve.DYNAMIC) & COPIES:
                yield from (arg.value for arg in args)


# Letting out -----------------------------------------------------------------------------------


def lets_builtins_out(resolver: "Resolver") -> bool:
    """Is every builtin handed on to where nobody follows it: `m.__dict__.update(vars(builtins))`?

    Then an attribute or a key of its name may be the builtin, whatever it is asked of.
    """
    tree = resolver.tree
    if not tree.words & HOLDING:
        return False
    asked = type(resolver)(tree)  # its answers are given before this one is known
    asked.lets_builtins_out = False
    return any(
        _is_handed_on(node, asked) and asked.names(node, Resolve.DYNAMIC) & _ALL_BUILTINS
        for node in tree.of_type(cst.Name, cst.Attribute, cst.Call, cst.Subscript)
    )


def _is_handed_on(node: cst.CSTNode, resolver: "Resolver") -> bool:
    match resolver.tree.parent(node):
        case cst.Arg(keyword=keyword) as argument if keyword is not node:
            call = resolver.tree.parent(argument)
            if not isinstance(call, cst.Call):
                return False
            if resolver.names(call.func, Resolve.DYNAMIC) & (_LOOKING | COPIES):
                return False
            own = resolver.members.definitions(call.func)
            return not own or any(_uses_parameters(one, resolver) for one in own)
        case cst.Attribute(attr=attr) as method if attr is not node:
            taken = attr.value in ("items", "values")
            return taken and isinstance(resolver.tree.parent(method), cst.Call)
        case cst.Return() | cst.Yield():
            return True
    return False


def _uses_parameters(definition: cst.CSTNode, resolver: "Resolver") -> bool:
    """May a function of the program look into what it is given? A class always may."""
    if not isinstance(definition, (cst.FunctionDef, cst.Lambda)):
        return True
    tree = resolver.tree
    stars = {p.name.value: p.star for p in tree.below(definition.params) if type(p) is cst.Param}
    return any(
        type(name) is cst.Name
        and name.value in stars
        and not (stars[name.value] and type(tree.parent(name)) is cst.Return)  # a tuple, as it is
        for name in tree.below(definition.body)
    )
