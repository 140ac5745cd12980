"""Sifting: which rules may fire on which lines, told from each line alone before libcst is asked.

A line is parsed by `ast`, which costs a fortieth of what the judge takes for the excerpt around it,
and a rule is dropped there only where the judge would say no whatever the rest of the file holds.
The law, held by tests: findings with sifting are the findings without it.
"""

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache, partial

from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.fragments import Unreadable, nodes_in
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.around import Around
from vetbox.rules.sifting.conditions import Conditions
from vetbox.rules.sifting.formulas import Line
from vetbox.rules.sifting.givens import Givens
from vetbox.rules.sifting.values import LIBRARIES, Constants

__all__ = ["Sieve"]


_IMPORTERS = re.compile(rb"\b(?:__import__|import_module|modules|resolve_name)\b")
_LIBRARIES = re.compile(rb"\b(?:%s)\b" % "|".join(sorted(LIBRARIES)).encode())


def _has_library(layout: Layout) -> bool:
    """May a module be imported whose constants the judge knows?"""
    codes = (layout.codes[line] for line in layout.import_lines)
    return any(map(_LIBRARIES.search, codes)) or _IMPORTERS.search(layout.masked) is not None


class Sieve:
    """Looks through the sites of one file for lines on which some rule may fire."""

    def __init__(self, layout: Layout, formulas: Mapping[str, f.Formula]) -> None:
        self._givens = Givens(layout)
        self._formulas = formulas
        constants = Constants(self._givens, library=cache(partial(_has_library, layout)))
        self._conditions = Conditions(self._givens, constants)
        self._partial = b"partial" in layout.masked

    def possible(self, rules: Iterable[str]) -> set[str]:
        """The rules that may fire at all; no layout has an identifier beyond ASCII."""
        return {rule for rule in rules if not isinstance(self._formulas[rule], f.Identifier)}

    def kept(self, sites: Sites, rules: Iterable[str]) -> set[int]:
        """The lines of the sites on which one of these rules may fire."""
        return self.sifted(sites, [self._formulas[rule] for rule in rules])

    def sifted(self, sites: Sites, formulas: Sequence[f.Formula]) -> set[int]:
        """The lines of the sites on which one of these formulas may hold."""
        renamed = {name.decode() for name in sites.renamed}
        known = {name.decode() for name in sites.names}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {line for line in sites.lines if self._may_fire(line, formulas, renamed, known)}

    def _may_fire(
        self, line: int, formulas: Iterable[f.Formula], renamed: Set[str], known: Set[str]
    ) -> bool:
        text = self._givens.code(line)
        around = Around(self._givens.layout, line)
        fragment = Line(text, (), self._conditions, renamed, known, self._partial, around)
        possible = [formula for formula in formulas if fragment.may_stand(formula)]
        try:
            fragment.nodes = nodes_in(text) if possible else ()
        except Unreadable:
            return True
        return any(fragment.may_match(formula) for formula in possible)
