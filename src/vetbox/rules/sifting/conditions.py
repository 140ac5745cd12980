"""Conditions on an expression of a fragment: denied only where the judge would deny them too."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias

from vetbox.rules.language import formula as f
from vetbox.rules.matching.measuring import (
    OPERATORS,
    SCALARS,
    entropy,
    is_kind,
    refuses_slowly,
    same,
)
from vetbox.rules.sifting.assignments import NameAssignments
from vetbox.rules.sifting.naming import may_be_named
from vetbox.rules.sifting.values import ANY, Constants, decoded

_CONTAINERS: Mapping[str, tuple[type[ast.expr], ...]] = {
    "list": (ast.List, ast.ListComp),
    "tuple": (ast.Tuple,),
    "dict": (ast.Dict, ast.DictComp),
    "set": (ast.Set, ast.SetComp),
}
# As it is written: no escapes, no doubled braces, no `{name=}`.
_PLAIN = re.compile(r"[ -\[\]-z|~]*(?<!=)")
_HOLDERS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_COLLECTING = frozenset(
    {"dict", "list", "tuple", "set", "iter", "sorted", "reversed", "frozenset"}
    | {"values", "copy", "items"}
)
"""Calls whose elements the judge knows."""
_DEPTH = 6
_MANY = 64
"""Texts; an f-string that may be more is not read."""
_WRITTEN_ALIKE = (str, int, type(None))
_Test: TypeAlias = Callable[[object], bool]


class Conditions:
    """Answers for the expressions of one file."""

    def __init__(self, assignments: NameAssignments, constants: Constants | None = None) -> None:
        self.assignments = assignments
        self.constants = constants or Constants(assignments)

    def may_hold(self, condition: f.Condition, node: ast.expr) -> bool:
        return _CHECKS[type(condition)](self, condition, node)

    def _some(self, node: ast.expr, test: _Test) -> bool:
        """May one of the constants pass?"""
        values = self.constants.of(node)
        return values is ANY or any(map(test, values))

    def _is(self, condition: f.Is, node: ast.expr) -> bool:
        return _WORDS[condition.word](self, node)

    # Texts ------------------------------------------------------------------------------------

    def _text(self, node: ast.expr, test: Callable[[str], bool]) -> bool:
        """May a text it has, or the template it fills in, pass?"""
        return any(form is None or self._some_text(form, test) for form in self._templates(node))

    def _some_text(self, form: ast.expr, test: Callable[[str], bool]) -> bool:
        if isinstance(form, ast.JoinedStr):
            texts = self._texts_of(form)
            return texts is None or any(map(test, texts))
        return self._some(
            form, lambda value: isinstance(value, (str, bytes)) and test(decoded(value))
        )

    def _texts_of(self, form: ast.JoinedStr) -> Sequence[str] | None:
        """An f-string with `{}` for what is unknown, as the judge reads it; None in doubt."""
        parts: list[Sequence[str]] = []
        for part in form.values:
            texts = self._part_texts(part)
            if texts is None:
                return None
            parts.append(texts)
        ways = product(*parts) if prod(map(len, parts)) <= _MANY else None
        return None if ways is None else list(map("".join, ways))

    def _part_texts(self, part: ast.expr) -> Sequence[str] | None:
        """What may stand in the place of a part."""
        match part:
            case ast.Constant(value=str() as text) if _PLAIN.fullmatch(text):
                return [text]
            case ast.FormattedValue(value=value):
                values = self.constants.of(value)
                if values is not ANY and all(isinstance(one, _WRITTEN_ALIKE) for one in values):
                    return [*map(str, values), "{}"]
        return None

    def _templates(self, node: ast.expr, depth: int = _DEPTH) -> Iterator[ast.expr | None]:
        for form in self.constants.forms(node):
            yield form
            match form:
                case ast.BinOp(left=template, op=ast.Add() | ast.Mod()):
                    pass
                case ast.Call(func=ast.Attribute(value=template, attr="format")):
                    pass
                case _:
                    continue
            yield from self._templates(template, depth - 1) if depth else (None,)

    def formatted(self, node: ast.expr) -> bool:
        """May it be a text put together from something that is not known?"""
        return any(form is None or self._is_built(form) for form in self.constants.forms(node))

    def _is_built(self, form: ast.expr) -> bool:
        match form:
            case ast.JoinedStr():
                return True
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._has_text(left) or self._has_text(right)
            case ast.BinOp(left=left, op=ast.Mod()):
                return self._has_text(left)
            case ast.Call(
                func=ast.Attribute(value=template, attr="format" | "format_map" | "join")
            ):
                return self._has_text(template)
        return False

    def _has_text(self, node: ast.expr, depth: int = _DEPTH) -> bool:
        for form in self._templates(node):
            if form is None or self._some_text(form, lambda _: True):
                return True
            match form:
                case ast.BinOp(op=ast.Add(), right=right):
                    if not depth or self._has_text(right, depth - 1):
                        return True
        return False

    # Containers -------------------------------------------------------------------------------

    def form_is(self, node: ast.expr, *kinds: type[ast.expr]) -> bool:
        return any(form is None or isinstance(form, kinds) for form in self.constants.forms(node))

    def _part(self, element: f.Condition, node: ast.expr, at: object = None) -> bool:
        """May an element or a key of a container pass, or the one at a place?"""
        for form in self.constants.forms(node):
            if form is None or self._collects(form):
                return True
            parts = parts_at(form, at) or _parts(form)
            if any(isinstance(p, ast.Starred) or self.may_hold(element, p) for p in parts):
                return True
        return False

    def _length(self, condition: f.Length, node: ast.expr) -> bool:
        compare = OPERATORS[condition.operator]
        sized = (str, bytes, tuple, list)
        if self._some(node, lambda v: isinstance(v, sized) and compare(len(v), condition.bound)):
            return True
        forms = self.constants.forms(node)
        return any(one is None or isinstance(one, _HOLDERS) or self._collects(one) for one in forms)

    def _collects(self, form: ast.expr) -> bool:
        """May it give a container that is written elsewhere?"""
        match form:
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in _COLLECTING
            case ast.Call(func=ast.Name(id=name)):
                return name in _COLLECTING or self.assignments.is_bound(name)
        return isinstance(form, (ast.Call, ast.Subscript))

    def _unlike(self, condition: f.Unlike, node: ast.expr) -> bool:
        """Only of a text or a number is it known what the other condition says."""
        known = isinstance(node, ast.Constant) and type(node.value) in (str, bytes, int, float)
        if not known or self.constants.of(node) is ANY:
            return True
        return not self.may_hold(condition.part, node)


def parts_at(form: ast.expr, key: object) -> Sequence[ast.expr]:
    """The element of a list or tuple at a place; nothing where that is not told."""
    if not isinstance(form, (ast.List, ast.Tuple)) or not isinstance(key, int):
        return ()
    starred = any(isinstance(element, ast.Starred) for element in form.elts)
    inside = -len(form.elts) <= key < len(form.elts)
    return () if starred or not inside else (form.elts[key],)


def _parts(form: ast.expr) -> Iterable[ast.expr]:
    if isinstance(form, ast.Dict):
        return [part for part in (*form.keys, *form.values) if part is not None]
    return form.elts if isinstance(form, (ast.List, ast.Tuple, ast.Set)) else ()


def _compare(own: Conditions, condition: f.Compare, node: ast.expr) -> bool:
    compare = OPERATORS[condition.operator]
    return own._some(
        node, lambda value: isinstance(value, (int, float)) and compare(value, condition.bound)
    )


def _bits(own: Conditions, condition: f.Bits, node: ast.expr) -> bool:
    return own._some(node, lambda v: isinstance(v, int) and bool(v & condition.mask))


_Word: TypeAlias = Callable[[Conditions, ast.expr], bool]


def _scalar(word: str) -> _Word:
    kinds = SCALARS[word]

    def check(own: Conditions, node: ast.expr) -> bool:
        if own._some(node, lambda value: is_kind(value, kinds)):
            return True
        return word == "str" and own.formatted(node)

    return check


def _container(word: str) -> _Word:
    return lambda own, node: own.form_is(node, *_CONTAINERS[word], ast.Call)


def _truthy(own: Conditions, node: ast.expr) -> bool:
    return own._some(node, bool) or own.form_is(node, *_HOLDERS, ast.Lambda)


def _falsy(own: Conditions, node: ast.expr) -> bool:
    return own._some(node, lambda value: not value) or own.form_is(node, *_HOLDERS)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is not ...


def _is_name(own: Conditions, node: ast.expr) -> bool:
    truth = isinstance(node, ast.Constant) and node.value in (True, False, None)
    return truth or isinstance(node, (ast.Name, ast.Attribute))


_WORDS: Mapping[str, _Word] = {
    "any": lambda own, node: True,
    "literal": lambda own, node: own._some(node, lambda value: True),
    "non_literal": lambda own, node: not _is_constant(node) or own.constants.of(node) is ANY,
    "truthy": _truthy,
    "falsy": _falsy,
    "none": lambda own, node: own._some(node, lambda value: value is None),
    "not_none": lambda own, node: not (isinstance(node, ast.Constant) and node.value is None),
    **{word: _scalar(word) for word in SCALARS},
    **{word: _container(word) for word in _CONTAINERS},
    "fstring": lambda own, node: own.form_is(node, ast.JoinedStr),
    "formatted": Conditions.formatted,
    "fixed": lambda own, node: True,
    "call": lambda own, node: own.form_is(node, ast.Call),
    "lambda": lambda own, node: own.form_is(node, ast.Lambda),
    "name": _is_name,
    "own_class": lambda own, node: isinstance(node, ast.Name),
}


def _backtracks(own: Conditions, condition: f.Backtracks, node: ast.expr) -> bool:
    taken = isinstance(node, ast.Subscript)  # out of a table: any that is in it
    return taken or own._text(node, lambda text: refuses_slowly(text, whole=condition.whole))


_CHECKS: Mapping[type[object], Callable[[Conditions, Any, ast.expr], bool]] = {
    f.Is: Conditions._is,
    f.Regex: lambda own, c, node: own._text(node, lambda text: f.re2_search(c.regex, text)),
    f.In: lambda own, c, node: own._some(node, lambda v: any(same(v, w) for w in c.values)),
    f.Compare: _compare,
    f.Bits: _bits,
    f.Named: lambda own, c, node: may_be_named(c.names, node, own.assignments),
    f.Contains: lambda own, c, node: own._part(c.element, node),
    f.Item: lambda own, c, node: own._part(c.element, node, c.key),
    f.Entropy: lambda own, c, node: own._text(node, lambda text: entropy(text) >= c.bits),
    f.Backtracks: _backtracks,
    f.Length: Conditions._length,
    f.Both: lambda own, c, node: all(own.may_hold(part, node) for part in c.parts),
    f.Either: lambda own, c, node: any(own.may_hold(part, node) for part in c.parts),
    f.Unlike: Conditions._unlike,
}
