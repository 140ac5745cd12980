"""Locality: whether a rule can be judged from the lines on which its anchors stand."""

from itertools import chain

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.language.taint import Taint
from vetbox.rules.patterns import parse_pattern


def is_local(taint: Taint) -> bool:
    """Is it so for all places of a rule?

    Propagators mark the statement around them, and sources by side effect what comes after.
    """
    places = chain(taint.sources, taint.sinks, taint.sanitizers)
    spread = any(place.by == "side-effect" for place in taint.sources)
    own = all(_is_local(place.formula) for place in places)
    return own and not spread and not taint.propagators


def looks_at_classes(taint: Taint) -> bool:
    """Does a doubt of a rule ask what else stands in the class that a sink is in?"""
    return any(map(_asks_for_class, taint.doubts))


def _asks_for_class(formula: f.Formula) -> bool:
    match formula:
        case f.Inside(part=f.All(parts=parts)):
            return len(parts) > 1 and any(map(_may_be_class, parts))
        case f.Any(parts=parts) | f.All(parts=parts):
            return any(map(_asks_for_class, parts))
        case f.Not(part=part) | f.Focused(part=part):
            return _asks_for_class(part)
    return False


def _may_be_class(formula: f.Formula) -> bool:
    match formula:
        case f.Class():
            return True
        case f.Any(parts=parts) | f.All(parts=parts):
            return any(map(_may_be_class, parts))
        case f.Focused(part=part):
            return _may_be_class(part)
    return False


def _is_local(formula: f.Formula) -> bool:
    match formula:
        case f.All(parts=parts):
            # What it has to hold is in the function that is kept whole; another part finds it.
            own = [part for part in parts if not isinstance(part, f.Has)]
            return bool(own) and all(map(_is_local, own))
        case f.Any(parts=parts):
            return all(map(_is_local, parts))
        case f.Focused(part=part):
            return _is_local(part) and not _looks_around(part)
        case f.Not():
            return True
        case f.Inside(part=part):
            return isinstance(part, f.Def | f.Class)
        case f.Assign(forms=forms):
            return forms == {"keyword"}
        case f.Where(part=part):
            return part is None
        case f.Code(pattern=text):
            pattern = parse_pattern(text)
            simple = [isinstance(one, cst.BaseSmallStatement) for one in pattern.statements]
            return pattern.expression is not None or simple == [True]
    return isinstance(formula, f.Call | f.Name | f.Attr | f.Def | f.Decorator)


def _looks_around(formula: f.Formula) -> bool:
    match formula:
        case f.Any(parts=parts) | f.All(parts=parts):
            return any(map(_looks_around, parts))
    return isinstance(formula, f.Inside)
