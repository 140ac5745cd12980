"""Guards: the places that are clean where a test holds, or where it fails."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts, subexpressions
from vetbox.rules.taint.environment import path_of
from vetbox.rules.taint.listing import compared_where, listed_where
from vetbox.rules.taint.marks import Marks

EVERY = frozenset({"*"})
"""Stands for all sanitizers: what is left is one of the program's own values."""
Cleaned = tuple[frozenset[str], frozenset[str]]
"""Paths, and the sanitizers that they passed."""


def cleaned_where(
    test: cst.BaseExpression, marks: Marks, facts: Facts, *, holds: bool
) -> Iterator[Cleaned]:
    """What has been checked when a test holds (or fails)."""
    match test:
        case cst.UnaryOperation(operator=cst.Not()):
            yield from cleaned_where(test.expression, marks, facts, holds=not holds)
        case cst.BooleanOperation():
            yield from _of_both(test, marks, facts, holds=holds)
    for path in listed_where(test, facts, holds=holds):
        yield frozenset({path}), EVERY
    for part in (test, *compared_where(test, holds=holds)):
        kinds = marks.guards.get(id(part))
        if kinds and (part is not test or holds):
            yield paths_in(_asked_of(part)), kinds
    refused = marks.refusals.get(id(test))
    if refused and not holds:
        yield paths_in(test), refused


def _asked_of(test: cst.BaseExpression) -> cst.BaseExpression:
    """What a test is about: of `x in y` only x."""
    match test:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.In())]):
            return left
    return test


def _of_both(
    test: cst.BooleanOperation, marks: Marks, facts: Facts, *, holds: bool
) -> Iterator[Cleaned]:
    if isinstance(test.operator, cst.And) == holds:
        yield from cleaned_where(test.left, marks, facts, holds=holds)
        yield from cleaned_where(test.right, marks, facts, holds=holds)
        return
    # Where `x and not safe(x)` fails, x is empty or safe; `not x or safe(x)` likewise.
    empty = frozenset(_asked(test.left, holds=not holds))
    for paths, kinds in cleaned_where(test.right, marks, facts, holds=holds):
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
