"""Doubting: a rule that holds where there may be a good reason is only half as sure of it there.

One formula says both: what surely holds, or what holds and is remembered as doubtful.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vetbox.rules.language import formula as f

DOUBT = "doubtful"
"""No metavariable is spelt like this."""


def doubted(parts: Sequence[f.Formula], doubts: Sequence[f.Formula]) -> list[f.Formula]:
    """The parts of a formula that holds all the same, marked where one of the doubts holds."""
    if not doubts:
        return list(parts)
    sure = f.All((*parts, *map(f.Not, doubts)))
    # What a doubt binds must not be known to what the parts deny.
    doubtful = f.All((f.All(tuple(parts)), f.Any(tuple(doubts))))
    return [f.Any((sure, f.Focused(doubtful, None, DOUBT)))]


def undoubted(formula: f.Formula) -> tuple[f.Formula, tuple[f.Formula, ...]]:
    """What `doubted` made a formula of: what is looked for, and the doubts."""
    match formula:
        case f.Focused(part=part, on=on, as_=as_) if on is not None:
            whole, doubts = undoubted(part)
            return f.Focused(whole, on, as_), doubts
        case f.Any():
            split = split_in(formula)
            if split is not None:
                return split.whole, split.doubts.parts
    return formula, ()


class Split(NamedTuple):
    """What is looked for, and what makes it doubtful."""

    whole: f.Formula
    doubts: f.Any


def split_in(formula: f.Any) -> Split | None:
    """The two parts of what `doubted` made; whoever has asked one need not ask it again."""
    match formula.parts:
        case (_, f.Focused(f.All((whole, f.Any() as doubts)), as_=name)) if name == DOUBT:
            return Split(whole, doubts)
    return None


def is_doubtful(bound: Iterable[str | None]) -> bool:
    """Is a match that binds these names one that was marked?"""
    return DOUBT in bound
