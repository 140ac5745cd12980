"""Sifting: which rules may fire on which lines, told from each line alone before libcst is asked.

A line is parsed by `ast`, which costs a fortieth of what the judge takes for the excerpt around it,
and a rule is dropped there only where the judge would say no whatever the rest of the file holds.
The law, held by tests: findings with sifting are the findings without it.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache, partial
from typing import TypeAlias

from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.fragments import Unreadable, nodes_in
from vetbox.rules.language import formula as f
from vetbox.rules.language.rule import Rule
from vetbox.rules.sifting.around import Around
from vetbox.rules.sifting.asked import WHOLE, Asked, Expressions, written
from vetbox.rules.sifting.conditions import Conditions
from vetbox.rules.sifting.formulas import Line
from vetbox.rules.sifting.givens import Givens, SeenGivens
from vetbox.rules.sifting.kinds import Kinds, kinds_of
from vetbox.rules.sifting.values import LIBRARIES, Constants

__all__ = ["Kinds", "Sieve", "kinds_of"]

_Formula: TypeAlias = tuple[f.Formula, Kinds]

_IMPORTERS = re.compile(rb"\b(?:__import__|import_module|modules|resolve_name)\b")
_LIBRARIES = re.compile(rb"\b(?:%s)\b" % "|".join(sorted(LIBRARIES)).encode())


def _has_library(layout: Layout) -> bool:
    """May a module be imported whose constants the judge knows?"""
    codes = (layout.codes[line] for line in layout.import_words)
    return any(map(_LIBRARIES.search, codes)) or _IMPORTERS.search(layout.masked) is not None


class Sieve:
    """Looks through the sites of one file for lines on which some rule may fire."""

    def __init__(
        self, layout: Layout, rules: Mapping[str, Rule], kinds: Callable[[str], Kinds]
    ) -> None:
        self._givens = Givens(layout)
        self._rules, self._kinds = rules, kinds
        self._constants = Constants(self._givens, library=cache(partial(_has_library, layout)))
        self._conditions: dict[frozenset[int], Conditions] = {}
        self._partial = b"partial" in layout.masked
        self._handed = b"operator" in layout.data

    def possible(self, rules: Iterable[str]) -> set[str]:
        """The rules that may fire at all; no layout has an identifier beyond ASCII."""
        return {rule for rule in rules if not isinstance(self._rules[rule].matcher, f.Identifier)}

    def kept(self, sites: Sites, rules: Iterable[str]) -> dict[int, bytes | None]:
        """The lines on which a rule may fire, with the words that decide there; None: all."""
        renamed = {name.decode() for name in sites.renamed}
        known = {name.decode() for name in sites.names}
        formulas = [(self._rules[rule].matcher, self._kinds(rule)) for rule in rules]
        corrected = any(map(self._is_corrected_by_more, rules))
        found: dict[int, bytes | None] = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for line in sites.lines:
                asked = self._asked(line, formulas, renamed, known)
                if asked:
                    found[line] = None if corrected else written(asked)
        return found

    def _is_corrected_by_more(self, rule: str) -> bool:
        fix = self._rules[rule].fix
        return fix is not None and fix.when is not None

    def _conditions_at(self, line: int) -> Conditions:
        """What may be said of the names that a line sees: one answer for a whole function."""
        scopes = self._givens.scopes_of(line)
        known = self._conditions.get(scopes)
        if known is None:
            seen = SeenGivens(self._givens, scopes)
            constants = self._constants.as_seen(seen)
            known = self._conditions[scopes] = Conditions(seen, constants)
        return known

    def _asked(
        self, line: int, formulas: Iterable[_Formula], renamed: Set[str], known: Set[str]
    ) -> list[Expressions]:
        text = self._givens.code(line)
        around = Around(self._givens.layout, line)
        conditions = self._conditions_at(line)
        fragment = Line(text, (), conditions, renamed, known, self._partial, around)
        possible = [(one, kinds) for one, kinds in formulas if fragment.may_stand(one)]
        try:
            fragment.nodes = nodes_in(text) if possible else ()
        except Unreadable:
            return [WHOLE]
        asked = Asked(fragment, self._handed)
        found = [*asked.by(possible)]
        return [WHOLE] if asked.binds(found) else found
