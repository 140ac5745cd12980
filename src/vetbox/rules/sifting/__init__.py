"""Sifting: which rules may fire on which lines, seen from each line alone before libcst is asked.

A line is parsed by `ast`, which costs a fortieth of what the judge takes for the excerpt around it,
and a rule is dropped there only where the judge would say no whatever the rest of the file holds.
Where plain names and constants decide each place in question, its findings are decided without it.
The law, held by tests: findings with sifting are the findings without it.

- what is asked of a line: `wording` (words a rule needs there), `kinds` (types of nodes), `looks`
  (the nodes left), `relevant_parts` (the expressions that decide), `verdicts` (what is sure).
- the language of rules: `formulas` and their `alternatives`, `conditions`, `certainty`, `naming`,
  `callees`, `arguments`, `assigning`, `importing`, `contained`; patterns in `code_patterns`,
  `chains`, `blocks`, `metavariables`, `metavariable_places`.
- what the file says elsewhere: `assignments`, `binding`, `values` and `computed` (constants),
  `plain` (names), `around` (blocks and functions), `reaching` (how much of that a rule looks at).
"""

import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import cache, cached_property, partial
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt import Kept
from vetbox.rules.excerpt.askers import Askers
from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.fragments import Unreadable, nodes_in
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import Reach
from vetbox.rules.language.rule import Rule
from vetbox.rules.sifting.around import Around
from vetbox.rules.sifting.assignments import Assignments, VisibleAssignments
from vetbox.rules.sifting.certainty import UnsureError
from vetbox.rules.sifting.conditions import Conditions
from vetbox.rules.sifting.formulas import Line
from vetbox.rules.sifting.kinds import Kinds, kinds_of
from vetbox.rules.sifting.looks import Look, Place
from vetbox.rules.sifting.plain import Plain
from vetbox.rules.sifting.reaching import Outlook, reach_from
from vetbox.rules.sifting.relevant_parts import Asked, written
from vetbox.rules.sifting.values import LIBRARIES, Constants
from vetbox.rules.sifting.verdicts import Verdict, Verdicts
from vetbox.rules.sifting.wording import Wordings, are_worded, wordings_of

__all__ = ["Known", "Sieve", "Sifted"]

_Formula: TypeAlias = tuple[str, f.Formula, Kinds]


