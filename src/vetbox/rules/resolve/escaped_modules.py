"""Escaped modules: those stored where they cannot be followed, so that any name may be theirs.

After `[os][:][0]`, `held["m"] = os`, `run(os)` or `m.__dict__.update(vars(builtins))` an attribute
of its name, whatever it is asked of, may be the one of the module.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.canonical import (
    BUILTINS,
    CARRIED,
    NOTHING,
    OTHER_BUILTINS,
    UNKNOWN_ROOT,
    Names,
    are_open,
    spellings,
)
from vetbox.rules.resolve.context import Context
from vetbox.rules.resolve.namespaces import COPIES, OWN
from vetbox.rules.walk import Tree, identifier, written_name

HOLDING = frozenset({"__builtins__", "builtins", "f_builtins", "getmodule"})
"""Words without which nobody gets hold of all builtins."""
OWN_VARIABLES = frozenset({"globals", "locals", "vars"})
"""Functions that give the variables of the program, and so the modules among them."""
_OWN = OWN | {"globals"}
READERS = frozenset({"getattr"})
"""They take out of a module what they are asked for, under whatever name they are called."""
_GIVING = frozenset({"inspect.getmodule"})
"""Calls that give the module of what they are given."""
_ALL_BUILTINS = frozenset({"builtins", "builtins.__dict__"})
_ANY_OF_IT = frozenset({"__dict__", UNKNOWN_ROOT})
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
    *(cst.AnnAssign, cst.AugAssign, cst.Param, cst.ClassDef),
)


class EscapedModules:
    """The modules that escape, for one resolver; looked for when first asked about."""

    def __init__(self, resolver: Context) -> None:
        self._resolver = resolver
        self._builtins: bool | None = None
        self._modules: Names | None = None
        self._named: Mapping[str, Names] | None = None
        self._readers: Names | None = None

    def of(self, name: str) -> Names:
        """The names that an attribute of an escaped module may have."""
        if self._modules is None:
            self._modules = escaping_modules(self._resolver)
        found = self.builtin(name)
        if name in _ANY_OF_IT and self._gives_builtins():
            found = frozenset({f"builtins.{name}"})
        return found.union(f"{module}.{name}" for module in self._modules)

    def attribute(self, bases: Names, name: str) -> Names:
        """The further names of an attribute of `bases`, as these may be escaped modules."""
        return self.under(name) | self.of(name) if are_open(bases) else self.under(name)

    def under(self, name: str) -> Names:
        """The modules that were stored as an attribute of this name: os, after `x.m = os`."""
        if self._named is None:
            any_is_put = _is_any_bare(self._resolver.tree)
            self._named = _put_under_names(self._resolver) if any_is_put else {}
        return self._named.get(name, NOTHING)

    def builtin(self, name: str) -> Names:
        """The builtin that a key or attribute may be, where the builtins escape as a whole."""
        return frozenset({name}) if name in BUILTINS and self._gives_builtins() else NOTHING

    def _gives_builtins(self) -> bool:
        if self._builtins is None:
            self._builtins = builtins_escape(self._resolver)
        return self._builtins

    def readers(self) -> Names:
        """`getattr`, where it is handed on: whoever gets it may call it by another name."""
        if self._readers is None:
            self._readers = NOTHING
            if not READERS.isdisjoint(self._resolver.tree.words):
                asked = self._resolver.without_escapes()
                self._readers = READERS & _out_of_sight(asked)
        return self._readers

    def gives_variables(self, name: str) -> bool:
        """May an unbound name be a module, as after `globals()["m"] = os`?"""
        if name in BUILTINS or self._resolver.tree.words.isdisjoint(VARIABLES):
            return False
        if self._modules is None:
            self._modules = escaping_modules(self._resolver)
        return bool(self._modules)

    def keep_modules(self) -> None:
        """From now on answer as if no module escaped."""
        self._modules, self._named = NOTHING, {}

    def keep_all(self) -> None:
        """From now on answer as if nothing escaped."""
        self._builtins, self._modules, self._named = False, NOTHING, {}
        self._readers = NOTHING


def escaping_modules(resolver: Context) -> Names:
    """The modules but `builtins` that are put somewhere, handed on or returned by a function."""
    if not _is_any_bare(resolver.tree):
        return NOTHING
    imported, found = _imported(resolver.tree), _out_of_sight(resolver.without_escapes())
    if not found.isdisjoint(_OWN):
        found |= imported
    return found & (imported | CARRIED) - _ALL_BUILTINS


def _out_of_sight(asked: Context) -> Names:
    """All that is put where it is lost, or handed on."""
    lost = chain(_held(asked), _handed_on(asked))
    return NOTHING.union(*(asked.names(value, Resolve.DYNAMIC) for value in lost))


def _is_any_bare(tree: Tree) -> bool:
    """Is a module named anywhere but before a dot and in an import?"""
    named = (
        _HELD
        | OWN_VARIABLES
        | {
            name.value
            for alias in tree.of_type(cst.ImportAlias)
            for name in tree.below(alias)
            if isinstance(name, cst.Name)
        }
    )
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


def _held(resolver: Context) -> Iterator[cst.CSTNode]:
    """The named values that are stored where the resolver may lose them."""
    for holder in resolver.tree.of_type(*_HOLDERS):
        yield from (one for one in _values(holder) if one is not None and _counts(one, resolver))


def _handed_on(resolver: Context) -> Iterator[cst.CSTNode]:
    """The named values that a call is given, and may keep or look into."""
    for argument in resolver.tree.of_type(cst.Arg):
        value = argument.value  # type: ignore[attr-defined]
        if _counts(value, resolver) and _is_handed_on(value, resolver):
            yield value


def _counts(value: cst.CSTNode | None, resolver: Context) -> bool:
    return _may_name(value) or _gives_own(value, resolver)


def _may_name(value: cst.CSTNode | None) -> bool:
    """May it be a module: by its name, or as what a module holds?"""
    return type(value) in _NAMING or _is_getting(value)


def _is_getting(value: cst.CSTNode | None) -> bool:
    """Is it `getattr()` of something named?"""
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Name):
        return False
    is_plain = bool(value.args) and type(value.args[0].value) in (cst.Name, cst.Attribute)
    return is_plain and identifier(value.func) == "getattr"


def _gives_own(value: cst.CSTNode | None, resolver: Context) -> bool:
    """Is it `globals()`, or `locals()` or `vars()` of the module?"""
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Name) or value.args:
        return False
    called = identifier(value.func)
    is_module = resolver.scopes.of(value).outer is None
    return called == "globals" or (is_module and called in OWN_VARIABLES)


def _values(holder: cst.CSTNode) -> Sequence[cst.CSTNode | None]:
    match holder:
        case cst.DictElement(key=key, value=value) | cst.DictComp(key=key, value=value):
            return (key, value)
        case cst.Assign(targets=targets, value=value):
            plain = all(type(one.target) is cst.Name for one in targets)
            keys = (key for one in targets for key in _keys(one.target))
            return () if plain else (value, *keys)
        case cst.AugAssign(target=target, value=value):
            return (value, *_keys(target))
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


def _keys(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The keys of subscripts that are assigned to: os of `held[os] = 1`."""
    if isinstance(target, cst.Subscript):
        yield from (one.slice.value for one in target.slice if isinstance(one.slice, cst.Index))


