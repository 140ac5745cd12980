"""Metavariables: what the `where` parts of a conjunction ask of those of its patterns."""

import ast
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import field
from itertools import chain
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.filtering.relaxed_regexes import finds_words, relaxed
from vetbox.rules.language import formula as f
from vetbox.rules.remembering import Bounded
from vetbox.rules.sifting.around import Around
from vetbox.rules.sifting.blocks import name_of, parameters_of
from vetbox.rules.sifting.code_patterns import Patterned, Texts
from vetbox.rules.sifting.metavariable_places import (
    Assigned,
    assigned_first,
    stands_for,
    written_as,
)

_MOST = 10_000  # conjunctions; the shipped rules have a tenth of that
_WORD = re.compile(r"\w+")
_TARGETS = (ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Starred)
_TEXTS = (ast.Constant, ast.JoinedStr)  # a text agrees with the name that is spelt like it


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """What the parts of a conjunction ask of its metavariables, and what these must match by it.

    `codes` are its patterns, `given` what statements around have to assign, one of each choice,
    `named` what the names of functions or classes around have to match.
    """

    wheres: tuple[f.Where, ...] = ()
    texts: Texts = field(default_factory=dict)
    codes: tuple[str, ...] = ()
    given: tuple[Sequence[Assigned], ...] = ()
    named: tuple[Sequence[str], ...] = ()


ALONE = Together()
_Parts: TypeAlias = tuple[f.Formula, ...]
_known: Bounded[tuple[int, int], tuple[_Parts, Together, Together]] = Bounded(_MOST)


def together(parts: _Parts, outer: Together) -> Together:
    """What is asked of the parts, and by what they are part of; worked out once."""
    key = id(parts), id(outer)
    known = _known.get(key)
    if known is None or known[0] is not parts or known[1] is not outer:
        known = _known[key] = (parts, outer, _together(parts, outer))
    return known[2]


def _together(parts: _Parts, outer: Together) -> Together:
    wheres = (*outer.wheres, *(part for part in parts if isinstance(part, f.Where)))
    around = [one.part for one in parts if isinstance(one, f.Inside)]
    given = tuple(choice for one in around for choice in _assigned_in(one))
    codes = tuple(one.pattern for one in parts if isinstance(one, f.Code)) if given else ()
    texts = {
        one.metavariable.removeprefix("$"): [part.regex for part in regexes_of(one)]
        for one in wheres
    }
    named = tuple(regexes for one in around for regexes in _names_in(one, wheres))
    return Together(wheres, texts, codes, given, named)


def regexes_of(where: f.Where) -> Sequence[f.Regex]:
    """The regular expressions that have to match what a metavariable stands for."""
    return [one for one in _conditions_of(where.condition) if isinstance(one, f.Regex)]


def may_be_spelled(parts: Sequence[f.Formula], text: str) -> bool:
    """May a line have what the metavariables of its patterns stand for?"""
    wheres = [part for part in parts if isinstance(part, f.Where)]
    return not wheres or all(_may_be_spelled(part, wheres, text) for part in parts)


def _may_be_spelled(formula: f.Formula, wheres: Sequence[f.Where], text: str) -> bool:
    match formula:
        case f.Code():
            return all(is_spelled(formula, one, text) for one in wheres)
        case f.Any(parts=parts):
            return any(_may_be_spelled(part, wheres, text) for part in parts)
        case f.All(parts=parts):
            return all(_may_be_spelled(part, wheres, text) for part in parts)
    return True


def is_spelled(code: f.Code, where: f.Where, text: str) -> bool:
    """Does a line have what a metavariable stands for that is written as code on it?"""
    if written_as(code.pattern, where.metavariable) != "code":
        return True
    return _may_be_written(where, text) and all(
        _is_written(one.regex, text) for one in regexes_of(where)
    )


def _may_be_written(where: f.Where, text: str) -> bool:
    """May its code be on the line? The judge reads it without comments and carriage returns."""
    if not where.written or "#" in text or "\r" in text:
        return True
    return f.re2_search(relaxed(where.written), text)