@dataclass(slots=True, eq=False)
class Sifted:
    """What the lines of a file tell: all findings of the rules that need no judge, by rule, and the
    `lines`, of which a rule that was sifted may fire on those it is `asked` at.
    """

    decided: dict[str, list[Verdict]] = field(default_factory=dict)
    lines: Sequence[int] = ()
    asked: dict[str, set[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known of a formula, whatever the file."""

    kinds: Kinds
    outlook: Outlook
    wordings: Wordings

    @classmethod
    def of(cls, formula: f.Formula) -> "Known":
        return cls(kinds_of(formula), Outlook.of(formula), wordings_of(formula))


_IMPORTERS = re.compile(rb"\b(?:__import__|import_module|modules|resolve_name)\b")
_LIBRARIES = re.compile(rb"\b(?:%s)\b" % "|".join(sorted(LIBRARIES)).encode())


def _has_library(layout: Layout) -> bool:
    """May a module be imported whose constants the judge knows?"""
    codes = (layout.codes[line] for line in layout.import_words)
    return any(map(_LIBRARIES.search, codes)) or _IMPORTERS.search(layout.masked) is not None


class Sieve:
    """Looks through the sites of one file for lines on which some rule may fire.

    Where all that a rule finds is sure, it goes to what is `sifted`, and nothing is kept for it.
    """

    def __init__(
        self,
        layout: Layout,
        rules: Mapping[str, Rule],
        known: Callable[[str], Known],
        sifted: Sifted | None = None,
    ) -> None:
        self._layout, self._sifted = layout, sifted
        if sifted is not None:
            sifted.lines = range(len(layout))
        self._assignments = Assignments(layout)
        self._rules, self._known = rules, known
        self._constants = Constants(self._assignments, library=cache(partial(_has_library, layout)))
        self._conditions: dict[frozenset[int], Conditions] = {}
        self._partial = b"partial" in layout.masked
        self._handed = b"operator" in layout.data

    def possible(self, rules: Iterable[str]) -> set[str]:
        """The rules that may fire at all; no layout has an identifier beyond ASCII."""
        rules = set(rules)
        left = {rule for rule in rules if not isinstance(self._rules[rule].matcher, f.Identifier)}
        if self._sifted is not None:
            self._sifted.decided |= {rule: [] for rule in rules - left}
        return left

    def kept(self, sites: Sites, askers: Askers) -> Kept:
        """The lines on which a rule may fire, by how far it looks from there."""
        rules = askers.rules
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            looks = [look for look in self._looks(sites, askers) if look.places]
            left = (
                set(rules) if self._sifted is None else self._undecided(looks, rules, self._sifted)
            )
            corrected = any(map(self._is_corrected_by_more, left))
            found = defaultdict[Reach, dict[int, bytes | None]](dict)
            for look in looks:
                for reach, places in self._by_reach(look, left).items():
                    found[reach][look.at] = None if corrected else written(look.by(places))
            return found

    def _by_reach(self, look: Look, rules: Set[str]) -> Mapping[Reach, list[Place]]:
        """The places of some rules on a line, by how far these look from there."""
        found = defaultdict[Reach, list[Place]](list)
        for place in look.places:
            rule, _, node = place
            if rule in rules:
                reach = reach_from(node, look.asked.line, self._known(rule).outlook)
                found[reach].append(place)
        return found

    def _undecided(self, looks: Sequence[Look], rules: Iterable[str], sifted: Sifted) -> set[str]:
        """The rules of which something is not sure; what the others find is `sifted`."""
        found: dict[str, list[Verdict]] = {rule: [] for rule in rules}
        sifted.asked |= {rule: set() for rule in found}
        for look in looks:
            verdicts = Verdicts(look.asked.line, self._layout, look.at, self._plain)
            for rule, _, node in look.places:
                sifted.asked[rule].add(look.at)
                if rule not in found:
                    continue
                try:
                    verdict = verdicts.of(self._rules[rule], node)
                except UnsureError:
                    del found[rule]
                    continue
                found[rule] += [verdict] if verdict else []
        sifted.decided.update(found)
        return set(rules) - found.keys()

    @cached_property
    def _plain(self) -> Plain:
        return Plain(self._layout)

    def _looks(self, sites: Sites, askers: Askers) -> Iterator[Look]:
        renamed = {name.decode() for name in sites.renamed}
        known = {name.decode() for name in sites.names}
        formulas = {
            rule: (rule, self._rules[rule].matcher, self._known(rule).kinds)
            for rule in askers.rules
        }
        for at in sites.lines:
            asking = [formulas[rule] for rule in self._worded(at, sites, askers)]
            text = self._assignments.code(at)
            around = Around(self._layout, at)
            seen = self._conditions_at(at)
            line = Line(text, (), seen, renamed, known, self._partial, around, sites.follow)
            yield Look(at, Asked(line, self._handed), [*_places(line, asking)])

    def _worded(self, line: int, sites: Sites, askers: Askers) -> Iterator[str]:
        """The rules that the line may concern, and that find the words of their patterns there."""
        words = askers.words(line)
        code = self._layout.data[self._layout.starts[line] : self._layout.ends[line]]
        for rule in askers.at(line, words):
            if are_worded(self._known(rule).wordings, words, code, sites.renamed):
                yield rule

    def _is_corrected_by_more(self, rule: str) -> bool:
        fix = self._rules[rule].fix
        return fix is not None and fix.when is not None

    def _conditions_at(self, line: int) -> Conditions:
        """What may be said of the names that a line sees: one answer for a whole function."""
        scopes = self._assignments.scopes_of(line)
        known = self._conditions.get(scopes)
        if known is None:
            seen = VisibleAssignments(self._assignments, scopes)
            constants = self._constants.as_seen(seen)
            known = self._conditions[scopes] = Conditions(seen, constants)
        return known


def _places(line: Line, formulas: Iterable[_Formula]) -> Iterator[Place]:
    """Where on a line the formulas may hold."""
    possible = [one for one in formulas if line.may_stand(one[1])]
    try:
        line.nodes = nodes_in(line.text) if possible else ()
    except Unreadable:
        yield from ((rule, formula, None) for rule, formula, _ in possible)
        return
    for rule, formula, kinds in possible:
        for node in line.of(kinds):
            if line.may_hold(formula, node):
                yield rule, formula, node
