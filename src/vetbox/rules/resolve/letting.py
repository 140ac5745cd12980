"""Letting out: modules put to where nobody follows them, so that anything may be of one of them.

After `[os][:][0]`, `held["m"] = os` or `m.__dict__.update(vars(builtins))` an attribute of its
name, whatever it is asked of, may be the one of the module.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.canonical import (
    BUILTINS,
    CARRIED,
    NOTHING,
    OTHER_BUILTINS,
    spellings,
)
from vetbox.rules.resolve.namespaces import COPIES
from vetbox.rules.walk import Tree, identifier, written_name

if TYPE_CHECKING:
    from vetbox.rules.resolve.names import Resolver

Names: TypeAlias = frozenset[str]

HOLDING = frozenset({"__builtins__", "builtins", "f_builtins", "getmodule"})
"""Words without which nobody gets hold of all builtins."""
_GIVING = frozenset({"inspect.getmodule"})
"""Calls that give the module of what they are given."""
_ALL_BUILTINS = frozenset({"builtins", "builtins.__dict__"})
# These take out what is asked for by name, or nothing.
_LOOKING = frozenset(
    {"getattr", "hasattr", "setattr", "delattr", "vars", "dir", "len", "id", "type", "sorted"}
    | {"print", "repr", "str", "isinstance", "issubclass", "help", "bool", "hash"}
)
_GIVING_A_NAME = (cst.Assign, cst.AnnAssign)
VARIABLES = frozenset({"globals", "locals", "vars", "__dict__", "__main__", "modules"})
"""Words without which variables are bound by statements alone."""
_HELD = OTHER_BUILTINS.union(*map(spellings, CARRIED))
"""What a module that others hold goes by."""
_NAMING = frozenset({cst.Name, cst.Attribute, cst.IfExp, cst.BooleanOperation, cst.NamedExpr})
_HOLDERS = (
    *(cst.Element, cst.DictElement, cst.Return, cst.Yield, cst.Lambda, cst.Assign),
    *(cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp, cst.Annotation),
    *(cst.AnnAssign, cst.Param, cst.ClassDef),
)


class Letting:
    """Answers for one resolver; what is let out is looked for when it is first asked for."""

    def __init__(self, resolver: "Resolver") -> None:
        self._resolver = resolver
        self._builtins: bool | None = None
        self._modules: Names | None = None

    def of(self, name: str) -> Names:
        """What an attribute may be of all that is let out."""
        if self._modules is None:
            self._modules = modules_let_out(self._resolver)
        if not self._modules:
            return self.builtin(name)
        return self.builtin(name).union(f"{module}.{name}" for module in self._modules)

    def builtin(self, name: str) -> Names:
        """The builtin that a key or an attribute may be where all builtins are handed on."""
        if name not in BUILTINS:
            return NOTHING
        if self._builtins is None:
            self._builtins = lets_builtins_out(self._resolver)
        return frozenset({name}) if self._builtins else NOTHING

    def gives_variables(self, name: str) -> bool:
        """May a name that nobody binds be a module, as after `globals()["m"] = os`?"""
        if name in BUILTINS or self._resolver.tree.words.isdisjoint(VARIABLES):
            return False
        if self._modules is None:
            self._modules = modules_let_out(self._resolver)
        return bool(self._modules)

    def keep_modules(self) -> None:
        """Answer as if every module were followed."""
        self._modules = NOTHING

    def keep_all(self) -> None:
        """Answer as if everything were followed."""
        self._builtins, self._modules = False, NOTHING


def modules_let_out(resolver: "Resolver") -> Names:
    """The modules that are put into a container, or given by a function, other than `builtins`."""
    asked: Resolver | None = None
    found = NOTHING
    for value in _held(resolver) if _is_any_bare(resolver.tree) else ():
        if asked is None:
            asked = _plainly(resolver)
        found |= asked.names(value, Resolve.DYNAMIC)
    if not found:
        return NOTHING
    return found & (_imported(resolver.tree) | CARRIED) - _ALL_BUILTINS


def _is_any_bare(tree: Tree) -> bool:
    """Is a module named anywhere but before a dot and in an import?"""
    named = _HELD | {
        name.value
        for alias in tree.of_type(cst.ImportAlias)
        for name in tree.below(alias)
        if isinstance(name, cst.Name)
    }
    return any(
        identifier(name) in named and not _is_before_dot(name, tree)
        for name in tree.of_type(cst.Name)
        if isinstance(name, cst.Name)
    )


def _is_before_dot(name: cst.Name, tree: Tree) -> bool:
    above = tree.parent(name)
    if isinstance(above, cst.Attribute):
        if above.value is name:
            return True
        outer = tree.parent(above)  # of `a.os` the whole counts
        return isinstance(outer, cst.ImportAlias) or (
            isinstance(outer, cst.Attribute) and outer.value is above
        )
    return isinstance(above, (cst.ImportAlias, cst.AsName, cst.ImportFrom))


def _imported(tree: Tree) -> Names:
    """What is imported as a whole module."""
    aliases = (a for one in tree.of_type(cst.Import) for a in one.names)  # type: ignore[attr-defined]
    return frozenset(filter(None, (written_name(alias.name) for alias in aliases)))


def _plainly(resolver: "Resolver") -> "Resolver":
    """One whose answers are given before it is known what is let out."""
    asked = resolver.__class__(resolver.tree)  # the type of a proxy is another
    asked.letting.keep_all()
    return asked


def _held(resolver: "Resolver") -> Iterator[cst.CSTNode]:
    """The named values that are put where the resolver may lose them."""
    for holder in resolver.tree.of_type(*_HOLDERS):
        yield from filter(_may_name, _values(holder))


def _may_name(value: cst.CSTNode | None) -> bool:
    """May it be a module: by its name, or as what a module holds?"""
    return type(value) in _NAMING or _is_getting(value)


def _is_getting(value: cst.CSTNode | None) -> bool:
    """Is it `getattr()` of something named?"""
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Name):
        return False
    is_plain = bool(value.args) and type(value.args[0].value) in (cst.Name, cst.Attribute)
    return is_plain and identifier(value.func) == "getattr"


def _values(holder: cst.CSTNode) -> Sequence[cst.CSTNode | None]:
    match holder:
        case cst.DictElement(key=key, value=value) | cst.DictComp(key=key, value=value):
            return (key, value)
        case cst.Assign(targets=targets, value=value):
            plain = all(type(one.target) is cst.Name for one in targets)
            return () if plain else (value,)
        case cst.AnnAssign(target=target, value=value):
            return () if type(target) is cst.Name else (value,)
        case cst.Param(default=value):
            return (value,)
        case cst.ClassDef(body=body):
            kinds = (cst.SimpleStatementLine, cst.SimpleStatementSuite)
            lines = (line.body for line in (body, *body.body) if isinstance(line, kinds))
            return [s.value for line in lines for s in line if isinstance(s, _GIVING_A_NAME)]
        case cst.Lambda(body=value) | cst.ListComp(elt=value) | cst.SetComp(elt=value):
            return (value,)
        case cst.GeneratorExp(elt=value) | cst.Annotation(annotation=value):
            return (value,)
    return (holder.value,)  # type: ignore[attr-defined]


def lets_builtins_out(resolver: "Resolver") -> bool:
    """Is every builtin handed on like that, all at once?"""
    tree = resolver.tree
    if not tree.words & HOLDING:
        return False
    asked = _plainly(resolver)
    if "getmodule" in tree.words and any(
        asked.names(call.func, Resolve.DYNAMIC) & _GIVING  # type: ignore[attr-defined]
        for call in tree.of_type(cst.Call)
    ):
        return True
    return any(
        asked.names(value, Resolve.DYNAMIC) & _ALL_BUILTINS for value in _held(resolver)
    ) or any(
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
