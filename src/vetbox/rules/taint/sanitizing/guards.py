"""Guards: the variables that are sanitized where a test holds, or where it fails."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.vocabulary import Facts, subexpressions
from vetbox.rules.taint.policy.marks import Marks
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.reading.objects import is_harmless
from vetbox.rules.taint.sanitizing.allow_lists import (
    address_of,
    compared_where,
    host_behind,
    listed_where,
)
from vetbox.rules.taint.sanitizing.entries import place_of
from vetbox.rules.taint.sanitizing.fitting import compiled, gives_match, is_whole
from vetbox.rules.taint.sanitizing.lookups import HOST_CHECK, host_looked_up
from vetbox.rules.taint.sanitizing.quantifiers import quantified

EVERY = frozenset({"*"})
"""Stands for all sanitizers: what is left is one of the program's own values."""
Cleaned: TypeAlias = tuple[frozenset[str], frozenset[str]]
"""Paths, and the sanitizers that they passed."""
_LONG = 20
_SAME = {cst.Is: True, cst.Equal: True, cst.IsNot: False, cst.NotEqual: False}


@dataclass(frozen=True, slots=True)
class Guards:
    """The variables that the tests of one function sanitize.

    `tested` returns the test whose result a variable holds, `told` what the result of a validator
    of the module says. Variables in `own` hold one of the program's own values.
    """

    marks: Marks
    facts: Facts
    tested: Callable[[cst.Name], cst.BaseExpression | None]
    told: Callable[[cst.Call, Hashable], Iterator[Cleaned]]
    own: frozenset[str] = frozenset()

    def cleaned_where(self, test: cst.BaseExpression, *, holds: bool) -> Iterator[Cleaned]:
        """What has been checked when a test holds (or fails): paths, and the sanitizers passed."""
        yield from self._of_form(test, holds=holds)
        for path in listed_where(test, self.facts, holds=holds, own=self.own):
            yield frozenset({path}), EVERY
        for part in (test, *compared_where(test, holds=holds)):
            kinds = self._kinds(part)
            if kinds and (part is not test or holds):
                yield paths_in(_asked_of(part)) | self._paths_behind(part), kinds
        refused = self.marks.refusals.get(id(test))
        if refused and not holds:
            yield paths_in(test) | self._paths_behind(test), refused

    def _of_form(self, test: cst.BaseExpression, *, holds: bool) -> Iterator[Cleaned]:
        """What the operands of a test say of it, or the function that it calls."""
        match test:
            case cst.UnaryOperation(operator=cst.Not()):
                yield from self.cleaned_where(test.expression, holds=not holds)
            case cst.BooleanOperation():
                yield from self._of_both(test, holds=holds)
            case cst.Await(expression=inner) | cst.NamedExpr(value=inner):
                yield from self.cleaned_where(inner, holds=holds)
            case cst.Comparison():
                yield from self._of_answer(test, holds=holds)
            case cst.Name():
                tested = self.tested(test)
                yield from () if tested is None else self.cleaned_where(tested, holds=holds)
            case cst.Call(
                func=cst.Name(value="isinstance"), args=[cst.Arg(value=of), cst.Arg(value=types)]
            ) if holds and all(map(is_harmless, _listed(types))):
                yield frozenset(filter(None, [place_of(of)])), EVERY
            case cst.Call(func=cst.Name(value="bool"), args=[cst.Arg(value=inner)]):
                yield from self.cleaned_where(inner, holds=holds)
            case cst.Call():
                yield from self.told(test, holds)
                yield from self._of_all(test, holds=holds)
            case cst.Subscript(
                value=of, slice=[cst.SubscriptElement(cst.Index(cst.Integer(value=place)))]
            ):
                call = self.tested(of) if isinstance(of, cst.Name) else of
                if isinstance(call, cst.Call):
                    yield from self.told(call, (place, holds))

    def _paths_behind(self, test: cst.BaseExpression) -> frozenset[str]:
        """Of a host that is asked for: the address that it is of."""
        asked = test
        match test:
            case cst.Call(func=cst.Attribute(value=of, attr=cst.Name("endswith"))):
                asked = of
        address = address_of(asked, self.facts) or host_behind(test, self.facts)
        return frozenset() if address is None else paths_in(address)

    def _kinds(self, test: cst.BaseExpression) -> frozenset[str] | None:
        """The sanitizers that a guard stands for, and the regex that it asks."""
        known = self.marks.guards.get(id(test))
        if not isinstance(test, cst.Call):
            return known
        regex = compiled(test, self.facts)
        asked = None if regex is None else self.marks.guards.get(id(regex))
        if regex is None or asked is None or not is_whole(test, regex, self.facts):
            return known
        return asked if known is None else known | asked

    def _of_both(self, test: cst.BooleanOperation, *, holds: bool) -> Iterator[Cleaned]:
        if isinstance(test.operator, cst.And) == holds:
            yield from self.cleaned_where(test.left, holds=holds)
            yield from self.cleaned_where(test.right, holds=holds)
            return
        # Where `x and not safe(x)` fails, x is empty or safe; `not x or safe(x)` likewise.
        empty = frozenset(_asked(test.left, holds=not holds))
        right = _by_path(self.cleaned_where(test.right, holds=holds))
        yield from ((frozenset({path}), right[path]) for path in right.keys() & empty)
        # Where `x == "a" or x == "b"` holds, one of them does.
        left = _by_path(self.cleaned_where(test.left, holds=holds)) if right else {}
        for path in left.keys() & right.keys():
            yield frozenset({path}), _both(left[path], right[path])

    def _of_answer(self, test: cst.Comparison, *, holds: bool) -> Iterator[Cleaned]:
        """`safe(x) is True`, `match is not None`: what the test says whose answer is compared."""
        match test.comparisons:
            case [cst.ComparisonTarget(operator=operator, comparator=cst.Name(value=word))]:
                same = _SAME.get(type(operator))
            case _:
                return
        left = self.tested(test.left) if isinstance(test.left, cst.Name) else test.left
        if same is None or left is None:
            return
        if word in ("True", "False") or (word == "None" and gives_match(left)):
            yield from self.cleaned_where(left, holds=(holds is same) is (word == "True"))

    def _of_all(self, test: cst.Call, *, holds: bool) -> Iterator[Cleaned]:
        """`all(safe(c) for c in x)`, `any(x == y for y in ALLOWED)`."""
        found = quantified(test, self.facts, holds=holds)
        if found is None:
            return
        inner = replace(self, own=self.own | found.own)
        host = None if found.of is None else host_looked_up(found.of, self.facts)
        for paths, kinds in inner.cleaned_where(found.test, holds=holds):
            wholes = found.wholes if found.element in paths else frozenset()
            yield paths - {found.element} | wholes, kinds
            if host is not None and kinds & HOST_CHECK:
                yield paths_in(host), HOST_CHECK


