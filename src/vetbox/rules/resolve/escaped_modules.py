"""Escaped modules: those stored where they cannot be followed, so that any name may be theirs.

After `[os][:][0]`, `held["m"] = os`, `run(os)` or `m.__dict__.update(vars(builtins))` an attribute
of its name, whatever it is asked of, may be the one of the module.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.asked_errors import CARRIER, are_errors_asked
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
from vetbox.rules.resolve.namespaces import OWN
from vetbox.rules.resolve.out_of_sight import (
    OWN_VARIABLES,
    handed_on,
    held,
    is_before_dot,
    is_handed_on,
    may_name,
)
from vetbox.rules.walk import Tree, identifier, last_word, written_name

HOLDING = frozenset({"__builtins__", "builtins", "f_builtins", "getmodule"})
"""Words without which nobody gets hold of all builtins."""
WHOLE = frozenset({"__dict__", "modules"})
"""What holds all of a module, or all modules, and is asked of one."""
_OWN = OWN | {"globals"}
"""What gives the variables of the program."""
_ALL_MODULES = frozenset({"sys.modules", "sys.modules.get"})
_SETTERS = frozenset({"setattr", "__setattr__"})
_TAKEN_OUT = (cst.Subscript, cst.Call, cst.Await, cst.BinaryOperation, cst.UnaryOperation)
"""What may give a module that was put into it."""
READERS = frozenset({"getattr"})
"""They take out of a module what they are asked for, under whatever name they are called."""
_WRAPPED = frozenset({"fget", "fset", "fdel", "func", "__func__", "__wrapped__", "__value__"})
"""Attributes by which a property, method, partial or alias gives back what it was made of."""
_GIVING = frozenset({"inspect.getmodule"})
"""Calls that give the module of what they are given."""
_ANY_MEMBER = f".{UNKNOWN_ROOT}"
"""Behind the name of a module: one of those that it has imported itself, maybe."""
_ALL_BUILTINS = frozenset({"builtins", "builtins.__dict__"})
_ANY_OF_IT = frozenset({"__dict__", UNKNOWN_ROOT})
VARIABLES = frozenset({"globals", "locals", "vars", "__dict__", "__main__", "modules"})
"""Words without which variables are bound by statements alone."""
_HELD = OTHER_BUILTINS.union(*map(spellings, CARRIED))
"""What a module that others hold goes by."""


class EscapedModules:
    """The modules that escape, for one resolver; looked for when first asked about."""

    def __init__(self, resolver: Context) -> None:
        self._resolver = resolver
        self._builtins: bool | None = None
        self._modules: Names | None = None
        self._named: Mapping[str, Names] | None = None
        self._loose: Set[str] = NOTHING
        self._readers: Names | None = None
        self._asked: Names | None = None

    def of(self, name: str) -> Names:
        """The names that an attribute of an escaped module may have."""
        found = self.builtin(name)
        if name in _ANY_OF_IT and self._gives_builtins():
            found = frozenset({f"builtins.{name}"})
        modules = self._all()
        if name == UNKNOWN_ROOT:  # a computed name of what a computed name may have reached
            modules = frozenset(one for one in modules if not one.endswith(_ANY_MEMBER))
        return found.union(f"{module}.{name}" for module in modules)

    def _all(self) -> Names:
        if self._modules is None:
            self._modules = self._escaping()
        return self._modules

    def attribute(self, bases: Names, name: str) -> Names:
        """The further names of an attribute of `bases`, as these may be escaped modules.

        Of what has a name of its own it may be one that was put there.
        """
        found = self.under(name)
        if name in _WRAPPED:
            found |= bases
        if are_open(bases):
            found |= self.of(name)
            if name == CARRIER:
                found |= self._of_errors()
        is_named = bases and not any(base[:1] == UNKNOWN_ROOT for base in bases)
        if is_named and name in self._loose:
            found |= self._all()
            if self._gives_builtins():
                found |= {"builtins"}
        return found

    def under(self, name: str) -> Names:
        """The modules that were stored as an attribute of this name: os, after `x.m = os`."""
        if self._named is None:
            nothing: tuple[Mapping[str, Names], Set[str]] = ({}, NOTHING)
            any_is_put = _is_any_bare(self._resolver.tree)
            self._named, self._loose = _put_under_names(self._resolver) if any_is_put else nothing
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
            is_named = not READERS.isdisjoint(self._resolver.tree.words)
            self._readers = READERS & self._lost if is_named else NOTHING
        return self._readers

    def _of_errors(self) -> Names:
        """The modules that errors may have been asked of."""
        if self._asked is None:
            tree = self._resolver.tree
            self._asked = _imported(tree) if are_errors_asked(tree) else NOTHING
        return self._asked

    @cached_property
    def _lost(self) -> Names:
        """All that is put where it is lost, or handed on."""
        asked = self._resolver.without_escapes()
        words = _words_of_modules(asked.tree) | READERS | WHOLE
        return self._put.union(_names_of(handed_on(asked, words), asked))

    @cached_property
    def _put(self) -> Names:
        """All that is put where it is lost."""
        asked = self._resolver.without_escapes()
        return _names_of(held(asked), asked)

    def _escaping(self) -> Names:
        tree = self._resolver.tree
        return _escaping_modules(tree, self._lost, self._put) if _is_any_bare(tree) else NOTHING

    def gives_variables(self, name: str) -> bool:
        """May an unbound name be a module, as after `globals()["m"] = os`?"""
        if name in BUILTINS or self._resolver.tree.words.isdisjoint(VARIABLES):
            return False
        return bool(self._all())

    def keep_modules(self) -> None:
        """From now on answer as if no module escaped, nor what reads one."""
        self._modules, self._named = NOTHING, {}
        self._readers = self._asked = NOTHING

    def keep_all(self) -> None:
        """From now on answer as if nothing escaped."""
        self._builtins, self._modules, self._named = False, NOTHING, {}
        self._readers = self._asked = NOTHING


def _names_of(values: Iterable[cst.CSTNode], asked: Context) -> Names:
    return NOTHING.union(*(asked.names(value, Resolve.DYNAMIC) for value in values))


def _escaping_modules(tree: Tree, lost: Names, put: Names) -> Names:
    """The modules but `builtins` that are put somewhere, handed on or returned by a function.

    Of what a computed name reaches in one only what is put somewhere: calls are given levels and
    the like by such names.
    """
    imported, found = _imported(tree), lost
    if not found.isdisjoint(_OWN):
        found |= imported
    if not found.isdisjoint(_ALL_MODULES):
        texts = (one.evaluated_value for one in tree.of_type(cst.SimpleString))  # type: ignore[attr-defined]
        found |= {text for text in texts if isinstance(text, str)}
    found |= {name.removesuffix(".__dict__") for name in found}
    any_of_one = {name for name in put if name.removesuffix(_ANY_MEMBER) in imported}
    return found & (imported | CARRIED | any_of_one) - _ALL_BUILTINS


def _is_any_bare(tree: Tree) -> bool:
    """Is a module named anywhere but before a dot and in an import?"""
    named = _words_of_modules(tree)
    return not tree.words.isdisjoint(WHOLE) or any(
        identifier(name) in named and not is_before_dot(name, tree)
        for name in tree.of_type(cst.Name)
        if isinstance(name, cst.Name)
    )


def _words_of_modules(tree: Tree) -> Set[str]:
    """What a whole module goes by, and what gives the program's variables."""
    own = _HELD | OWN_VARIABLES
    aliases = [alias for one in tree.of_type(cst.Import) for alias in one.names]  # type: ignore[attr-defined]
    for one in tree.of_type(cst.ImportFrom):
        names = () if isinstance(one.names, cst.ImportStar) else one.names  # type: ignore[attr-defined]
        aliases += [alias for alias in names if last_word(alias.name) in own | READERS]
    return own | {n.value for one in aliases for n in tree.below(one) if type(n) is cst.Name}


