"""The compiled rules, kept in the user's cache so that a start needs neither YAML nor pydantic."""

import os
import pickle
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from vetbox import __version__
from vetbox.rules.anchors import Anchor
from vetbox.rules.rule import Rule
from vetbox.rules.sealing import read
from vetbox.user_cache import user_cache

_FORMAT = 4


@dataclass(frozen=True, slots=True)
class CompiledCache:
    """The cache's file for one state of the rule files; `path` is None where none can be kept."""

    path: Path | None

    @classmethod
    def of(cls, files: Iterable[tuple[str, bytes]]) -> "CompiledCache":
        """Keyed by every file's name and content, by vetbox and by the interpreter."""
        key = sha256(f"{_FORMAT} {__version__} {sys.version}".encode())
        for name, data in files:
            key.update(f"\0{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            key.update(data)
        folder = user_cache()
        return cls(folder / f"rules-{key.hexdigest()[:32]}" if folder else None)

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
            draft.write_bytes(pickle.dumps(_compact(rules), protocol=5))
            draft.replace(self.path)
        except OSError:
            draft.unlink(missing_ok=True)


def _compact(rules: Iterable[Rule]) -> list[Rule]:
    """The rules sealed, equal anchors written once: half of them are, and reading is the cost."""
    known: dict[Anchor, Anchor] = {}

    def shared(anchors: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
        return tuple(known.setdefault(anchor, anchor) for anchor in anchors)

    return [
        replace(rule.sealed, anchors=shared(rule.anchors), needs=shared(rule.needs))
        for rule in rules
    ]
