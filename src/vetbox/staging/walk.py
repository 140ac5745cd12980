"""The walk over the targets: from folder to folder by descriptor, so that no race leads astray."""

import errno
import os
import stat
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from vetbox.files.sizes import NOTEBOOK, most_bytes
from vetbox.findings import Failure, FailureKind
from vetbox.staging.opening import FOLDER, SAFE, open_beneath, read_regular

MAX_DEPTH = 100  # folders below each other; each holds a descriptor open
MAX_COUNTED = 100_000  # entries looked at to say how much an excluded folder holds
SUFFIXES = (".py", ".pyi", ".pyw", NOTEBOOK)
HISTORY = frozenset({".git", ".hg", ".svn"})
INSTALLED = frozenset({".venv", "venv", ".tox", ".nox", ".eggs", "node_modules", "site-packages"})
CACHES = frozenset(
    {"__pycache__", "__pypackages__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}
)
EXCLUDED = HISTORY | INSTALLED | CACHES
"""Folders that hold other people's code or none; they are reported as skipped, with a count.

Names only: nothing that lies inside a folder (a pyvenv.cfg, an ignore file) may hide it.
"""

LINK, SPECIAL = "symbolic links are not followed", "not a regular file"
# What the system's own words would not explain.
WORDS = {
    errno.EXDEV: "it leads out of the project",
    errno.ELOOP: "a symbolic link is on the way",
}
EXCLUDED_WHY = "excluded by default"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something below a target that was left out on purpose; `count` Python files with it."""

    path: str
    reason: str
    count: int


Found: TypeAlias = tuple[str, bytes] | Skipped | Failure


class Walk:
    """Everything that the targets below the folder `root` (a descriptor) hold."""

    def __init__(self, root: int, cancel: threading.Event) -> None:
        self._root = root
        self._cancel = cancel
        self._seen: set[str] = set()

    def found(self, targets: Sequence[str]) -> Iterator[Found]:
        for target in sorted({_normal(target) for target in targets}):
            yield from self._target(target)

    def _target(self, target: str) -> Iterator[Found]:
        try:
            fd = open_beneath(self._root, target or ".")
        except OSError as error:
            yield unreadable(target, error)
            return
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            yield from self._folder(fd, target, 0)
        elif target not in self._seen:
            yield self._file(fd, target)
        else:
            os.close(fd)

    def _folder(self, fd: int, path: str, depth: int) -> Iterator[Found]:
        """Closes `fd`."""
        try:
            for entry in _entries(fd):
                if self._cancel.is_set():
                    return
                yield from self._entry(fd, entry, _below(path, entry.name), depth)
        except OSError as error:
            yield unreadable(path, error)
        finally:
            os.close(fd)

    def _entry(
        self, parent: int, entry: "os.DirEntry[str]", path: str, depth: int
    ) -> Iterator[Found]:
        if entry.is_symlink():
            yield Skipped(shown(path), LINK, 0)
        elif entry.is_dir(follow_symlinks=False):
            yield from self._subfolder(parent, entry.name, path, depth + 1)
        elif entry.name.endswith(SUFFIXES) and path not in self._seen:
            yield self._open(parent, entry.name, path)

    def _subfolder(self, parent: int, name: str, path: str, depth: int) -> Iterator[Found]:
        try:
            fd = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=parent)
        except OSError as error:
            yield unreadable(path, error)
            return
        if name in EXCLUDED:
            yield Skipped(shown(path), EXCLUDED_WHY, python_files(fd))
        elif depth > MAX_DEPTH:
            os.close(fd)
            yield Failure(shown(path), FailureKind.TOO_DEEP, f"more than {MAX_DEPTH} folders deep")
        else:
            yield from self._folder(fd, path, depth)

    def _open(self, parent: int, name: str, path: str) -> Found:
        try:
            fd = os.open(name, SAFE | os.O_NOFOLLOW, dir_fd=parent)
        except OSError as error:
            if error.errno in (errno.ENXIO, errno.ELOOP):  # a socket; a link since we looked
                return Skipped(shown(path), SPECIAL, 1)
            return unreadable(path, error)
        return self._file(fd, path)

    def _file(self, fd: int, path: str) -> Found:
        """Closes `fd`."""
        self._seen.add(path)
        try:
            data = read_regular(fd, most_bytes(path))
        except OSError as error:
            return unreadable(path, error)
        return judged(path, data)


def judged(path: str, data: bytes | None) -> Found:
    """What reading a file came to; None is what is no regular file."""
    if data is None:
        return Skipped(shown(path), SPECIAL, 1)
    most = most_bytes(path)
    if len(data) > most:
        step = "clear what it printed" if path.endswith(NOTEBOOK) else "split the file"
        sentence = f"more than {most:,} bytes; {step}"
        return Failure(shown(path), FailureKind.TOO_LARGE, sentence)
    return shown(path), data


def unreadable(path: str, error: OSError) -> Failure:
    reason = WORDS.get(error.errno or 0) or os.strerror(error.errno or 0)
    return Failure(shown(path) or ".", FailureKind.UNREADABLE, f"cannot be read: {reason}")


def shown(path: str) -> str:
    """A path as it is reported: text, with bytes that are not UTF-8 escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def python_files(fd: int) -> int:
    """How many Python files a folder holds, links not followed. Closes `fd`."""
    found = looked_at = 0
    for _, folders, names, _ in os.fwalk(".", dir_fd=fd):
        looked_at += len(folders) + len(names)
        found += sum(name.endswith(SUFFIXES) for name in names)
        if looked_at > MAX_COUNTED:
            break
    os.close(fd)
    return found


def _entries(fd: int) -> "list[os.DirEntry[str]]":
    with os.scandir(fd) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _normal(target: str) -> str:
    return "/".join(step for step in target.split("/") if step not in ("", "."))


def _below(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name