def _imported(tree: Tree) -> Names:
    """What is imported as a whole module."""
    aliases = (a for one in tree.of_type(cst.Import) for a in one.names)  # type: ignore[attr-defined]
    return frozenset(filter(None, (written_name(alias.name) for alias in aliases)))


def _put_under_names(resolver: Context) -> tuple[Mapping[str, Names], Set[str]]:
    """By name, the modules that are stored as an attribute or key; and where any may be."""
    asked, found = resolver.without_escapes(), defaultdict[str, Names](lambda: NOTHING)
    modules, loose = _imported(resolver.tree) | CARRIED, {*_put_in_part(resolver.tree)}
    further = defaultdict[str, list[str]](list)  # by attribute those that get it: `y.n = x.m`
    for label, value in _given(resolver.tree):
        if may_name(value):
            found[label] |= asked.names(value, Resolve.DYNAMIC) & modules
    for label, value in chain(_put(resolver.tree), _set(resolver)):
        if may_name(value) or isinstance(value, _TAKEN_OUT):
            names = asked.names(value, Resolve.DYNAMIC)
            found[label] |= names & modules
            if are_open(names):
                loose.add(label)
            elif isinstance(value, cst.Attribute):
                further[identifier(value.attr)].append(label)
    return found, loose | _reached({*loose, *filter(found.get, found)}, further)


