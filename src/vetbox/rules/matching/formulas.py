"""Formulas at a node: matchers and patterns combined by any, all, not, inside, has and where.

A formula is asked with what metavariables stand for already, and answers with every way it holds.
In a conjunction what is looked for goes first, then what is around and within, then conditions on
metavariables, then what is denied: whatever order they are written in, all see the same bindings.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.language.comparison import Comparison
from vetbox.rules.language.doubting import DOUBT, Split, split_in
from vetbox.rules.matchers import match_one
from vetbox.rules.matching.coded import is_run, ways, ways_around
from vetbox.rules.matching.conditions import holds
from vetbox.rules.matching.facts import ResolverFacts
from vetbox.rules.matching.match import Match
from vetbox.rules.matching.within import binds_nothing, within
from vetbox.rules.matching.written import text_of, written_of
from vetbox.rules.patterns.bindings import EMPTY, Bindings, Bound
from vetbox.rules.resolve.names import Resolver

Matches: TypeAlias = Iterator[Match]


def match(formula: f.Formula, node: cst.CSTNode, facts: Resolver) -> Match | None:
    """The first way in which the formula holds at the node, or None."""
    return next(matches(formula, node, facts), None)


def matches(
    formula: f.Formula, node: cst.CSTNode, facts: Resolver, env: Bindings = EMPTY
) -> Matches:
    """Every way in which the formula holds at the node, given what is bound."""
    combine = _COMBINATIONS.get(type(formula))
    if combine is not None:
        yield from combine(formula, node, facts, env)
        return
    found = match_one(formula, node, facts)
    if found is not None:
        yield found if env is EMPTY else replace(found, bindings=env)


def _any(formula: f.Any, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    split = split_in(formula)
    if split is not None:
        yield from _doubted(split, node, facts, env)
        return
    for part in formula.parts:
        yield from matches(part, node, facts, env)


def _doubted(split: Split, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    """The ways that nothing makes doubtful, then the others, marked: one doubt is enough."""
    doubtful: list[tuple[Match, Match]] = []
    for found in matches(split.whole, node, facts, env):
        doubt = next(matches(split.doubts, node, facts, found.bindings), None)
        if doubt is None:
            yield found
        else:
            doubtful.append((found, doubt))
    for found, doubt in doubtful:
        marked = doubt.bindings.with_(DOUBT, Bound(None, (node,)))
        if marked is not None:
            yield replace(found.with_words(doubt.words), bindings=marked)


def _all(formula: f.All, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    """Every part; the place and the words of the first ones win."""
    parts = in_turn(formula.parts)
    return _conjunction(parts, node, facts, Match(node, bindings=env), first=True)


def in_turn(parts: Iterable[f.Formula]) -> list[f.Formula]:
    """The parts of a conjunction in the order in which they are asked."""
    return sorted(parts, key=_turn)


def _turn(part: f.Formula) -> int:
    """A denial waits for what others bind, unless it asks for nothing that is bound."""
    if isinstance(part, f.Not) and binds_nothing(part):
        return _TURNS[f.Has]
    return _TURNS.get(type(part), 0)


def _conjunction(
    parts: list[f.Formula], node: cst.CSTNode, facts: Resolver, so_far: Match, *, first: bool
) -> Matches:
    if not parts:
        yield so_far
        return
    for found in matches(parts[0], node, facts, so_far.bindings):
        whole = found if first else so_far.followed_by(found)
        yield from _conjunction(parts[1:], node, facts, whole, first=False)


def _not(formula: f.Not, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    if next(matches(formula.part, node, facts, env), None) is None:
        yield Match(node, bindings=env)


def _inside(formula: f.Inside, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    for bindings in _around(formula.part, node, facts, env):
        yield Match(node, bindings=bindings)


def _around(
    part: f.Formula, node: cst.CSTNode, facts: Resolver, env: Bindings
) -> Iterator[Bindings]:
    """What is bound by everything around the node that matches."""
    match part:
        case f.Code():
            yield from ways_around(part, node, facts, env)
        case f.Any(parts=parts):
            for option in parts:
                yield from _around(option, node, facts, env)
        case f.All(parts=[run, *wheres]) if _is_of_runs(run) and _are_wheres(wheres):
            for bound in _around(run, node, facts, env):
                fitting = matches(f.All(tuple(wheres)), node, facts, bound)
                yield from (found.bindings for found in fitting)
        case _:
            for around in facts.tree.ancestors(node):
                yield from (found.bindings for found in matches(part, around, facts, env))


def _is_of_runs(part: f.Formula) -> bool:
    if isinstance(part, f.Any):
        return all(map(_is_of_runs, part.parts))
    return isinstance(part, f.Code) and is_run(part)


def _are_wheres(parts: Iterable[f.Formula]) -> bool:
    """Do they all ask what metavariables stand for, wherever that is asked?"""
    return all(isinstance(part, f.Where) for part in parts)


def _has(formula: f.Has, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    if binds_nothing(formula.part):
        if _holds_within(formula, node, facts):
            yield Match(node, bindings=env)
        return
    for place in within(formula.part, node, facts):
        for found in matches(formula.part, place, facts, env):
            yield Match(node, bindings=found.bindings)


def _holds_within(formula: f.Has, node: cst.CSTNode, facts: Resolver) -> bool:
    """Asked once, as every line of a function may ask it of the function."""
    key = id(formula), id(node)
    if key not in facts.known_within:
        places = within(formula.part, node, facts)
        holds_there = any(match(formula.part, place, facts) is not None for place in places)
        facts.known_within[key] = formula, holds_there
    return facts.known_within[key][1]


def _code(formula: f.Code, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    """A definition that a pattern wrote out is shown from its first decorator on."""
    focus = node if type(node) in _DEFINITIONS else None
    for bindings in ways(formula, node, facts, env):
        yield Match(node, bindings=bindings, focus=focus)


def _where(formula: f.Where, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    bound = env.get(formula.metavariable)
    if bound is None or not _fits(formula, bound, facts):
        return
    if formula.comparison is not None and not _compares(formula.comparison, env, facts):
        return
    if formula.part is None:
        yield Match(node, bindings=env)
        return
    itself = _denies(formula.part)
    for root in bound.nodes:
        for place in (root,) if itself else within(formula.part, root, facts):
            for found in matches(formula.part, place, facts, env):
                yield Match(node, bindings=found.bindings)


def _denies(formula: f.Formula) -> bool:
    """Does it only say what is not there? Something else always is, so it is of the whole."""
    match formula:
        case f.Not():
            return True
        case f.All(parts=parts):
            return all(map(_denies, parts))
    return False


def _fits(formula: f.Where, bound: Bound, facts: Resolver) -> bool:
    """Do the text, the code, the value and the type of what is bound fit?"""
    if formula.written and not f.re2_search(formula.written, written_of(bound, facts.tree)):
        return False
    if formula.not_written and f.re2_search(formula.not_written, written_of(bound, facts.tree)):
        return False
    if formula.condition is not None and not _holds(formula.condition, bound, facts):
        return False
    if formula.types is None:
        return True
    known = ResolverFacts(facts)
    return any(name in formula.types for node in bound.nodes for name in known.kinds(node))


def _holds(condition: f.Condition, bound: Bound, facts: Resolver) -> bool:
    """Regular expressions read the text of what is bound, all other conditions its value."""
    match condition:
        case f.Both(parts=parts):
            return all(_holds(part, bound, facts) for part in parts)
        case f.Regex(regex=regex):
            return f.re2_search(regex, text_of(bound, facts.tree))
    return any(
        holds(condition, node, facts)
        for node in bound.nodes
        if isinstance(node, cst.BaseExpression)
    )


def _compares(comparison: Comparison, env: Bindings, facts: Resolver) -> bool:
    known = ResolverFacts(facts)
    values = {}
    for name in comparison.metavariables:
        bound = env.get(name)
        if bound is not None:
            code = None if bound.inner else next(iter(bound.nodes), None)
            values[name] = bound.text if code is None else known.constant(code)
    return comparison.holds(values)


def _focused(formula: f.Focused, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Matches:
    for found in matches(formula.part, node, facts, env):
        remembered = found.bindings
        if formula.as_ is not None:
            named = remembered.with_(formula.as_, Bound(None, (node,)))
            if named is None:
                continue
            remembered = named
        yield replace(_at(found, formula.on), bindings=remembered)


def _at(found: Match, metavariable: str | None) -> Match:
    """The match, pointing at what a metavariable stands for."""
    bound = found.bindings.get(metavariable) if metavariable else None
    return found if bound is None or not bound.nodes else replace(found, focus=bound.nodes[0])


_COMBINATIONS: dict[type[object], Callable[[Any, cst.CSTNode, Resolver, Bindings], Matches]] = {
    f.Any: _any,
    f.All: _all,
    f.Not: _not,
    f.Inside: _inside,
    f.Has: _has,
    f.Code: _code,
    f.Where: _where,
    f.Focused: _focused,
    f.Raw: lambda *_: iter(()),
}
_DEFINITIONS = frozenset({cst.FunctionDef, cst.ClassDef})
_TURNS: dict[type[object], int] = {f.Inside: 1, f.Has: 1, f.Where: 2, f.Not: 3}
