"""Metavariables: what the `where` parts of a conjunction ask of those of its patterns."""

import ast
from collections.abc import Sequence

from vetbox.rules.filtering.relaxing import relaxed
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.patterned import (
    Assigned,
    Patterned,
    Texts,
    assigned_first,
    place_in_call,
    written_as,
)

_TARGETS = (ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Starred)
_TEXTS = (ast.Constant, ast.JoinedStr)  # a text agrees with the name that is spelt like it


def codes_of(formula: f.Formula) -> Sequence[f.Code]:
    """The patterns one of which has to hold; none where something else may."""
    parts = formula.parts if isinstance(formula, f.Any) else (formula,)
    codes = [part for part in parts if isinstance(part, f.Code)]
    return codes if len(codes) == len(parts) else ()


def texts_of(wheres: Sequence[f.Where]) -> Texts:
    """What the texts have to match that metavariables stand for."""
    return {
        one.metavariable.removeprefix("$"): [part.regex for part in regexes_of(one)]
        for one in wheres
    }


def regexes_of(where: f.Where) -> Sequence[f.Regex]:
    """The regular expressions that have to match what a metavariable stands for."""
    return [one for one in _conditions_of(where.condition) if isinstance(one, f.Regex)]


def may_be_spelled(parts: Sequence[f.Formula], text: str) -> bool:
    """May a line have what the metavariables of its patterns stand for?"""
    wheres = [part for part in parts if isinstance(part, f.Where)]
    return not wheres or all(
        any(all(is_spelled(code, one, text) for one in wheres) for code in codes)
        for part in parts
        if (codes := codes_of(part))
    )


def is_spelled(code: f.Code, where: f.Where, text: str) -> bool:
    """Does a line have what a metavariable stands for that is written as code on it?"""
    if written_as(code.pattern, where.metavariable) != "code":
        return True
    return all(f.re2_search(relaxed(one.regex), text) for one in regexes_of(where))


def _conditions_of(condition: f.Condition | None) -> Sequence[f.Condition]:
    """The conditions that have to hold together."""
    if condition is None:
        return ()
    return condition.parts if isinstance(condition, f.Both) else (condition,)


def may_agree(parts: Sequence[f.Formula], node: ast.AST, patterns: Patterned) -> bool:
    """May what a call is given be what the statements around it begin by giving a value?"""
    if not isinstance(node, ast.Call):
        return True
    runs = [one.part for one in parts if isinstance(one, f.Inside)]
    begun = (assigned_first(run.pattern) for run in runs if isinstance(run, f.Code))
    assigned = [one for one in begun if one is not None]
    codes = [one for one in parts if isinstance(one, f.Code)] if assigned else ()
    return all(
        _may_be_target(node.args[: at + 1], one, patterns)
        for one in assigned
        for at in (place_in_call(code.pattern, one.name) for code in codes)
        if at is not None
    )


def _may_be_target(given: Sequence[ast.expr], assigned: Assigned, patterns: Patterned) -> bool:
    """A name stands for itself alone, and has what some assignment gives it."""
    if not given or any(isinstance(one, ast.Starred) for one in given):
        return True
    if isinstance(given[-1], ast.Name):
        return patterns.may_be_given(given[-1].id, assigned.value)
    return isinstance(given[-1], (*_TARGETS, *_TEXTS))
