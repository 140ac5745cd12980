"""Texts: whether a regex matches in a file, asked of RE2 as seldom as can be."""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any

_EDGE = r"\b"


class Texts:
    """Regexes of which some are looked for in every file, and so together."""

    def __init__(self, always: Iterable[str]) -> None:
        self._always = list(dict.fromkeys(always))

    @cached_property
    def _together(self) -> Any:
        import re2

        together = re2.Set.SearchSet()
        for regex in self._always:
            together.Add(regex)
        together.Compile()
        return together

    def found_in(self, data: bytes) -> "Found":
        """What is known of a file when it is looked at first."""
        found = (self._together.Match(data) if self._always else None) or ()
        known = dict.fromkeys(self._always, False)
        known.update((self._always[index], True) for index in found)
        return Found(data, known)


class Found(dict[str, bool]):
    """Whether a regex matches in a file, worked out when first asked; `first` were found before."""

    def __init__(self, data: bytes, known: dict[str, bool]) -> None:
        super().__init__(known)
        self._data = data
        self.first = [regex for regex, found in known.items() if found]

    def __missing__(self, regex: str) -> bool:
        found = self[regex] = self._quickly(regex) and self._searched(regex)
        return found

    def _quickly(self, regex: str) -> bool:
        """False where a quicker search says it does not match.

        Without a word boundary before it, RE2 leaps from one of its first letters to the next.
        """
        return not regex.startswith(_EDGE) or self._searched(regex.removeprefix(_EDGE))

    def _searched(self, regex: str) -> bool:
        if regex.isidentifier():
            return regex.encode() in self._data
        return compiled(regex).search(self._data) is not None


@lru_cache(maxsize=1_000)
def compiled(regex: str) -> Any:
    """RE2: no rule can hang the scan. Imported late because most rule sets have no such anchor."""
    import re2

    return re2.compile(regex)
