"""Cached sources: each part of a case is parsed once for all mutants that run on it."""

from functools import cached_property

from vetbox.code.source import Source


class Kept(Source):
    """What is known of its parts stays known: it does not depend on the rule that is asked."""

    @cached_property
    def _parts(self) -> dict[str, Source]:
        return {}

    def part(self, text: str) -> Source:
        if text not in self._parts:
            self._parts[text] = super().part(text)
        return self._parts[text]


class KeptPiece(Kept):
    """A few lines, parsed already: to find out which of them decide would take longer."""

    is_read_whole = True
