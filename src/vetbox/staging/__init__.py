"""Private copies of the files to analyse: read once below the project, never through a link.

No tool is ever pointed at the project itself: what a target's own files say about themselves
(ignore files, configuration, caches, names that look like options) is out of its reach.
"""

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from vetbox.errors import about
from vetbox.files.sizes import MAX_BYTES, most_bytes
from vetbox.findings import Failure, FailureKind
from vetbox.staging.opening import SAFE, open_beneath, opened_folder, read_regular
from vetbox.staging.walk import Found, Skipped, Walk, judged, unreadable

__all__ = [
    "MAX_BYTES",
    "Skipped",
    "StagedFile",
    "StagedFiles",
    "open_beneath",
    "read_regular",
    "stage",
    "stage_named",
]

MAX_FILES = 50_000  # in one call; what is beyond is said, never silently clean
MAX_TOTAL_BYTES = 400_000_000


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A copy `f000000.py` and the project's path it stands for."""

    path: str
    copy: Path
    size: int  # bytes
    digest: bytes  # SHA-256 of what was read

    def data(self) -> bytes:
        return self.copy.read_bytes()


@dataclass(frozen=True, slots=True)
class StagedFiles:
    """The copies in order of their paths, and what was left out: skipped on purpose or failed."""

    files: tuple[StagedFile, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    failures: tuple[Failure, ...] = ()


@dataclass(slots=True)
class _Stage:
    """The folder being filled."""

    folder: Path
    files: list[StagedFile] = field(default_factory=list)
    skipped: dict[str, Skipped] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    size: int = 0
    beyond: list[str] = field(default_factory=list)

    def add(self, found: Found) -> None:
        if isinstance(found, Skipped):
            self.skipped[found.path] = found
        elif isinstance(found, Failure):
            self.failures[found.path] = found
        elif len(self.files) >= MAX_FILES or self.size >= MAX_TOTAL_BYTES:
            self.beyond.append(found[0])
        else:
            self._copy(*found)

    def filled(self) -> StagedFiles:
        """Everything that was added; what was beyond the limits is one failure that counts it."""
        failures = list(self.failures.values())
        if self.beyond:
            count = len(self.beyond)
            sentence = f"{count:,} files from here on are too many for one call; name fewer targets"
            failures.append(Failure(self.beyond[0], FailureKind.TOO_LARGE, sentence))
        return StagedFiles(tuple(self.files), tuple(self.skipped.values()), tuple(failures))

    def _copy(self, path: str, data: bytes) -> None:
        suffix = ".pyi" if path.endswith(".pyi") else ".py"
        copy = self.folder / f"f{len(self.files):06d}{suffix}"
        with about(copy), open(copy, "xb", buffering=0) as file:
            file.write(data)
        self.size += len(data)
        self.files.append(StagedFile(path, copy, len(data), sha256(data).digest()))


def stage_named(paths: Sequence[str], folder: Path) -> StagedFiles:
    """Copy files that the user has named or let us find: their own, so links are followed."""
    fresh = _Stage(folder)
    for path in paths:
        try:
            data = read_regular(os.open(path, SAFE), most_bytes(path))
        except OSError as error:
            fresh.add(unreadable(path, error))
            continue
        fresh.add(judged(path, data))
    return fresh.filled()


def stage(
    project: Path, targets: Sequence[str], folder: Path, *, cancel: threading.Event | None = None
) -> StagedFiles:
    """Copy the Python files of `targets` (relative paths, already checked) into `folder`.

    Each file once, in the order of paths. A target that cannot be opened any more is a failure.
    """
    fresh = _Stage(folder)
    with opened_folder(project) as root:
        walk = Walk(root, cancel or threading.Event())
        for found in walk.found(targets):
            fresh.add(found)
    return fresh.filled()
