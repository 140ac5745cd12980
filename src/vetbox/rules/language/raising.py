"""Raising: a rule that blocks code about to run follows names as far as the resolver can.

Its own level is what the repo profile needs to stay quick, and quiet on honest code. One who hides
writes `getattr(pickle, "loads")`, and is found only where names are looked for behind getattr.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vetbox.findings import Severity
from vetbox.late_dataclasses import dataclass
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
    if profile is not Profile.AGENT:
        return rule.matcher
    if rule.profiles.get(profile) is Severity.ERROR:
        return raised(rule.matcher)
    return rule.matcher if rule.flows else marked(rule.matcher)


def marked(formula: f.Formula) -> f.Formula:
    """The formula with the calls that count wherever their function is handed on, too.

    Of a function that only its last word names nobody knows whether it is this one.
    """
    match formula:
        case f.Any(parts=parts):
            return replace(formula, parts=tuple(map(marked, parts)))
        case f.All(parts=parts) if _alone(parts) is not None:
            kept = (part if isinstance(part, f.Not) else marked(part) for part in parts)
            return replace(formula, parts=tuple(kept))
        case f.Call(resolve=f.Resolve.ALIASES, arguments=(), absent=(), names=names):
            return replace(formula, handed=_known(names))
    return formula


def _known(names: f.Names) -> f.Names | None:
    known = f.Names(names.exact, tuple(one for one in names.globs if not one.startswith("*")))
    return known if known.exact or known.globs else None


def _alone(parts: Sequence[f.Formula]) -> f.Formula | None:
    """The one part that does not only deny."""
    positive = [part for part in parts if not isinstance(part, f.Not)]
    return positive[0] if len(positive) == 1 else None


@dataclass(frozen=True, slots=True)
class HandedOn:
    """Functions that are as dangerous in other hands, and what there must not be around them."""

    names: f.Names
    denied: tuple[f.Formula, ...] = ()


def handed_on(formula: f.Formula) -> tuple[HandedOn, ...]:
    """The functions of calls that are meant whatever their arguments are."""
    match formula:
        case f.Any(parts=parts):
            return tuple(call for part in parts for call in handed_on(part))
        case f.All(parts=parts):
            alone = _alone(parts)
            denied = tuple(part for part in parts if isinstance(part, f.Not))
            found = handed_on(alone) if alone is not None else ()
            return tuple(replace(one, denied=(*one.denied, *denied)) for one in found)
        case f.Call(resolve=f.Resolve.DYNAMIC, arguments=(), absent=(), names=names):
            return (HandedOn(names),)
        case f.Call(handed=f.Names() as names):
            return (HandedOn(names),)
    return ()


_COMBINATIONS: Mapping[type[object], Callable[[Any], f.Formula]] = {
    f.Any: _parts,
    f.All: _parts,
    f.Inside: _part,
    f.Has: _part,
    f.Focused: _part,
}