def _put_under_names(resolver: Context) -> Mapping[str, Names]:
    """By name, the modules that are stored under it as an attribute or key."""
    asked, found = resolver.without_escapes(), defaultdict[str, Names](lambda: NOTHING)
    modules = _imported(resolver.tree) | CARRIED
    for holder in resolver.tree.of_type(cst.Assign, cst.AnnAssign, cst.DictElement, cst.Arg):
        labels = [*_labels(holder)]
        if labels and _may_name(holder.value):  # type: ignore[attr-defined]
            held = asked.names(holder.value, Resolve.DYNAMIC) & modules  # type: ignore[attr-defined]
            for label in labels:
                found[label] |= held
    return found


def _labels(holder: cst.CSTNode) -> Iterator[str]:
    match holder:
        case cst.Assign(targets=targets):
            for one in targets:
                if isinstance(one.target, cst.Attribute):
                    yield identifier(one.target.attr)
        case cst.AnnAssign(target=cst.Attribute(attr=name)) | cst.Arg(keyword=cst.Name() as name):
            yield identifier(name)
        case cst.DictElement(key=cst.SimpleString() as key):
            text = key.evaluated_value
            if isinstance(text, str):
                yield text


def builtins_escape(resolver: Context) -> bool:
    """Do the builtins escape as a whole, as `vars(builtins)` or `__builtins__`?"""
    tree = resolver.tree
    if not tree.words & HOLDING:
        return False
    asked = resolver.without_escapes()
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


def _is_handed_on(node: cst.CSTNode, resolver: Context) -> bool:
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


def _uses_parameters(definition: cst.CSTNode, resolver: Context) -> bool:
    """May a function use its parameters? A class always may."""
    if not isinstance(definition, (cst.FunctionDef, cst.Lambda)):
        return True
    tree = resolver.tree
    stars = {p.name.value: p.star for p in tree.below(definition.params) if type(p) is cst.Param}
    return any(
        type(name) is cst.Name
        and name.value in stars
        and not (stars[name.value] and type(tree.parent(name)) is cst.Return)  # a tuple, as it is
        for name in (definition.body, *tree.below(definition.body))
    )
