"""Told: what a conjunction says of the metavariables of its patterns."""

from collections.abc import Sequence

from vetbox.rules.language import formula as f
from vetbox.rules.sifting.patterned import Texts


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
