"""Told: what a conjunction says of the metavariables of its patterns."""

import ast
from collections.abc import Sequence

from vetbox.rules.language import formula as f
from vetbox.rules.sifting.patterned import Texts, assigned_first, place_in_call

_TARGETS = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Starred)
_TEXTS = (ast.Constant, ast.JoinedStr)  # a text agrees with the name that is spelt like it


def codes_of(formula: f.Formula) -> Sequence[f.Code]:
    """The patterns one of which has to hold; none where something else may."""
    parts = formula.parts if isinstance(formula, f.Any) else (formula,)
    codes = [part for part in parts if isinstance(part, f.Code)]
    return codes if len(codes) == len(parts) else ()


def texts_of(told: Sequence[f.Where]) -> Texts:
    """What the texts have to match that metavariables stand for."""
    return {
        one.metavariable.removeprefix("$"): [
            part.regex for part in conditions_of(one.condition) if isinstance(part, f.Regex)
        ]
        for one in told
    }


def conditions_of(condition: f.Condition | None) -> Sequence[f.Condition]:
    """The conditions that have to hold together."""
    if condition is None:
        return ()
    return condition.parts if isinstance(condition, f.Both) else (condition,)


def may_agree(parts: Sequence[f.Formula], node: ast.AST) -> bool:
    """May what a call is given be what the statements around it begin by giving a value?"""
    if not isinstance(node, ast.Call):
        return True
    runs = [one.part for one in parts if isinstance(one, f.Inside)]
    assigned = {assigned_first(run.pattern) for run in runs if isinstance(run, f.Code)} - {None}
    codes = [one for one in parts if isinstance(one, f.Code)] if assigned else ()
    places = {place_in_call(code.pattern, name) for code in codes for name in assigned if name}
    return all(_may_be_target(node.args[: at + 1]) for at in places if at is not None)


def _may_be_target(given: Sequence[ast.expr]) -> bool:
    starred = any(isinstance(one, ast.Starred) for one in given)
    return starred or not given or isinstance(given[-1], (*_TARGETS, *_TEXTS))
