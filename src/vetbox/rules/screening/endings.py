"""Last words: those of all names that an expression may have, where that is certain.

Follows the resolver step by step through what is plain. What looks names up, hands them on, or is
not read here may end with anything.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from vetbox.rules.screening.leads import Leads
from vetbox.rules.screening.words import HOLDERS, IMPORTERS, LOOKUPS, WORD, unhidden

Ends: TypeAlias = frozenset[str] | None
"""None: any word."""
_NOTHING: frozenset[str] = frozenset()
_DEPTH = 8
_COPYING = frozenset({"dict", "MappingProxyType", "ChainMap", "OrderedDict", "UserDict"})
"""Calls that give a namespace again if they are given one."""
_COLLECTING = _COPYING | {"list", "tuple", "set", "iter", "sorted", "reversed", "frozenset"}
"""Calls that give a container: what is in it is no name of theirs."""
_DICT = frozenset({"dict"})
_PASSING = (
    (LOOKUPS - {"delattr", "hasattr", "setattr"})
    | _COLLECTING
    | {"partial", "partialmethod", "cache", "lru_cache", "staticmethod", "classmethod", "property"}
    | {"nullcontext", "closing", "copy", "deepcopy", "cast", "reduce", "map", "call"}
    | {"get", "next", "pop", "setdefault", "__getitem__", "getitem", "getattr_static"}
    | {"values", "items"}
    | {"joinpath", "resolve", "absolute", "expanduser", "with_name", "with_suffix", "with_stem"}
    | {"relative_to", "home", "cwd", "rename", "replace"}
    | {"_gcd_import"}
)
"""Calls that may give what they are given, or what it holds."""
_SPACES = (LOOKUPS - {"delattr", "hasattr", "setattr"}) | {"__globals__", "builtins", "f_locals"}
_ALL_BUILTINS = frozenset({"__builtins__", "builtins", "f_builtins"})
_OTHERS = HOLDERS | {"__builtins__", "__call__"}
"""Names and attributes that are something of another name."""
_OWN = frozenset({"globals", "locals", "vars"})
_MODULES = frozenset({"modules"})
_READING = frozenset({"getattr", "getattr_static"})
_IMPORTING = IMPORTERS | {"import"}  # as it is without underscores
_KEYED = 2  # what is read, and what it is called
_VALUES = (
    *(ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Compare, ast.UnaryOp),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda),
)
"""What has no name of its own."""


class Endings:
    """Answers for one tree; `spelt` are all texts that may be a key, if that is known."""

    def __init__(self, leads: Leads, spelt: frozenset[str] | None = None) -> None:
        self._leads = leads
        self._words = leads.words
        self._spelt = spelt
        self._known: dict[ast.AST, Ends] = {}
        self._by_word: dict[str, Ends] = {}
        self._by_attribute: dict[str, Ends] = {}

    def of(self, node: ast.expr) -> Ends:
        """The words; a text that may be one counts as it is written, and without underscores."""
        if isinstance(node, ast.Attribute):
            return self._attribute(node, _DEPTH)
        if isinstance(node, ast.Name) and node.id in self._by_word:
            return self._by_word[node.id]
        if node not in self._known:
            self._known[node] = self._of(node, _DEPTH)
        return self._known[node]

    def _of(self, node: ast.AST | str, depth: int) -> Ends:
        self._leads.spend(1)
        read = _READERS.get(node.__class__)
        if read is not None:
            return read(self, node, depth - 1) if depth else None
        if isinstance(node, str):
            words = frozenset(unhidden({*WORD.findall(node)}))
            return words if words.isdisjoint(HOLDERS) else None
        if isinstance(node, ast.Constant):
            return frozenset((repr(node.value),))
        return _NOTHING if isinstance(node, _VALUES) else None

    def _all(self, nodes: Iterable[ast.AST | str], depth: int) -> Ends:
        found = _NOTHING
        for node in nodes:
            ends = self._of(node, depth)
            if ends is None:
                return None
            found |= ends
        return found

    def _name(self, node: ast.Name, depth: int) -> Ends:
        if node.id in self._by_word:
            return self._by_word[node.id]
        known = self._word(node.id, depth)
        if known is not None or depth + 1 == _DEPTH:  # what was cut short may be told from nearer
            self._by_word[node.id] = known
        return known

    def _attribute(self, node: ast.Attribute, depth: int) -> Ends:
        word = node.attr
        if word not in self._by_attribute:
            words = self._words
            given = words.given.get(word)
            self._by_attribute[word] = _own(word)  # what a cycle sees
            if word in _OTHERS or (given and word in words.in_classes):
                self._by_attribute[word] = None
            elif given and word in self._put:
                self._by_attribute[word] = self._word(word, depth) or _own(word)
        return self._by_attribute[word]

    @cached_property
    def _put(self) -> frozenset[str]:
        """The attributes of what is no `self` that statements give a value: `x.m = os`."""
        attributes = self._words.by_kind.get(ast.Attribute, ())
        put = (one for one in attributes if type(one.ctx) is ast.Store)
        return frozenset(one.attr for one in put if not _is_self(one.value))

    def _word(self, word: str, depth: int) -> Ends:
        words = self._words
        if word in _OTHERS or word in words.loose or words.stars:
            return None
        own = _own(word)
        if not words.given.get(word):
            return own
        whole = self._all((one for one in self._given(word) if not _is_name(one, word)), depth)
        parts = self._elements_of(words.in_part.get(word, ()), depth)
        return None if whole is None or parts is None else own | whole | parts

    def _given(self, word: str) -> Iterable[ast.AST | str]:
        """What a word is given as a whole: `(a, b) = a = x` gives it both."""
        given, in_part = self._words.given.get(word, ()), self._words.in_part.get(word)
        return _without(given, (one for one, _ in in_part)) if in_part else given

    def _subscript(self, node: ast.Subscript, depth: int) -> Ends:
        """An element, or what a namespace has under a name."""
        if isinstance(node.slice, ast.Slice):
            return _NOTHING
        if self._spelt is None or isinstance(node.slice, ast.Tuple):
            return None
        if isinstance(node.value, ast.Attribute) and self._of(node.value, depth) == _MODULES:
            return self._spelt  # as it is written, whatever the module may be
        if self._is_odd:
            return None
        held = self._elements(node.value, depth)
        if held is None or self._leads.leads_to(_OWN, node.value):
            return None
        return held | self._spelt | {"?"} if self._leads.leads_to(_SPACES, node.value) else held

    @cached_property
    def _is_odd(self) -> bool:
        """May a key give what has another name: a builtin, or what it is asked of itself?"""
        words = self._words
        own = any(word[:2] == "__" for word in words.labels)
        return own or not _ALL_BUILTINS.isdisjoint(words.names)

    def _call(self, node: ast.Call, depth: int) -> Ends:
        """What is called, which its result is named after, or what a text is the name of."""
        if not self._is_outside(node.func):
            return None
        ends = self._of(node.func, depth)
        if ends is None:
            return None
        made = _made(ends)
        if ends.isdisjoint(_PASSING):
            return made
        if ends <= _COLLECTING and not self._copies_space(node, ends):
            return made
        if self._spelt is None or self._is_odd:
            return None
        if ends <= _IMPORTING:
            return made | self._spelt
        return self._read(node, made, depth) if ends <= _READING else None

    def _copies_space(self, node: ast.Call, ends: frozenset[str]) -> bool:
        """May a container be a namespace again? `dict(a=x)` is no more than `{"a": x}`."""
        if ends.isdisjoint(_COPYING):
            return False
        if ends == _DICT and not node.args and all(keyword.arg for keyword in node.keywords):
            return False
        return self._leads.leads_to(_SPACES, node)

    def _read(self, node: ast.Call, made: frozenset[str], depth: int) -> Ends:
        """What `getattr(x, key, other)` gives: something called as a text, or the other."""
        starred = any(isinstance(one, ast.Starred) for one in node.args)
        if starred or node.keywords or len(node.args) < _KEYED:
            return None
        others = self._all(node.args[_KEYED:], depth)
        if others is None or self._spelt is None:
            return None
        return made | others | self._spelt | {"?"}

    def _is_outside(self, callee: ast.expr) -> bool:
        """Is it no function of the program's own?"""
        if isinstance(callee, ast.Name):
            given = self._words.given.get(callee.id)
            return not given or all(isinstance(one, str) for one in given)
        return isinstance(callee, ast.Attribute)

    def _definition(self, node: ast.AST, depth: int) -> Ends:
        return _NOTHING

    def _sum(self, node: ast.BinOp, depth: int) -> Ends:
        match node.op:
            case ast.Div():
                return self._of(node.left, depth)
            case ast.BitOr():
                return None
        return _NOTHING

    def _dict(self, node: ast.Dict, depth: int) -> Ends:
        return None if None in node.keys else _NOTHING

    def _choice(self, node: ast.IfExp, depth: int) -> Ends:
        return self._all((node.body, node.orelse), depth)

    def _either(self, node: ast.BoolOp, depth: int) -> Ends:
        return self._all(node.values, depth)

    def _value(self, node: ast.NamedExpr | ast.Await, depth: int) -> Ends:
        return self._of(node.value, depth)

    # What is in a container -------------------------------------------------------------------

    def _elements_of(self, nodes: Iterable[tuple[ast.AST, int]], depth: int) -> Ends:
        """What is in the nodes, or so many levels below that."""
        found = _NOTHING
        for node, levels in nodes:
            ends = self._elements(node, depth, levels)
            if ends is None:
                return None
            found |= ends
        return found

    def _parts(self, parts: Iterable[ast.AST], depth: int, levels: int) -> Ends:
        """The elements themselves, or what is in them."""
        if levels == 1:
            return self._all(parts, depth)
        return self._elements_of(((part, levels - 1) for part in parts), depth)

    def _elements(self, node: ast.AST, depth: int, levels: int = 1) -> Ends:
        self._leads.spend(1)
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                is_plain = not any(isinstance(part, ast.Starred) for part in parts)
                return self._parts(parts, depth, levels) if is_plain else None
            case ast.Name(id=name) if depth:
                if name in self._words.loose or self._words.stars:
                    return None
                whole = (one for one in self._given(name) if isinstance(one, ast.AST))
                return self._elements_of(((one, levels) for one in whole), depth - 1)
            case ast.Subscript(slice=ast.Slice()) | ast.BoolOp() | ast.Attribute() | ast.Constant():
                return _NOTHING
            case ast.Dict(keys=keys, values=values):
                return None if None in keys else self._parts(values, depth, levels)
            case ast.Call():
                return self._given_by(node, depth, levels)
        return None

    def _given_by(self, call: ast.Call, depth: int, levels: int) -> Ends:
        """The elements of what a call gives."""
        ends = self._of(call.func, depth) if self._is_outside(call.func) else None
        if ends is None:
            return None
        match call:
            case ast.Call(func=ast.Name("dict")) if len(ends) == 1:
                return self._parts((keyword.value for keyword in call.keywords), depth, levels)
            case ast.Call(func=ast.Attribute(value=whole, attr="items"), args=[], keywords=[]):
                return self._elements(whole, depth, max(1, levels - 1))  # of pairs the second
        return _NOTHING if ends.isdisjoint(_PASSING) else None


