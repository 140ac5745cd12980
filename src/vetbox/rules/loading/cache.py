"""The compiled rules, kept in the user's cache so that a start needs neither YAML nor pydantic."""

import os
import pickle
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from vetbox.rule_files import RuleFiles
from vetbox.rules.filtering.anchors import Anchor
from vetbox.rules.language.rule import Rule
from vetbox.rules.loading.sealing import read
from vetbox.user_cache import keep_newest, user_cache

_FORMAT = 6
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
    """The rules sealed, what is equal there once: most anchors are, to be read and to look for."""
    known: dict[Anchor, Anchor] = {}
    known_together: dict[tuple[Anchor, ...], tuple[Anchor, ...]] = {}

    def shared(anchors: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
        together = tuple(known.setdefault(anchor, anchor) for anchor in anchors)
        return known_together.setdefault(together, together)

    return tuple(
        replace(rule.sealed, anchors=shared(rule.anchors), needs=shared(rule.needs))
        for rule in rules
    )
