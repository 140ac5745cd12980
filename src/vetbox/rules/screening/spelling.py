"""Spelling: which names the words of a tree can put together, worked out once for each."""

from collections.abc import Set

from vetbox.rules.language import formula as f
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.screening.sought import Needed, needed_by, needed_by_dotted

_ALWAYS = frozenset({"False", "None", "True"})
"""Words of the language that are names to libcst."""
Spelt = tuple[Needed, ...]


class Spelling:
    """Answers for one tree; asked by identity, as the names of a rule set stay what they are."""

    def __init__(self, words: Occurrences) -> None:
        self.words = words.names | words.labels
        self._spelt = self.words | _ALWAYS
        self._known: dict[int, tuple[Spelt, Spelt]] = {}

    def of(self, names: f.Names) -> Spelt:
        """Those that can be there."""
        return self._found(names)[0]

    def dotted(self, names: f.Names) -> Spelt:
        """The same without the builtins."""
        return self._found(names)[1]

    def has(self, words: Set[str]) -> bool:
        """Are all of them there?"""
        return words <= self._spelt

    def _found(self, names: f.Names) -> tuple[Spelt, Spelt]:
        known = self._known.get(id(names))
        if known is None:
            known = self._known[id(names)] = (
                self._those_of(needed_by(names)),
                self._those_of(needed_by_dotted(names)),
            )
        return known

    def _those_of(self, many: Spelt) -> Spelt:
        return tuple(needed for needed in many if self.has(needed.words))
