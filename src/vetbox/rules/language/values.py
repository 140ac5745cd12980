"""Names and conditions on values: the words that formulas are made of."""

import re
from functools import cache, cached_property
from typing import TypeAlias

from vetbox.enums import LevelEnum
from vetbox.late_dataclasses import dataclass
from vetbox.rules.regexes import re2_compiled

Scalar: TypeAlias = str | int | float | bool | None


class Resolve(LevelEnum):
    """How far a written name is followed; each level includes the ones below it."""

    NONE = 0  # as written
    IMPORTS = 1
    ALIASES = 2  # and assignments, defaults, containers, wrappers
    DYNAMIC = 3  # and getattr, namespaces, computed names


@dataclass(frozen=True)
class Names:
    """Dotted names; `*` is any segment, a leading `*.` any receiver, `*` alone anything."""

    exact: frozenset[str] = frozenset()
    globs: tuple[str, ...] = ()
    regex: str = ""

    @classmethod
    def of(cls, *names: str) -> "Names":
        return cls(
            frozenset(name for name in names if "*" not in name),
            tuple(name for name in names if "*" in name),
        )

    def __contains__(self, name: str) -> bool:
        if name in self.exact:
            return True
        if self._pattern is not None and self._pattern.match(name):
            return True
        return bool(self.regex) and re2_search(self.regex, name)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return _glob_pattern(self.globs) if self.globs else None

    @cached_property
    def last_words(self) -> frozenset[str] | None:
        """The identifiers a matching name ends with; None when it may be any."""
        words = {name.rpartition(".")[2] for name in (*self.exact, *self.globs)}
        return None if self.regex or any("*" in word for word in words) else frozenset(words)

    def __getstate__(self) -> tuple[object, ...]:
        return self.exact, self.globs, self.regex

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self.__dict__.update(zip(("exact", "globs", "regex"), state, strict=True))


@cache
def _glob_pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_as_regex, globs)) + r"\Z")


def _as_regex(glob: str) -> str:
    if glob == "*":
        return r"(?s:.*)\Z"
    head, tail = (r"(?:.+\.)", glob[2:]) if glob.startswith("*.") else ("", glob)
    segments = [re.escape(part).replace(r"\*", r"[^.]*") for part in tail.split(".")]
    return head + r"\.".join(segments) + r"\Z"


def re2_search(regex: str, text: str) -> bool:
    """Does the RE2 occur in the text?"""
    return re2_compiled(regex).search(whole_characters(text).encode()) is not None


def whole_characters(text: str) -> str:
    """The text as RE2 can read it: half a surrogate pair, which a literal may hold, is none."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# Conditions on a value -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Is:
    """One of the words of conditions.TESTS: truthy, none, str, …"""

    word: str


@dataclass(frozen=True, slots=True)
class Regex:
    regex: str


@dataclass(frozen=True, slots=True)
class In:
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """A number against a bound: operator is one of `< <= > >= == !=`."""

    operator: str
    bound: float


@dataclass(frozen=True, slots=True)
class Bits:
    """An integer that has any of these bits."""

    mask: int


@dataclass(frozen=True, slots=True)
class Named:
    names: Names


@dataclass(frozen=True, slots=True)
class Contains:
    """A list, tuple, set or dict one of whose elements (keys) satisfies the condition."""

    element: "Condition"


@dataclass(frozen=True, slots=True)
class Item:
    """The element at a position of a list or tuple, or under a key of a dict."""

    key: str | int
    element: "Condition"


@dataclass(frozen=True, slots=True)
class Entropy:
    """A text with at least so many bits of Shannon entropy per character."""

    bits: float


@dataclass(frozen=True, slots=True)
class Backtracks:
    """A regular expression that takes exponential time to refuse a text.

    `whole`: it has to match all of a text, not to be found in it.
    """

    whole: bool


@dataclass(frozen=True, slots=True)
class Length:
    operator: str
    bound: float


@dataclass(frozen=True, slots=True)
class Both:
    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Either:
    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Unlike:
    part: "Condition"


Condition: TypeAlias = (
    Is | Regex | In | Compare | Bits | Named | Contains | Item | Entropy | Backtracks | Length
    | Both | Either | Unlike
)  # fmt: skip
