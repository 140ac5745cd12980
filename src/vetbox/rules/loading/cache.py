"""The compiled rules, kept so that a start needs neither YAML nor pydantic."""

import os
import pickle
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import vetbox
from vetbox.files.user_cache import keep_newest, user_cache
from vetbox.late_dataclasses import dataclass
from vetbox.rule_files import RuleFiles
from vetbox.rules.filtering.prefilter import counting
from vetbox.rules.language.anchors import Anchor
from vetbox.rules.language.rule import Rule
from vetbox.rules.language.sealing import read

T = TypeVar("T")
_FORMAT = 10
_KEPT = 20  # compiled states of rule files: of projects, and of checkouts under way


@dataclass(frozen=True, slots=True)
class CompiledCache:
    """The cache's file for one state of the rule files, in the first of `folders` that takes it."""

    name: str
    folders: tuple[Path, ...]

    @classmethod
    def of(cls, files: RuleFiles) -> "CompiledCache":
        """Keyed by the files and by the code that reads them.

        What is shipped is kept beside the code it was compiled by, where Python keeps its own: who
        has no home, or installed vetbox for others, need not compile it again.
        """
        folders = (_BESIDE_CODE if files.are_shipped else None, user_cache())
        kept = tuple(folder for folder in folders if folder is not None)
        return cls(f"rules-{_FORMAT}-{files.digest[:32]}", kept)

    def load(self) -> tuple[Rule, ...] | None:
        """The rules, or None when they have to be compiled."""
        for folder in self.folders:
            with suppress(*UNREADABLE):
                return unpacked((folder / self.name).read_bytes())
        return None

    def store(self, rules: tuple[Rule, ...]) -> None:
        """A full disk is no error."""
        import pickletools

        data = pickletools.optimize(packed(rules))  # it takes half as long to read
        for folder in self.folders:
            if _written(folder / self.name, data):
                keep_newest(folder, "rules-*", _KEPT)
                return


_BESIDE_CODE = Path(vetbox.__file__).parent / "__pycache__"
UNREADABLE = (
    *(OSError, EOFError, AttributeError, TypeError, ValueError),
    pickle.UnpicklingError,
)


def packed(rules: tuple[Rule, ...]) -> bytes:
    """Compiled rules as bytes."""
    return pickle.dumps(rules, protocol=5)


def unpacked(data: bytes) -> tuple[Rule, ...]:
    """The rules that were packed; raises one of UNREADABLE where that is not what this is."""
    return tuple(read(data))


def _written(path: Path, data: bytes) -> bool:
    """Write then rename, so that no reader sees half a file."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(exist_ok=True)
        draft.write_bytes(data)
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        return False
    return True


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
            paths=once(rule.paths),
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