def nearest(test: cst.BaseExpression) -> cst.BaseExpression:
    """What is asked of a test before something else; of a long chain only its end.

    Each part of a chain asks all before it, which takes the square of its length.
    """
    part = test
    for _ in range(_LONG):
        if not isinstance(part, cst.BooleanOperation):
            return test
        part = part.left
    return test.right if isinstance(test, cst.BooleanOperation) else test


def _by_path(cleaned: Iterable[Cleaned]) -> Mapping[str, frozenset[str]]:
    """All that each path passed: of many choices no more than that is carried on."""
    found: dict[str, frozenset[str]] = {}
    for paths, kinds in cleaned:
        for path in paths:
            known = found.get(path, frozenset())
            found[path] = EVERY if EVERY in (kinds, known) else known | kinds
    return found


def _both(kinds: frozenset[str], more: frozenset[str]) -> frozenset[str]:
    """The sanitizers that were passed either way."""
    if EVERY in (kinds, more):
        return more if kinds == EVERY else kinds
    return kinds & more


def _asked_of(test: cst.BaseExpression) -> cst.BaseExpression:
    """What a test is about: of `x in y` only x."""
    match test:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.In())]):
            return left
    return test


def _asked(test: cst.BaseExpression, *, holds: bool) -> Iterator[str]:
    """The places that are all empty when a test does not come out like this."""
    match test:
        case cst.UnaryOperation(operator=cst.Not()):
            yield from _asked(test.expression, holds=not holds)
        case cst.BooleanOperation() if isinstance(test.operator, cst.Or) == holds:
            yield from _asked(test.left, holds=holds)
            yield from _asked(test.right, holds=holds)
        case cst.Name() | cst.Attribute() if holds:
            path = path_of(test)
            if path is not None:
                yield path


def _listed(types: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The types that `isinstance` is asked for."""
    if isinstance(types, cst.Tuple):
        return [element.value for element in types.elements]
    return [types]


def paths_in(node: cst.CSTNode) -> frozenset[str]:
    """Every variable and attribute that an expression names."""
    paths = (place_of(part) for part in subexpressions(node))
    return frozenset(path for path in paths if path is not None)
