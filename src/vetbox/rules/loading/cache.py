"""The compiled rules, kept in the user's cache so that a start needs neither YAML nor pydantic."""

import os
import pickle
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from vetbox.rule_files import RuleFiles
from vetbox.rules.filtering.anchors import Anchor
from vetbox.rules.filtering.prefilter import counting
from vetbox.rules.language.rule import Rule
from vetbox.rules.loading.sealing import read
from vetbox.user_cache import keep_newest, user_cache

T = TypeVar("T")
_FORMAT = 8
_KEPT = 20  # compiled states of rule files: of projects, and of checkouts under way


@dataclass(frozen=True, slots=True)
class CompiledCache:
    """The cache's file for one state of the rule files; `path` is None where none can be kept."""

    path: Path | None

    @classmethod
    def of(cls, files: RuleFiles) -> "CompiledCache":
        """Keyed by the files and by the code that reads them."""
        folder = user_cache()
        name = f"rules-{_FORMAT}-{files.digest[:32]}"
        return cls(folder / name if folder else None)

    def load(self) -> tuple[Rule, ...] | None:
        """The rules, or None when they have to be compiled."""
        if self.path is None:
            return None
        try:
            return tuple(read(self.path.read_bytes()))
        except (OSError, pickle.UnpicklingError, EOFError, AttributeError, TypeError, ValueError):
            return None

    def store(self, rules: tuple[Rule, ...]) -> None:
        """Write then rename, so that no reader sees half a file; a full disk is no error."""
        if self.path is None:
            return
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            draft.write_bytes(pickle.dumps(rules, protocol=5))
            draft.replace(self.path)
        except OSError:
            draft.unlink(missing_ok=True)
        keep_newest(self.path.parent, "rules-*", _KEPT)


def compact(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules sealed, what is equal there once: most anchors are, to be read and to look for.

    Anchors that count in no profile the rule is on in are left out: they are two of three.
    """
    known: dict[object, Any] = {}

    def once(value: T) -> T:
        known.setdefault(value, value)
        return cast(T, known[value])

    def one(anchor: Anchor) -> Anchor:
        met: Anchor | None = known.get(anchor)
        return once(Anchor(*map(once, map(_interned, anchor)))) if met is None else met

    def shared(anchors: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
        return once(tuple(map(one, anchors)))

    return tuple(
        replace(
            rule.sealed,
            anchors=shared(_used(rule.anchors, rule)),
            needs=shared(_used(rule.needs, rule)),
        )
        for rule in rules
    )


def _interned(value: Any) -> Any:
    return frozenset(map(sys.intern, value)) if isinstance(value, frozenset) else value


def _used(anchors: tuple[Anchor, ...], rule: Rule) -> tuple[Anchor, ...]:
    """Those that count somewhere; all where none does, as a rule without any fires anywhere."""
    on = [profile for profile, severity in rule.profiles.items() if severity is not None]
    used = {anchor for profile in on for anchor in counting(anchors, profile)}
    return tuple(anchor for anchor in anchors if anchor in used) or anchors
