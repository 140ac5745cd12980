"""Descendants: the nodes within a node at which a formula may hold."""

from collections.abc import Iterator
from itertools import chain

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.matchers import KINDS
from vetbox.rules.patterns.kinds import kinds_of
from vetbox.rules.resolve.names import Resolver


def within(formula: f.Formula, node: cst.CSTNode, facts: Resolver) -> Iterator[cst.CSTNode]:
    """The node and those inside it at which the formula may hold."""
    known: dict[type[cst.CSTNode], bool] = {}
    for place in chain((node,), facts.tree.below(node)):
        kind = type(place)
        if kind not in known:
            known[kind] = _may_hold(formula, kind)
        if known[kind]:
            yield place


def _may_hold(formula: f.Formula, kind: type[cst.CSTNode]) -> bool:
    """At a node of this kind, as far as the formula tells."""
    match formula:
        case f.Any(parts=parts):
            return any(_may_hold(part, kind) for part in parts)
        case f.All(parts=parts):
            return all(_may_hold(part, kind) for part in parts)
        case f.Focused(part=part):
            return _may_hold(part, kind)
        case f.Code(pattern=pattern):
            return kinds_of(pattern)[kind]
    return kind in KINDS.get(type(formula), (kind,))


def binds_nothing(formula: f.Formula) -> bool:
    """Does it hold or not whatever metavariables stand for, and leave them as they are?"""
    match formula:
        case f.Code() | f.Where() | f.Focused():
            return False
        case f.Any(parts=parts) | f.All(parts=parts):
            return all(map(binds_nothing, parts))
        case f.Not(part=part) | f.Inside(part=part) | f.Has(part=part):
            return binds_nothing(part)
    return True
