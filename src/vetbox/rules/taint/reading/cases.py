"""Cases of a `match`: whether one fits its subject, and what its names are bound to."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.patterns.tree import children
from vetbox.rules.taint.data.values import CLEAN, UNKNOWN, Value
from vetbox.rules.taint.reading.objects import is_harmless
from vetbox.rules.walk import identifier

_ITSELF = frozenset(
    {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str"}
    | {"tuple"}
)


def case_fits(case: cst.MatchCase, subject: Value) -> bool | None:
    """Does the case certainly fit, or certainly not? None when that is not known."""
    if case.guard is not None:
        return None
    pattern = case.pattern
    if isinstance(pattern, cst.MatchAs) and pattern.pattern is None:
        return True
    if subject.constant is UNKNOWN:
        return None
    options = (
        [element.pattern for element in pattern.patterns]
        if isinstance(pattern, cst.MatchOr)
        else [pattern]
    )
    known = [_literal(option) for option in options]
    if UNKNOWN in known:
        return None
    return subject.constant in known


def is_harmless_case(pattern: cst.MatchPattern) -> bool:
    """Does it fit only what the program has written down, and numbers and such?"""
    match pattern:
        case cst.MatchOr(patterns=options):
            return all(is_harmless_case(option.pattern) for option in options)
        case cst.MatchClass(cls=made):
            return is_harmless(made)
    return _literal(pattern) is not UNKNOWN


def _gives_itself(pattern: cst.MatchClass) -> bool:
    """Is what a pattern in its brackets is asked of the subject itself, as of `str(x)`?"""
    return isinstance(pattern.cls, cst.Name) and identifier(pattern.cls) in _ITSELF


def _literal(pattern: cst.MatchPattern) -> object:
    if isinstance(pattern, cst.MatchValue) and isinstance(
        pattern.value, (cst.SimpleString, cst.ConcatenatedString, cst.Integer, cst.Float)
    ):
        return pattern.value.evaluated_value
    return UNKNOWN


def captured(node: cst.CSTNode, value: Value) -> Iterator[tuple[str, Value]]:
    """The names that a pattern binds, each with what of the subject it holds."""
    match node:
        case cst.MatchAs(pattern=inner, name=name):
            if name is not None:
                is_own = inner is not None and is_harmless_case(inner)
                yield identifier(name), CLEAN if is_own else value
            if inner is not None:
                yield from captured(inner, value)
        case cst.MatchList() | cst.MatchTuple() if _fits_one_by_one(node, value):
            for place, element in enumerate(node.patterns):
                yield from captured(
                    cst.ensure_type(element, cst.MatchSequenceElement).value, value.item(place)
                )
        case cst.MatchMapping(elements=elements, rest=rest):
            for entry in elements:
                yield from captured(entry.pattern, _under(entry.key, value))
            if rest is not None:
                yield identifier(rest), Value(value.all_taints)
        case cst.MatchClass(patterns=[inner], kwds=[]) if _gives_itself(node):
            yield from captured(inner.value, CLEAN if is_harmless_case(node) else value)
        case cst.MatchClass(kwds=kwds, patterns=[]):
            for keyword in kwds:
                yield from captured(keyword.pattern, value.attribute(identifier(keyword.key)))
        case cst.MatchStar(name=cst.Name() as name):
            yield identifier(name), Value(value.all_taints)
        case _:
            whole = Value(value.all_taints)
            for child in children(node):
                yield from captured(child, whole)


def _fits_one_by_one(node: cst.MatchList | cst.MatchTuple, value: Value) -> bool:
    plain = all(isinstance(one, cst.MatchSequenceElement) for one in node.patterns)
    return plain and len(value.parts or ()) == len(node.patterns)


def _under(key: cst.BaseExpression, value: Value) -> Value:
    """What the subject has at the key of a pattern."""
    if not isinstance(key, (cst.SimpleString, cst.Integer)):
        return Value(value.all_taints)
    return CLEAN if value.has(key.evaluated_value) is False else value.item(key.evaluated_value)
