"""Cases of a `match`: whether one fits its subject, and what its names are bound to."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce

import libcst as cst

from vetbox.rules.patterns.tree import children
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.values import CLEAN, Value, sequence
from vetbox.rules.taint.reading.containers import without
from vetbox.rules.taint.reading.objects import is_harmless, matched_fields
from vetbox.rules.walk import identifier

_ITSELF = frozenset(
    {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str"}
    | {"tuple"}
)
_SINGLETONS = {"True": True, "False": False, "None": None}


def case_fits(pattern: cst.MatchPattern, subject: Value) -> bool | None:
    """Does the pattern certainly fit, or certainly not? None when that is not known."""
    match pattern:
        case cst.MatchAs(pattern=inner):
            return True if inner is None else case_fits(inner, subject)
        case cst.MatchOr(patterns=options):
            return _any(case_fits(option.pattern, subject) for option in options)
        case cst.MatchList() | cst.MatchTuple() if subject.parts is not None:
            return _fits_each(pattern, subject.parts)
        case cst.MatchMapping(elements=elements, rest=None):
            return _all(_fits_entry(entry, subject) for entry in elements)
    known = _literal(pattern)
    if known is UNKNOWN or subject.constant is UNKNOWN:
        return None
    is_alike = type(known) is type(subject.constant) or not isinstance(pattern, cst.MatchSingleton)
    return is_alike and known == subject.constant


def _fits_each(pattern: cst.MatchList | cst.MatchTuple, parts: Sequence[Value]) -> bool | None:
    """Do all elements of a sequence fit their patterns?"""
    plain = [one.value for one in pattern.patterns if isinstance(one, cst.MatchSequenceElement)]
    if len(plain) < len(pattern.patterns):
        return False if len(plain) > len(parts) else None
    if len(plain) != len(parts):
        return False
    return _all(case_fits(one, part) for one, part in zip(plain, parts, strict=True))


def _fits_entry(entry: cst.MatchMappingElement, subject: Value) -> bool | None:
    """Is there an entry of that key, and does it fit?"""
    if not isinstance(entry.key, cst.SimpleString) or not subject.has(entry.key.evaluated_value):
        return None
    return case_fits(entry.pattern, subject.item(entry.key.evaluated_value))


def _any(answers: Iterable[bool | None]) -> bool | None:
    found = set(answers)
    return True if True in found else None if None in found else False


def _all(answers: Iterable[bool | None]) -> bool | None:
    found = set(answers)
    return False if False in found else None if None in found else True


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
    if isinstance(pattern, cst.MatchSingleton):
        return _SINGLETONS[pattern.value.value]
    if isinstance(pattern, cst.MatchValue) and isinstance(
        pattern.value, (cst.SimpleString, cst.ConcatenatedString, cst.Integer, cst.Float)
    ):
        return pattern.value.evaluated_value
    return UNKNOWN


def captured(
    node: cst.CSTNode, value: Value, class_of: Callable[[cst.BaseExpression], cst.ClassDef | None]
) -> Iterator[tuple[str, Value]]:
    """The names that a pattern binds, each with what of the subject it holds."""
    match node:
        case cst.MatchAs(pattern=inner, name=name):
            if name is not None:
                is_own = inner is not None and is_harmless_case(inner)
                yield identifier(name), CLEAN if is_own else value
            if inner is not None:
                yield from captured(inner, value, class_of)
        case cst.MatchStar(name=cst.Name() as name):
            yield identifier(name), value
        case _:
            for child, part in _parts_in(node, value, class_of):
                yield from captured(child, part, class_of)


def _parts_in(
    node: cst.CSTNode, value: Value, class_of: Callable[[cst.BaseExpression], cst.ClassDef | None]
) -> Iterator[tuple[cst.CSTNode, Value]]:
    """The patterns in a pattern, each with what of the subject it is asked of."""
    match node:
        case cst.MatchList() | cst.MatchTuple():
            yield from zip(node.patterns, _each(node, value), strict=True)
        case cst.MatchSequenceElement(value=inner) | cst.MatchOrElement(pattern=inner):
            yield inner, value
        case cst.MatchOr(patterns=options):
            yield from ((option, value) for option in options)
        case cst.MatchMapping(elements=elements, rest=rest):
            for entry in elements:
                yield entry.pattern, _under(entry.key, value)
            if rest is not None:
                yield cst.MatchStar(rest), _without_each([one.key for one in elements], value)
        case cst.MatchClass(patterns=[inner], kwds=[]) if _gives_itself(node):
            yield inner.value, CLEAN if is_harmless_case(node) else value
        case cst.MatchClass(patterns=plain, kwds=keywords):
            made = class_of(node.cls)
            fields = [] if made is None else matched_fields(made)
            named = [*fields, *("" for _ in plain)]
            for element, name in zip(plain, named, strict=False):
                yield element.value, value.attribute(name) if name else Value(value.all_taints)
            for keyword in keywords:
                yield keyword.pattern, value.attribute(identifier(keyword.key))
        case _:
            yield from ((child, Value(value.all_taints)) for child in children(node))


def _each(node: cst.MatchList | cst.MatchTuple, value: Value) -> Sequence[Value]:
    """What each pattern of a sequence is asked of: one by one where that is known."""
    starred = [isinstance(one, cst.MatchStar) for one in node.patterns]
    parts, more = value.parts or [], len(value.parts or ()) - len(starred)
    if value.parts is None or more < -any(starred) or (more and True not in starred):
        return [Value(value.all_taints)] * len(starred)
    if True not in starred:
        return parts
    at = starred.index(True)
    behind = at + 1 + more
    return [*parts[:at], sequence(parts[at:behind]), *parts[behind:]]


def _without_each(keys: Sequence[cst.BaseExpression], value: Value) -> Value:
    """What `**rest` holds."""
    named = [key.evaluated_value for key in keys if isinstance(key, cst.SimpleString)]
    if not value.is_table or len(named) < len(keys):
        return Value(value.all_taints)
    return reduce(without, named, value)


def _under(key: cst.BaseExpression, value: Value) -> Value:
    """What the subject has at the key of a pattern."""
    if not isinstance(key, (cst.SimpleString, cst.Integer)):
        return Value(value.all_taints)
    return CLEAN if value.has(key.evaluated_value) is False else value.item(key.evaluated_value)
