"""A rule set made ready for one profile: the rules that are on, and the words they wait for."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from vetbox.late_dataclasses import dataclass
from vetbox.rules.filtering.prefilter import Prefilter, Seen, anchors_in, counting
from vetbox.rules.filtering.signs import SIGNS
from vetbox.rules.language.anchors import Anchor, Anchors, Reach
from vetbox.rules.language.rule import Paths, Profile, Rule, RuleSet
from vetbox.rules.language.whereabouts import place_of
from vetbox.rules.remembering import Bounded

if TYPE_CHECKING:
    from vetbox.code.source import Source
    from vetbox.rules.excerpt import Sieve
    from vetbox.rules.excerpt.layout import Layout
    from vetbox.rules.matching.dispatch import Dispatch
    from vetbox.rules.narrowing import Post, Posts
    from vetbox.rules.screening import End, Screened
    from vetbox.rules.sifting import Known, Sifted
    from vetbox.rules.taint.survey import Survey

MAX_COMBINATIONS = 300
"""Of rules that are asked together; 6,800 files of real code need 130."""


def _combinations() -> Bounded[Any, Any]:
    return Bounded(MAX_COMBINATIONS)


@dataclass(slots=True, eq=False)
class Program:
    """Built once for a rule set and profile.

    `dispatches` and `surveys` remember what was asked together.
    """

    profile: Profile
    rules: Mapping[str, Rule]
    prefilter: Prefilter
    placed: Mapping[Paths, frozenset[str]]
    reaches: Mapping[str, Reach]
    dispatches: "dict[frozenset[str], Dispatch]" = field(default_factory=_combinations)
    surveys: "dict[tuple[frozenset[str], frozenset[Post] | None, frozenset[str]], Survey]" = field(
        default_factory=_combinations
    )
    ends: "dict[str, tuple[End, ...]]" = field(default_factory=dict)
    posts: "Posts | None" = None
    excusing: frozenset[str] = frozenset()
    """The rules on flows that may say of what others find that all of it is known."""
    known: "dict[str, Known]" = field(default_factory=dict)

    def hits(self, source: "Source") -> Anchors:
        """The rules that may fire in a source, each with those of its anchors that hold."""
        return self.seen(source).hits

    def seen(self, source: "Source") -> Seen:
        """The same, and the signs that a source has."""
        place = place_of(source.path) if self.placed else ""
        elsewhere = (rules for paths, rules in self.placed.items() if place not in paths)
        return self.prefilter.seen(source.data, frozenset().union(*elsewhere))

    def screened(self, source: "Source", hits: Anchors) -> "Screened":
        """Those of the rules that may fire as the words stand in the code."""
        from vetbox.rules.screening import screened

        return screened(source, hits, self._ends)

    def _ends(self, rule: str) -> "tuple[End, ...]":
        known = self.ends.get(rule)
        if known is None:
            from vetbox.rules.screening import ends_of

            known = self.ends[rule] = ends_of(self.rules[rule], self.profile)
        return known

    def sieve(self, hits: Anchors, sifted: "Sifted | None" = None) -> "Callable[[Layout], Sieve]":
        """What makes a sieve for the lines of a file where these rules may fire.

        What it tells goes to what is `sifted`, if that is given.
        """
        from vetbox.rules.sifting import Sieve

        rules = {name: self.rules[name] for name in hits}
        return lambda layout: Sieve(layout, rules, self._known, sifted)

    def _known(self, rule: str) -> "Known":
        found = self.known.get(rule)
        if found is None:
            from vetbox.rules.sifting import Known

            found = self.known[rule] = Known.of(self.rules[rule].matcher)
        return found


def program_of(rules: RuleSet, profile: Profile) -> Program:
    """The rule set's program, made when first asked for."""
    known: Program | None = rules.programs.get(profile)
    if known is None:
        known = rules.programs[profile] = _program(rules, profile)
    return known


def _program(rules: RuleSet, profile: Profile) -> Program:
    on = {
        name: rule.meant_in(profile)
        for name, rule in rules.rules.items()
        if rule.profiles.get(profile)
    }
    anchors = anchors_in(on.values(), profile)
    needs = _needs(on.values(), profile)
    # Where code stands excuses nothing when it is about to run: a hostile tree may be called tests.
    placed = on.values() if profile is Profile.REPO else ()
    picky = [rule for rule in placed if rule.paths != Paths()]
    by_paths = {
        paths: frozenset(rule.id for rule in picky if rule.paths == paths)
        for paths in {rule.paths for rule in picky}
    }
    reaches = {name: rule.reach for name, rule in on.items()}
    # Of code about to run all is reported, whatever its parts are.
    asking = on.values() if profile is Profile.REPO else ()
    excusing = frozenset(name for rule in asking for name in rule.excused_by)
    prefilter = Prefilter(anchors, needs, SIGNS)
    return Program(profile, on, prefilter, by_paths, reaches, excusing=excusing)


def _needs(rules: Collection[Rule], profile: Profile) -> Anchors:
    """What rules wait for besides their own anchors; those that wait for the same share it."""
    counted: dict[int, tuple[Anchor, ...]] = {}
    for rule in rules:
        if id(rule.needs) not in counted:
            counted[id(rule.needs)] = counting(rule.needs, profile)
    return {rule.id: counted[id(rule.needs)] for rule in rules if rule.needs}
