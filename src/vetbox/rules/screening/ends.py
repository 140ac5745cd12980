"""Ends: what must be in the code for a rule; of one that follows data, its source and its sink."""

from dataclasses import dataclass

from vetbox.rules.filtering.anchors import Anchor
from vetbox.rules.language import formula as f
from vetbox.rules.language.raising import formula_in
from vetbox.rules.language.rule import Profile, Rule
from vetbox.rules.screening.sought import Sought


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """What is sought, and the anchors one of which must hold; None: any of the rule's.

    Of a rule that is not `is_local` the whole code decides: it follows data, or mends the code.
    """

    sought: Sought
    anchors: frozenset[Anchor] | None = None
    is_local: bool = False

    @property
    def is_parsed(self) -> bool:
        """Is it asked of the parsed code, not of its text?"""
        return not isinstance(self.sought.formula, f.Raw)


def ends_of(rule: Rule, profile: Profile) -> tuple[End, ...]:
    """All that must be there for a rule to fire."""
    if rule.taint is None:
        return (End(Sought.of(formula_in(rule, profile)), is_local=rule.fix is None),)
    sources = f.Any(tuple(place.formula for place in rule.taint.sources))
    sinks = f.Any(tuple(place.formula for place in rule.taint.sinks))
    return (
        End(Sought.of(sources), frozenset(rule.needs)),
        End(Sought.of(sinks), frozenset(rule.anchors)),
    )
