"""Regex search: whether a regex matches in a file, asked of RE2 as seldom as can be."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from vetbox.rules.filtering.relaxed_regexes import OBSCURED, SPLIT
from vetbox.rules.regexes import re2_compiled

_EDGE = r"\b"
_ANYWAY = r"\A"  # matches in every text: an automaton that finds nothing at all lacks memory
_MEMORY_BYTES = 32_000_000  # the shipped rules need 5; with too little an automaton starts over
_TOGETHER = 35  # about: the states are all that they may be in at once, twice as many take longer
_ONE_OF = re.compile(r"\\b\(\?:(\w+(?:\|\w+)*)\)\\b", re.ASCII)
_SHORT_BYTES = 4_000  # for these, to begin with another automaton is what takes longer
_MANY_BYTES = 200_000  # of longer files: by then their automata have begun, and one more has not


def one_of(words: Iterable[str]) -> str:
    """The regex that says that one of some words stands in a file."""
    return rf"\b(?:{'|'.join(sorted(set(words)))})\b"


@lru_cache(maxsize=1_000)
def listed_in(regex: str) -> frozenset[bytes]:
    """The words of which a regex asks for one, and for nothing else; none where it asks more."""
    found = _ONE_OF.fullmatch(regex)
    return frozenset(found[1].encode().split(b"|")) if found else frozenset()


class Automaton:
    """Regexes that are looked for together, in one pass over a text."""

    def __init__(self, regexes: Sequence[str | bytes]) -> None:
        self._regexes = regexes

    @cached_property
    def _set(self) -> Any | None:
        import re2

        options = re2.Options()
        options.max_mem = _MEMORY_BYTES
        options.log_errors = False
        found = re2.Set.SearchSet(options)
        try:
            for regex in (*self._regexes, _ANYWAY):
                found.Add(regex)
            found.Compile()
        except re2.error:
            return None
        return found

    def matching(self, data: bytes) -> list[int] | None:
        """The numbers of those that match; None where they are too many for RE2."""
        found: list[int] | None = None if self._set is None else self._set.Match(data)
        if found:
            found.remove(len(self._regexes))
        return found


class Texts:
    """Regexes of which some are looked for in every file, and so together."""

    def __init__(self, always: Iterable[str]) -> None:
        regexes = list(dict.fromkeys(always))
        self._none = dict.fromkeys(regexes, False)
        parts = max(1, round(len(regexes) / _TOGETHER))
        several = (regexes[part::parts] for part in range(parts))
        self._of_long = [(some, Automaton(some)) for some in several]
        self._of_short = (
            [(regexes, Automaton(regexes))] if len(self._of_long) > 1 else self._of_long
        )
        self._long_bytes = 0

    def found_in(self, data: bytes) -> "Found":
        """What is known of a file when it is looked at first."""
        first: list[str] = []
        if len(data) > _SHORT_BYTES:
            self._long_bytes += len(data)
        is_short = len(data) <= _SHORT_BYTES and self._long_bytes < _MANY_BYTES
        for regexes, automaton in self._of_short if is_short else self._of_long:
            found = automaton.matching(data)
            if found is None:
                alone = Found(data, {}, ())
                first += filter(alone.__getitem__, regexes)
            else:
                first += map(regexes.__getitem__, found)
        return Found(data, self._none, first)


class Found(dict[str, bool]):
    """Whether a regex matches in a file, worked out when first asked; `first` were found before."""

    def __init__(self, data: bytes, none: Mapping[str, bool], first: Sequence[str]) -> None:
        super().__init__(none)
        self.update(dict.fromkeys(first, True))
        self._data = data
        self.first = first

    def __missing__(self, regex: str) -> bool:
        found = self[regex] = self._quickly(regex) and self._searched(regex)
        return found

    def _quickly(self, regex: str) -> bool:
        """False where a quicker search says it does not match.

        Without a word boundary before it, RE2 leaps from one of its first letters to the next.
        """
        return not regex.startswith(_EDGE) or self._searched(regex.removeprefix(_EDGE))

    def _searched(self, regex: str) -> bool:
        for otherwise in (OBSCURED, SPLIT):  # asked once for all texts
            text = regex.removesuffix(f"|{otherwise}")
            if text != regex:
                return self[text] or self[otherwise]
        if regex.replace("-", "_").isidentifier():
            return regex.encode() in self._data
        return re2_compiled(regex).search(self._data) is not None
