"""Guards: the places that are clean where a test holds, or where it fails."""

from collections.abc import Iterator, Mapping

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts, subexpressions
from vetbox.rules.taint.environment import path_of
from vetbox.rules.taint.listing import compared_where, listed_where

Guards = Mapping[int, frozenset[str]]
"""The sanitizers that a call stands for, by the identity of its node."""
EVERY = frozenset({"*"})
"""Stands for all sanitizers: what is left is one of the program's own values."""
Cleaned = tuple[frozenset[str], frozenset[str]]
"""Paths, and the sanitizers that they passed."""


def cleaned_where(
    test: cst.BaseExpression, guards: Guards, facts: Facts, *, holds: bool
) -> Iterator[Cleaned]:
    """What has been checked when a test holds (or fails)."""
    match test:
        case cst.UnaryOperation(operator=cst.Not()):
            yield from cleaned_where(test.expression, guards, facts, holds=not holds)
        case cst.BooleanOperation():
            yield from _of_both(test, guards, facts, holds=holds)
    for path in listed_where(test, facts, holds=holds):
        yield frozenset({path}), EVERY
    for part in (test, *compared_where(test, holds=holds)):
        kinds = guards.get(id(part))
        if kinds and (part is not test or holds):
            yield paths_in(_asked_of(part)), kinds


def _asked_of(test: cst.BaseExpression) -> cst.BaseExpression:
    """What a test is about: of `x in y` only x."""
    match test:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.In())]):
            return left
    return test


def _of_both(
    test: cst.BooleanOperation, guards: Guards, facts: Facts, *, holds: bool
) -> Iterator[Cleaned]:
    if isinstance(test.operator, cst.And) == holds:
        yield from cleaned_where(test.left, guards, facts, holds=holds)
        yield from cleaned_where(test.right, guards, facts, holds=holds)
        return
    # Where `x and not safe(x)` fails, x is empty or safe; `not x or safe(x)` likewise.
    empty = frozenset(_asked(test.left, holds=not holds))
    for paths, kinds in cleaned_where(test.right, guards, facts, holds=holds):
        yield paths & empty, kinds


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


def paths_in(node: cst.CSTNode) -> frozenset[str]:
    """Every variable and attribute that an expression names."""
    paths = (path_of(part) for part in subexpressions(node))
    return frozenset(path for path in paths if path is not None)
