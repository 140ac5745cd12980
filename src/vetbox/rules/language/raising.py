"""Raising: a rule that blocks code about to run follows names as far as the resolver can.

Its own level is what the repo profile needs to stay quick, and quiet on honest code. One who hides
writes `getattr(pickle, "loads")`, and is found only where names are looked for behind getattr.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from vetbox.findings import Severity
from vetbox.rules.language import formula as f
from vetbox.rules.language.rule import Profile, Rule

_NAMING = (f.Call, f.Name, f.Attr, f.Assign, f.Decorator, f.Import, f.Def, f.Class, f.Except)


def raised(formula: f.Formula) -> f.Formula:
    """The formula with every name that follows aliases followed through lookups as well.

    What is denied keeps its level: a name that may be anything excuses nothing.
    """
    raise_ = _COMBINATIONS.get(type(formula))
    if raise_ is not None:
        return raise_(formula)
    if isinstance(formula, _NAMING) and formula.resolve is f.Resolve.ALIASES:
        return replace(formula, resolve=f.Resolve.DYNAMIC)
    return formula


def _parts(formula: f.Any | f.All) -> f.Formula:
    return replace(formula, parts=tuple(map(raised, formula.parts)))


def _part(formula: f.Inside | f.Has | f.Focused) -> f.Formula:
    return replace(formula, part=raised(formula.part))


def formula_in(rule: Rule, profile: Profile) -> f.Formula:
    """What a rule looks for in a profile: where it blocks, behind every lookup."""
    blocks = profile is Profile.AGENT and rule.profiles.get(profile) is Severity.ERROR
    return raised(rule.matcher) if blocks else rule.matcher


def handed_on(formula: f.Formula) -> tuple[f.Call, ...]:
    """The calls whose function is as dangerous in other hands: no condition on the arguments."""
    match formula:
        case f.Any(parts=parts):
            return tuple(call for part in parts for call in handed_on(part))
        case f.Call(resolve=f.Resolve.DYNAMIC, arguments=(), absent=()):
            return (formula,)
    return ()


_COMBINATIONS: Mapping[type[object], Callable[[Any], f.Formula]] = {
    f.Any: _parts,
    f.All: _parts,
    f.Inside: _part,
    f.Has: _part,
    f.Focused: _part,
}
