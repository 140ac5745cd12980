"""Namespaces: dicts whose keys are names, as `globals()` and `vars(x)` return, and their copies."""

from collections.abc import Iterator, Sequence

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve import canonical
from vetbox.rules.resolve.canonical import NOTHING, UNKNOWN, UNKNOWN_ROOT, Names
from vetbox.rules.resolve.context import Context

OWN = frozenset({"globals()", "locals()", "vars()"})
"""The namespaces of the program itself."""
_ENDINGS = (".__dict__", ".__globals__", ".f_globals", ".f_locals", ".__builtins__", ".f_builtins")
COPIES = frozenset(
    {"dict", "types.MappingProxyType"}
    | {f"collections.{name}" for name in ("ChainMap", "OrderedDict", "UserDict")}
)


def is_namespace(name: str) -> bool:
    return name in ("builtins", "sys.modules") or name in OWN or name.endswith(_ENDINGS)


def entries(
    resolver: Context, namespace: str, keys: Sequence[object] | None, use: cst.CSTNode
) -> Names:
    """The names that a namespace holds under the keys; `?` for a key nobody knows."""
    if not is_namespace(namespace):
        return NOTHING
    names = [key for key in keys if isinstance(key, str)] if keys else [UNKNOWN_ROOT]
    return NOTHING.union(*(_entry(resolver, namespace, name, use) for name in names))


def _entry(resolver: Context, namespace: str, key: str, use: cst.CSTNode) -> Names:
    if namespace == "sys.modules":
        return frozenset({key})
    if key == "__builtins__":
        return frozenset({"builtins"})
    if namespace in OWN:
        known = key != UNKNOWN_ROOT
        return resolver.lookup(key, resolver.tree.module, Resolve.DYNAMIC) if known else UNKNOWN
    if namespace.endswith(("globals__", "f_globals", "f_locals")):
        return frozenset({key})
    owner = namespace.removesuffix(".__dict__")
    own = frozenset({canonical.attribute(owner, key)})
    return own | resolver.escaped.of(key) if owner[:1] == "?" else own


def listed(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    """What `getmembers(x)` lists, of a module that holds what is dangerous."""
    if not given:
        return None
    bases = resolver.names(given[0], Resolve.DYNAMIC)
    found = frozenset(f"{base}.__dict__" for base in bases & canonical.CARRIED)
    if canonical.are_open(bases):
        found |= resolver.escaped.of("__dict__")
    return found or None


def module_of(resolver: Context, given: Sequence[cst.BaseExpression]) -> Names | None:
    """What `getmodule(os.getcwd)` gives."""
    names = resolver.names(given[0], Resolve.DYNAMIC) if given else NOTHING
    return frozenset(filter(None, (name.rpartition(".")[0] for name in names))) or None


# Copies ----------------------------------------------------------------------------------------


def copied(resolver: Context, node: cst.CSTNode) -> Names:
    """The namespaces of which a new dictionary has the entries: `{**vars(os)}`, `a | b`."""
    names = NOTHING.union(*(resolver.names(n, Resolve.DYNAMIC) for n in _merged(node, resolver)))
    return frozenset(filter(is_namespace, names))


def _merged(node: cst.CSTNode, resolver: Context) -> Iterator[cst.BaseExpression]:
    match node:
        case cst.Dict(elements=parts):
            yield from (part.value for part in parts if isinstance(part, cst.StarredDictElement))
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            yield from (left, right)
        case cst.Call(func=cst.Attribute(value=whole, attr=cst.Name(value="copy"))):
            yield whole
        case cst.Call(func=func, args=args) if args:
            if resolver.names(func, Resolve.DYNAMIC) & COPIES:
                yield from (arg.value for arg in args if arg.keyword is None)
