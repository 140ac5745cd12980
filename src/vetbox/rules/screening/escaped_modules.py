"""Escaped modules: those that a tree stores where the resolver may lose sight of them.

After `[os][:][0]` an attribute of `os` may be asked of anything (see resolve.escaped_modules).
"""

import ast
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from itertools import chain

from vetbox.code.nodes import children_of, nodes_of
from vetbox.rules.resolve.canonical import CARRIED, OTHER_BUILTINS, spellings
from vetbox.rules.resolve.escaped_modules import WHOLE
from vetbox.rules.resolve.out_of_sight import OWN_VARIABLES
from vetbox.rules.screening.endings import Endings
from vetbox.rules.screening.leads import Leads
from vetbox.rules.screening.spelling import Spelt
from vetbox.rules.screening.words import WORD
from vetbox.rules.sifting.assignments import defaults

_PARAMETERS = ("TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple")  # since 3.12
_HOLDERS = frozenset(
    {getattr(ast, name) for name in _PARAMETERS if hasattr(ast, name)}
    | {ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Return, ast.Yield, ast.Lambda, ast.Assign}
    | {ast.AugAssign, ast.keyword}
    | {ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.AnnAssign}
    | {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arguments}
    | {ast.BinOp, ast.Compare, ast.UnaryOp, ast.Subscript}
)
_HELD = OTHER_BUILTINS.union(*map(spellings, CARRIED))
"""What a module that others hold goes by."""
_OF_MODULES = OWN_VARIABLES | {"modules"}
"""What gives modules by their names."""
_ITEMS = frozenset({"items", "values"})
_NONE: frozenset[str] = frozenset()


class EscapedModules:
    """The modules that escape in one tree; their words are all parts of their dotted names."""

    def __init__(self, leads: Leads) -> None:
        self._leads = leads

    def has(self, words: Set[str]) -> bool:
        """Is one of the words a module that escapes?"""
        return not words.isdisjoint(self._words)

    @property
    def is_any(self) -> bool:
        """Is there such a module at all?"""
        return bool(self._words)

    def gives(self, wanted: Spelt) -> bool:
        """May one of the names be of such a module? One word of its own is the attribute's."""
        words = self._words
        return bool(words) and any(
            len(one.words - words) <= 1 for one in wanted if len(one.words) > 1
        )

    @cached_property
    def _words(self) -> frozenset[str]:
        if not self._is_any_bare:
            return _NONE
        held = [*chain.from_iterable(map(_put_by, self._leads.words.of(_HOLDERS)))]
        held += self._handed
        found = set(chain.from_iterable(map(self._lasts_behind, held)))
        carried = CARRIED | self.modules
        return carried & found if found.isdisjoint(_OF_MODULES) else frozenset(carried)

    @property
    def _handed(self) -> Iterator[ast.AST]:
        """What calls are given that may have the name of a module; most is given nothing itself."""
        may_lead = self._named | self._leads.words.given.keys()
        for call in self._leads.words.by_kind.get(ast.Call, ()):
            for one in call.args:
                if one.__class__ is not ast.Constant and (
                    one.__class__ is not ast.Name or one.id in may_lead
                ):
                    yield one
        for word in _ITEMS:
            yield from self._leads.words.members.get(word, ())

    @property
    def _is_any_bare(self) -> bool:
        """Is a module named anywhere but before a dot?"""
        words, named = self._leads.words, self._named
        owners = (of for word, of in words.members.items() if word not in _ITEMS)
        before = {id(owner) for of in owners for owner in of}
        for one in words.by_kind.get(ast.Subscript, ()):
            called = one.value.func if isinstance(one.value, ast.Call) else one.value
            before.add(id(called))
        names, attributes = words.by_kind.get(ast.Name, ()), words.by_kind.get(ast.Attribute, ())
        return any(one.id in named and id(one) not in before for one in names) or any(
            one.attr in named and id(one) not in before for one in attributes
        )

    @cached_property
    def _named(self) -> Set[str]:
        return _HELD | OWN_VARIABLES | WHOLE | self.modules

    @cached_property
    def modules(self) -> Set[str]:
        """The words that imports bring, and that stand for them."""
        kinds = self._leads.words.by_kind
        whole = [alias for one in kinds.get(ast.Import, ()) for alias in one.names]
        part = [alias for one in kinds.get(ast.ImportFrom, ()) for alias in one.names]
        part = [alias for alias in part if alias.name in _HELD]
        words = {word for alias in (*whole, *part) for word in WORD.findall(alias.name)}
        return words | {alias.asname for alias in (*whole, *part) if alias.asname}

    @cached_property
    def _endings(self) -> Endings:
        return Endings(self._leads)

    def _lasts_behind(self, value: ast.AST) -> Set[str]:
        """The last words of what is put somewhere, if it has a name."""
        match value:
            case ast.Attribute(value=of, attr="__dict__"):
                return self._lasts_behind(of)
            case ast.Attribute(value=of, attr="get"):
                return self._lasts_behind(of) & _OF_MODULES
            case ast.Name() | ast.Attribute():
                ends = self._endings.of(value)
                return self._leads.led_to(value) - {"modules"} if ends is None else ends
            case ast.IfExp(body=one, orelse=other):
                return self._lasts_behind(one) | self._lasts_behind(other)
            case ast.BoolOp(values=parts):
                return _NONE | set(chain.from_iterable(map(self._lasts_behind, parts)))
            case ast.NamedExpr(value=inner):
                return self._lasts_behind(inner)
            case ast.Call(func=ast.Name(id="getattr"), args=[of, _, *others]):
                otherwise = chain.from_iterable(map(self._lasts_behind, others))
                return self._lasts_of_attribute(of) | set(otherwise)
            case ast.Call(func=ast.Name("vars" | "dict"), args=[of, *_]):
                return self._lasts_behind(of)
            case ast.Call(func=called, args=[]):
                return self._lasts_behind(called) & OWN_VARIABLES
        return _NONE

    def _lasts_of_attribute(self, of: ast.AST) -> Set[str]:
        """What `getattr(module, name)` gives: any that it holds."""
        modules = self._lasts_behind(of) & (CARRIED | self.modules)
        return modules | CARRIED if modules else _NONE


def _put_by(holder: ast.AST) -> Sequence[ast.AST]:
    """What is put where nobody may follow it."""
    match holder:
        case ast.Assign(targets=targets, value=value):
            if all(isinstance(target, ast.Name) for target in targets):
                return ()
            return (value, *(one.slice for one in targets if isinstance(one, ast.Subscript)))
        case ast.AugAssign(target=target, value=value):
            return (value, target.slice) if isinstance(target, ast.Subscript) else (value,)
        case ast.AnnAssign(target=target, annotation=said, value=value):
            return (said,) if value is None or isinstance(target, ast.Name) else (said, value)
        case ast.arguments():
            own = [one.annotation for one in nodes_of(holder) if isinstance(one, ast.arg)]
            return [one for one in (*own, *(v for _, v in defaults(holder))) if one is not None]
        case ast.ClassDef(body=body):
            given = (s.value for s in body if isinstance(s, (ast.Assign, ast.AnnAssign)))
            return [value for value in given if value is not None]
        case ast.Subscript(slice=key):
            return (key,)
        case ast.FunctionDef(returns=said) | ast.AsyncFunctionDef(returns=said):
            return () if said is None else (said,)
    return children_of(holder)
