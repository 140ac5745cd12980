"""Bindings of metavariables: immutable, extended by each part of a pattern that matches."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.tree import same


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """One value: `text` for an identifier or a string's content, `nodes` where it is code.

    `inner`: it is what stands in the quotes, and not the string.
    """

    text: str | None
    nodes: tuple[cst.CSTNode, ...] = ()
    inner: bool = False

    @property
    def key(self) -> object:
        """The text where there is one, else the very nodes."""
        if self.text is None:
            return tuple(map(id, self.nodes))
        return self.text, self._is_name

    @property
    def _is_name(self) -> bool | None:
        """Is it an identifier, and no string that says the same? None: it says either."""
        return None if self.inner else isinstance(next(iter(self.nodes), None), cst.Name)

    def agrees(self, other: "Bound") -> bool:
        """May both stand for the same metavariable?"""
        if self.text is not None and self.text == other.text:
            either = self.inner or other.inner
            return either or self._is_name == other._is_name
        return len(self.nodes) == len(other.nodes) > 0 and all(map(same, self.nodes, other.nodes))


@dataclass(frozen=True, slots=True, eq=False)
class Bindings:
    """Metavariable name (without `$`) → value; `with_` answers None where a value disagrees."""

    values: Mapping[str, Bound] = field(default_factory=dict)

    def with_(self, name: str, value: Bound) -> "Bindings | None":
        """These bindings and one more; the anonymous `$_` binds nothing."""
        if name == "_":
            return self
        known = self.values.get(name)
        if known is None:
            return Bindings({**self.values, name: value})
        return self if known.agrees(value) else None

    def only(self, names: Iterable[str]) -> "Bindings":
        """Those of some names."""
        kept = {name: self.values[name] for name in names}
        return self if len(kept) == len(self.values) else Bindings(kept)

    def merged(self, others: "Bindings") -> "Bindings | None":
        """These and others, or None where a name stands for two things."""
        whole: Bindings | None = self
        for name, bound in others.values.items():
            if whole is not None:
                whole = whole.with_(name, bound)
        return whole

    def joined(self, others: "Bindings") -> "Bindings":
        """These and others, which stand for the same where both know a name."""
        return Bindings({**others.values, **self.values}) if self.values else others

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def get(self, name: str) -> Bound | None:
        """The value of `$name`, if it has one."""
        return self.values.get(name)

    @property
    def key(self) -> tuple[tuple[str, object], ...]:
        """Equal for bindings that let the rest of a pattern match the same ways."""
        return tuple((name, bound.key) for name, bound in sorted(self.values.items()))


EMPTY = Bindings()