@lru_cache(maxsize=4_000)
def _own(word: str) -> frozenset[str]:
    """A word as it is written, and without underscores."""
    return frozenset((word, word.strip("_")))


@lru_cache(maxsize=1_000)
def _made(ends: frozenset[str]) -> frozenset[str]:
    """What calls of things that end so give."""
    return frozenset(f"{end}()" for end in ends)


def _without(given: Iterable[ast.AST | str], less: Iterable[ast.AST]) -> Iterator[ast.AST | str]:
    """Each as often as it is there more."""
    left = Counter[ast.AST | str](less)
    for one in given:
        if left[one]:
            left[one] -= 1
        else:
            yield one


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _is_name(node: ast.AST | str, word: str) -> bool:
    """Is it that name itself, as in `f(x=x)`, which adds nothing to it?"""
    return isinstance(node, ast.Name) and node.id == word


_READERS: Mapping[type[object], Callable[[Endings, Any, int], Ends]] = {
    ast.Name: Endings._name,
    ast.Attribute: Endings._attribute,
    ast.Call: Endings._call,
    ast.Subscript: Endings._subscript,
    ast.FunctionDef: Endings._definition,
    ast.AsyncFunctionDef: Endings._definition,
    ast.ClassDef: Endings._definition,
    ast.BinOp: Endings._sum,
    ast.Dict: Endings._dict,
    ast.IfExp: Endings._choice,
    ast.BoolOp: Endings._either,
    ast.NamedExpr: Endings._value,
    ast.Await: Endings._value,
}
