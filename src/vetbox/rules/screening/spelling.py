"""Spelling: the full names whose words are all in a tree, worked out once for each."""

from collections.abc import Iterable, Set
from functools import cached_property
from typing import TypeAlias

from vetbox.rules.language import formula as f
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.sought import Needed, Sought, Way, needed_by

_ALWAYS = frozenset({"False", "None", "True", ""})
"""Words of the language that are names to libcst, and that of a name without words."""
Spelt: TypeAlias = tuple[Needed, ...]


class Spelling:
    """Answers for one tree; asked by identity, as the names of a rule set stay what they are."""

    def __init__(self, words: Occurrences) -> None:
        self._occurrences = words
        self.words = words.names | words.labels
        self._spelt = self.words | _ALWAYS
        self._known: dict[int, Spelt] = {}
        self._lasts: dict[int, frozenset[str] | None] = {}

    def of(self, names: f.Names) -> Spelt:
        """Those that can be there."""
        known = self._known.get(id(names))
        if known is None:
            known = self._known[id(names)] = self._found(names)
        return known

    def lasts_of(self, names: f.Names) -> frozenset[str] | None:
        """What those that can be there end with; None: anything."""
        known = id(names)
        if known not in self._lasts:
            lasts = frozenset(one.last for one in self.of(names) if one.last is not None)
            told = all(one.last is not None for one in self.of(names))
            self._lasts[known] = lasts if told else None
        return self._lasts[known]

    def has(self, words: Set[str]) -> bool:
        """Are all of them there?"""
        return words <= self._spelt

    def has_any(self, words: Set[str]) -> bool:
        """Is one of them there?"""
        return not words.isdisjoint(self._spelt)

    def ways_of(self, sought: Sought) -> Iterable[Way]:
        """The ways of a rule that some of them may be of."""
        return sought.ways_with(self._spelt)

    def _found(self, names: f.Names) -> Spelt:
        by_word, spelt = needed_by(names), self._spelt
        there = by_word.keys() & spelt
        if not there:  # as for most
            return ()
        found = [one for word in there for one in by_word[word] if one.words <= spelt]
        return tuple([one for one in found if not one.read_from or self._may_be_read(one)])

    def _may_be_read(self, needed: Needed) -> bool:
        """May what it is read from be handed to what looks attributes up?"""
        return needed.read_from in self._standing

    @cached_property
    def _standing(self) -> Set[str]:
        return self._occurrences.standing | self._occurrences.labels
