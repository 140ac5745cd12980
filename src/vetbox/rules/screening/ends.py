"""Ends: what must be in the code for a rule to fire; of a flow, its source and its sink."""

from collections.abc import Iterator

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.raising import formula_in
from vetbox.rules.language.rule import Profile, Rule
from vetbox.rules.screening.sought import Sought

_OF_ARGUMENTS = ("{argument}", "{value}")
"""What a message says of the arguments of a call."""


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """What is sought, and the anchors one of which must hold; None: any of the rule's.

    Of a rule that is not `is_local` the whole code decides: it follows data, or mends the code. Of
    others it is known what of a place it `points_at`, where that and the names there tell all. What
    is `handed` to other calls counts as called.
    """

    sought: Sought
    anchors: frozenset[Anchor] | None = None
    is_local: bool = False
    points_at: str | None = None
    handed: tuple[f.Names, ...] = ()

    @property
    def is_parsed(self) -> bool:
        """Is it asked of the parsed code, not of its text?"""
        return not isinstance(self.sought.formula, f.Raw)


def ends_of(rule: Rule, profile: Profile) -> tuple[End, ...]:
    """All that must be there for a rule to fire."""
    if rule.taint is None:
        sought = Sought.of(formula_in(rule, profile))
        return (End(sought, is_local=rule.fix is None, points_at=_pointed_at(rule, profile)),)
    sources = f.Any(tuple(place.formula for place in rule.taint.sources if place.enters))
    sinks = f.Any(tuple(place.formula for place in rule.taint.sinks))
    return (
        End(Sought.of(sources), frozenset(rule.needs)),
        End(Sought.of(sinks), frozenset(rule.anchors), handed=tuple(_called(sinks))),
    )


def _called(formula: f.Formula) -> Iterator[f.Names]:
    """The functions of which some calls are meant."""
    match formula:
        case f.Any(parts=parts) | f.All(parts=parts):
            for part in parts:
                yield from _called(part)
        case f.Call(names=names):
            yield names


def _pointed_at(rule: Rule, profile: Profile) -> str | None:
    """The part of a place that a rule shows; None where it says more than names tell."""
    message = rule.message_in(profile)
    if rule.fix is not None or any(word in message for word in _OF_ARGUMENTS):
        return None
    return None if rule.report.part == "argument" else rule.report.part
