"""Excluded surroundings: the `not-inside` parts of a formula that a tree can answer.

`not-inside: os.environ[$KEY]` is such code: a name of its own, and a key, an attribute or a test.
"""

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.patterns import parse_pattern, spelling
from vetbox.rules.walk import written_name

_DEPENDING = (f.Code, f.Where)
"""What may give a metavariable its meaning."""


class Around(NamedTuple):
    """The kind of node that has to be around something of a name."""

    kind: type[ast.AST]
    name: str


def denied_around(parts: Collection[object]) -> Iterator[Around]:
    """What the parts of a formula deny and is told here; nothing where it may depend on others."""
    if any(isinstance(part, _DEPENDING) for part in parts):
        return
    for part in parts:
        if isinstance(part, f.Not) and isinstance(part.part, f.Inside):
            for code in _choices(part.part.part):
                yield from _around(code)


def _choices(formula: f.Formula) -> Iterable[f.Formula]:
    return formula.parts if isinstance(formula, f.Any) else (formula,)


def _around(formula: f.Formula) -> Iterator[Around]:
    if not isinstance(formula, f.Code):
        return
    match parse_pattern(formula.pattern).expression:
        case cst.Attribute(value=value, attr=part) if _is_hole(part):
            yield from _named(ast.Attribute, value)
        case cst.Subscript(
            value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]
        ) if _is_hole(key):
            yield from _named(ast.Subscript, value)
        case cst.Comparison(
            left=left,
            comparisons=[cst.ComparisonTarget(operator=cst.In(), comparator=value)],
        ) if _is_hole(left):
            yield from _named(ast.Compare, value)


def _is_hole(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value.startswith(spelling.METAVARIABLE)


def _named(kind: type[ast.AST], value: cst.BaseExpression) -> Iterator[Around]:
    name = written_name(value)
    if name and "__" not in name:
        yield Around(kind, name)