def _is_written(regex: str, text: str) -> bool:
    """May something on the line match? What matches single words only has to match one whole."""
    if not f.re2_search(relaxed(regex), text):
        return False
    return not finds_words(regex) or any(f.re2_search(regex, word) for word in _WORD.findall(text))


def may_be_parameters(
    parts: Sequence[f.Formula], wheres: Sequence[f.Where], around: Around
) -> bool:
    """May the functions around have the parameters that they are asked for?"""
    words = around.header_words
    return words is None or all(
        any(all(f.re2_search(regex, word) for regex in regexes) for word in words)
        for name in chain.from_iterable(map(_parameters_in, parts))
        if (regexes := _regexes_on(name, wheres))
    )


def may_be_called(named: Sequence[Sequence[str]], around: Around) -> bool:
    """May functions or classes around have names that match?"""
    if not named or around.named is None:
        return True
    names = {name for kind in around.named.values() for name in kind}
    return all(
        any(all(f.re2_search(regex, name) for regex in regexes) for name in names)
        for regexes in named
    )


def _names_in(around: f.Formula, wheres: Sequence[f.Where]) -> Iterator[Sequence[str]]:
    """The regexes on the names of the functions and classes that have to be around."""
    parts = around.parts if isinstance(around, f.All) else (around,)
    asked = (*wheres, *(part for part in parts if isinstance(part, f.Where)))
    for part in parts:
        name = name_of(part.pattern) if isinstance(part, f.Code) else None
        regexes = () if name is None else _regexes_on(name, asked)
        if regexes:
            yield regexes


def _parameters_in(formula: f.Formula) -> Set[str]:
    match formula:
        case f.Inside(part=f.All(parts=parts)):
            return frozenset().union(*(_parameters_in(f.Inside(part)) for part in parts))
        case f.Inside(part=f.Code(pattern=pattern)):
            return parameters_of(pattern)
    return frozenset()


def _regexes_on(name: str, wheres: Sequence[f.Where]) -> Sequence[str]:
    on = (one for one in wheres if one.metavariable.removeprefix("$") == name)
    return [part.regex for one in on for part in regexes_of(one)]


def _conditions_of(condition: f.Condition | None) -> Sequence[f.Condition]:
    """The conditions that have to hold together."""
    if condition is None:
        return ()
    return condition.parts if isinstance(condition, f.Both) else (condition,)


def may_agree(asked: Together, node: ast.AST, patterns: Patterned) -> bool:
    """May what stands at a node be what the statements around it give a value?"""
    return not isinstance(node, (ast.Call, ast.Attribute)) or all(
        any(_may_be_assigned(code, node, one, patterns) for one in choice)
        for choice in asked.given
        for code in asked.codes
    )


def _assigned_in(formula: f.Formula) -> Iterator[Sequence[Assigned]]:
    """What has to be assigned in something around: one of each choice."""
    match formula:
        case f.All(parts=parts):
            yield from chain.from_iterable(map(_assigned_in, parts))
        case f.Code(pattern=pattern):
            first = assigned_first(pattern)
            if first is not None and not first.anywhere:
                yield (first,)
        case f.Has(part=part):
            parts = part.parts if isinstance(part, f.Any) else (part,)
            held = [assigned_first(one.pattern) for one in parts if isinstance(one, f.Code)]
            choice = [one for one in held if one is not None and one.anywhere]
            if len(choice) == len(parts):
                yield choice


def _may_be_assigned(pattern: str, node: ast.AST, assigned: Assigned, patterns: Patterned) -> bool:
    """A name stands for itself alone, and has what some assignment gives it."""
    given = stands_for(pattern, assigned.name, node)
    if isinstance(given, ast.Name):
        return patterns.may_be_given(given.id, assigned)
    return given is None or isinstance(given, (*_TARGETS, *_TEXTS))
