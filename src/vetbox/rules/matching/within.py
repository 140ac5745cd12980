"""Within: what a node holds, among the nodes of the kinds at which a formula may hold at all."""

from collections.abc import Iterable, Mapping
from itertools import chain

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.matching.coded import places
from vetbox.rules.resolve.names import Resolver

_Kinds = frozenset[type[cst.CSTNode]]
_KINDS: Mapping[type[f.Formula], _Kinds] = {
    f.Call: frozenset({cst.Call, cst.Decorator}),
    f.String: frozenset({cst.SimpleString, cst.ConcatenatedString, cst.FormattedString}),
    f.Decorator: frozenset({cst.Decorator}),
    f.Def: frozenset({cst.FunctionDef}),
    f.Class: frozenset({cst.ClassDef}),
    f.Except: frozenset({cst.ExceptHandler, cst.ExceptStarHandler}),
    f.Assert: frozenset({cst.Assert}),
    f.Identifier: frozenset({cst.Name}),
}
"""Of the matchers that look at nothing else."""


def within(formula: f.Formula, node: cst.CSTNode, facts: Resolver) -> Iterable[cst.CSTNode]:
    """The node and those inside it at which the formula may hold."""
    every = chain((node,), facts.tree.below(node))
    if isinstance(formula, f.Code):
        return places(formula, every)
    kinds = _kinds_of(formula)
    return every if kinds is None else (one for one in every if type(one) in kinds)


def _kinds_of(formula: f.Formula) -> _Kinds | None:
    """None: of any kind, as far as the formula tells."""
    match formula:
        case f.Any(parts=parts):
            each = [_kinds_of(part) for part in parts]
            known = [kinds for kinds in each if kinds is not None]
            return frozenset().union(*known) if len(known) == len(each) else None
        case f.All(parts=parts):
            return next((kinds for part in parts if (kinds := _kinds_of(part)) is not None), None)
        case f.Focused(part=part):
            return _kinds_of(part)
    return _KINDS.get(type(formula))


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
