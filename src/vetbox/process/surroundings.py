"""The surroundings of a tool: an empty private folder and an environment that inherits nothing."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from vetbox.process.abandoned import kept, remove_abandoned

PREFIX = "vetbox-"
SYSTEM_PATH = "/usr/bin:/bin"
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
MEMORY_FREE_BYTES = 1_000_000_000  # twice what is staged at most


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`folder` is private and holds `home`, where the tool works; both go with the context."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def environment(self) -> Mapping[str, str]:
        """All a tool sees: nothing of ours may steer it, no secret of ours may reach it."""
        return {
            "PATH": SYSTEM_PATH,
            "HOME": str(self.home),
            "TMPDIR": str(self.home),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }


def _memory() -> Path | None:
    """Linux's memory file system, if it is there and not the small one of a container."""
    try:
        status = os.statvfs(MEMORY)
    except OSError:
        return None
    roomy = status.f_bavail * status.f_frsize >= MEMORY_FREE_BYTES
    return MEMORY if roomy and os.access(MEMORY, os.W_OK | os.X_OK) else None


@contextmanager
def surroundings(*, in_memory: bool = False) -> Iterator[Surroundings]:
    """Fresh surroundings, removed at the end; `in_memory` where the system has room for it.

    Creating thousands of small files takes a hundred times as long on some disks.
    """
    parent = _memory() if in_memory else None
    remove_abandoned(parent or Path(tempfile.gettempdir()), PREFIX)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=parent, ignore_cleanup_errors=True) as name:
        fresh = Surroundings(Path(name).resolve())
        with kept(fresh.folder):
            fresh.home.mkdir()
            yield fresh