def _reached(names: Set[str], further: Mapping[str, Sequence[str]]) -> Set[str]:
    """What some names lead to, step by step."""
    reached: set[str] = set()
    waiting = [*names]
    while waiting:
        new = {*further.get(waiting.pop(), ())} - reached
        reached |= new
        waiting += new
    return reached


def _given(tree: Tree) -> Iterator[tuple[str, cst.BaseExpression]]:
    """By name what a dict has and a call is given: most of it is there to be looked at."""
    for holder in tree.of_type(cst.DictElement, cst.Arg):
        for label in _labels(holder):
            yield label, holder.value  # type: ignore[attr-defined]


def _put(tree: Tree) -> Iterator[tuple[str, cst.BaseExpression]]:
    """By name what is assigned to an attribute or a key."""
    for holder in tree.of_type(cst.Assign, cst.AnnAssign):
        for label in _labels(holder):
            if holder.value is not None:  # type: ignore[attr-defined]
                yield label, holder.value  # type: ignore[attr-defined]


def _set(resolver: Context) -> Iterator[tuple[str, cst.BaseExpression]]:
    """By name what `setattr(x, "m", os)` puts into an object."""
    sets = not _SETTERS.isdisjoint(resolver.tree.words)
    for call in resolver.tree.of_type(cst.Call) if sets else ():
        match call:
            case cst.Call(args=[*_, key, value]) if last_word(call.func) in _SETTERS:
                for name in resolver.folder.values(key.value) or ():
                    if isinstance(name, str):
                        yield name, value.value


def _put_in_part(tree: Tree) -> Iterator[str]:
    """The attributes that get some part of a value: `x.m, y = os, 1`, `for x.m in [os]`."""
    for node in tree.of_type(cst.AssignTarget, cst.For, cst.CompFor, cst.AsName):
        target = node.name if isinstance(node, cst.AsName) else node.target  # type: ignore[attr-defined]
        if not isinstance(node, cst.AssignTarget) or isinstance(target, (cst.Tuple, cst.List)):
            parts = (one for one in (target, *tree.below(target)) if isinstance(one, cst.Attribute))
            yield from (identifier(one.attr) for one in parts)


def _labels(holder: cst.CSTNode) -> Iterator[str]:
    match holder:
        case cst.Assign(targets=targets):
            for one in targets:
                if isinstance(one.target, cst.Attribute):
                    yield identifier(one.target.attr)
                elif isinstance(one.target, cst.Subscript):
                    yield from _keys(one.target)
        case cst.AnnAssign(target=cst.Attribute(attr=name)) | cst.Arg(keyword=cst.Name() as name):
            yield identifier(name)
        case cst.DictElement(key=cst.SimpleString() as key):
            yield from _texts(key)


def _keys(target: cst.Subscript) -> Iterator[str]:
    for one in target.slice:
        if isinstance(one.slice, cst.Index) and isinstance(one.slice.value, cst.SimpleString):
            yield from _texts(one.slice.value)


def _texts(key: cst.SimpleString) -> Iterator[str]:
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
        asked.names(value, Resolve.DYNAMIC) & _ALL_BUILTINS for value in held(resolver)
    ) or any(
        is_handed_on(node, asked) and asked.names(node, Resolve.DYNAMIC) & _ALL_BUILTINS
        for node in tree.of_type(cst.Name, cst.Attribute, cst.Call, cst.Subscript)
    )
