"""Raising: a rule that blocks code about to run follows names as far as the resolver can.

Its own level is what the repo profile needs to stay quick, and quiet on honest code. One who hides
writes `getattr(pickle, "loads")`, and is found only where names are looked for behind getattr.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from vetbox.rules.language import formula as f

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


_COMBINATIONS: Mapping[type[object], Callable[[Any], f.Formula]] = {
    f.Any: _parts,
    f.All: _parts,
    f.Inside: _part,
    f.Has: _part,
    f.Focused: _part,
}
