"""Rules by site: those that a line may concern, by their own words and by aliases of them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.excerpt.sites import Sites
from vetbox.rules.excerpt.wanted import encoded
from vetbox.rules.language.anchors import Anchor

_WORD = re.compile(rb"\w+")


class Askers:
    """The rules to ask at the lines of `sites`, which were found for all of them together."""

    def __init__(
        self, layout: Layout, sites: Sites, anchors: Mapping[str, Sequence[Anchor]]
    ) -> None:
        self._layout = layout
        self._asked = {rule: _Asked.of(found, sites) for rule, found in anchors.items()}

    @property
    def rules(self) -> Iterable[str]:
        return self._asked

    def words(self, line: int) -> Set[bytes]:
        """All that are on a line, also in its texts and comments."""
        layout = self._layout
        return {*_WORD.findall(layout.data, layout.starts[line], layout.ends[line])}

    def at(self, line: int, words: Set[bytes]) -> Iterator[str]:
        """Those that the line may concern: a word of theirs is on it, or a name that has it."""
        for rule, asked in self._asked.items():
            if asked.words is None or line in asked.lines or not asked.words.isdisjoint(words):
                yield rule


class _Asked(NamedTuple):
    """Where a rule may fire: on lines with one of some words (None: on all), and on these lines."""

    words: Set[bytes] | None
    lines: Set[int]

    @classmethod
    def of(cls, anchors: Sequence[Anchor], sites: Sites) -> "_Asked":
        lines = {line for one in anchors for line in sites.matched.get(one, ())}
        named = [one for one in anchors if one.kept or not one.regex]
        if not all(one.sites for one in named):
            return cls(None, lines)
        return cls(sites.standing_for(encoded(one.sites for one in named)), lines)
