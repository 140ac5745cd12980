"""Wording: the words without which a formula holds nowhere on a line, told from its patterns."""

import re
from collections.abc import Iterator, Set
from typing import NamedTuple, TypeAlias

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.language.doubting import split_in
from vetbox.rules.patterns import parse_pattern
from vetbox.rules.patterns.spelling import CHAIN, DEEP, TYPED
from vetbox.rules.patterns.vocabulary import metavariable
from vetbox.rules.sifting.chains import last_word_of, written_name
from vetbox.rules.sifting.metavariable_places import begins_with

_MANY = 40  # alternatives; to ask more takes longer than what it spares
_ROUNDABOUT = re.compile(rb"[\])][\s\\]*[\[(]|\*\*|#|__call__|getattr")
"""What a call or a table gives is called or read from, a table holds keywords, a text a name."""
_USED = re.compile(rb"(\w+)[\s\\]*[(\[]|@[\s\\]*(?:\w+[\s\\]*\.[\s\\]*)*(\w+)")
"""A name that is called, read from, or decorates."""


class Wording(NamedTuple):
    """Words that a line must have, and those of its calls, which may go by another name."""

    words: frozenset[bytes] = frozenset()
    called: frozenset[bytes] = frozenset()


Wordings: TypeAlias = tuple[Wording, ...]
"""Those of the alternatives, of which one has to be there; none: nothing is known."""
_ANY: Wordings = (Wording(),)


def are_worded(wordings: Wordings, words: Set[bytes], code: bytes, renamed: Set[bytes]) -> bool:
    """Are the words of one of the alternatives on a line, or what may stand for them?"""
    if not wordings:
        return True
    held = [one.called for one in wordings if one.words <= words]
    if not held or not all(held):
        return bool(held)
    plain = {word.strip(b"_") for word in words}
    return any(called <= plain for called in held) or _may_be_another(code, renamed)


def _may_be_another(code: bytes, renamed: Set[bytes]) -> bool:
    """May what is called on a line be something that goes by another name there?"""
    used = (word for found in _USED.findall(code) for word in found)
    return _ROUNDABOUT.search(code) is not None or any(word in renamed for word in used)


def wordings_of(formula: f.Formula) -> Wordings:
    """What is known of a formula."""
    found = _of(formula)
    return () if Wording() in found or len(found) > _MANY else tuple(dict.fromkeys(found))


def _of(formula: f.Formula) -> Wordings:
    match formula:
        case f.Any(parts=parts):
            split = split_in(formula)
            asked = parts if split is None else (split.whole,)
            return tuple(one for part in asked for one in _of(part))
        case f.All(parts=parts):
            return min(map(_of, parts), key=_said, default=_ANY)
        case f.Focused(part=part):
            return _of(part)
        case f.Code(pattern=pattern, resolve=level) if level is not f.Resolve.DYNAMIC:
            return (_of_pattern(pattern),)
        case f.Call(names=names, resolve=level) if level is not f.Resolve.DYNAMIC:
            lasts = None if names.regex else names.last_words
            return _ANY if lasts is None else tuple(map(_of_callee, sorted(lasts)))
    return _ANY


def _said(wordings: Wordings) -> tuple[bool, int]:
    """The part of a conjunction first that says most of a line."""
    return Wording() in wordings, len(wordings)


def _of_pattern(text: str) -> Wording:
    pattern = parse_pattern(text)
    if pattern.expression is not None:
        return _of_root(pattern.expression)
    match pattern.statements:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)])]:
            return _of_root(target)
    first = begins_with(text)
    return Wording(frozenset({first.encode()})) if first else Wording()


def _of_root(root: cst.BaseExpression) -> Wording:
    match root:
        case cst.Call(func=cst.Name(value=word)) if word in (DEEP, TYPED):
            return Wording()
        case cst.Call(func=func, args=args):
            named = (one.keyword for one in args if one.keyword is not None)
            called = {name.value for name in named if metavariable(name) is None}
            name = written_name(func)
            called |= last_word_of(name) if name is not None else set()
            attributes = _attributes(func) if name is None else ()
            return Wording(
                frozenset(attributes), frozenset(word.strip("_").encode() for word in called)
            )
        case cst.Subscript(value=value) if name := written_name(value):
            return _of_callee(name)
        case cst.Subscript(value=cst.Attribute() as value):
            return Wording(frozenset(_attributes(value)))
        case cst.Attribute() if written_name(root) is None:
            return Wording(frozenset(_attributes(root)))
        case cst.Comparison(left=left, comparisons=compared):
            found = [_of_operand(one) for one in (left, *(one.comparator for one in compared))]
            return Wording(frozenset().union(*found))
    return Wording()


def _of_callee(name: str) -> Wording:
    return Wording(called=frozenset(word.strip("_").encode() for word in last_word_of(name)))


def _of_operand(operand: cst.BaseExpression) -> frozenset[bytes]:
    """What a variable may stand for is written elsewhere, an attribute of something here."""
    is_plain = isinstance(operand, cst.Attribute) and written_name(operand) is None
    return frozenset(_attributes(operand)) if is_plain else frozenset()


def _attributes(chain: cst.BaseExpression) -> Iterator[bytes]:
    """The attributes at the end of a chain, up to where it may be written elsewhere."""
    while isinstance(chain, cst.Attribute) and not _is_open(chain.attr):
        yield chain.attr.value.encode()
        chain = chain.value


def _is_open(attribute: cst.Name) -> bool:
    return attribute.value == CHAIN or metavariable(attribute) is not None
