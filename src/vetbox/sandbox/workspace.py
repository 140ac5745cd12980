"""The folder a program works in: private unless one is given, and what changed in it.

The program may have left any name and any link. Nothing here follows a link.
"""

import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from vetbox.sandbox.errors import SandboxError

# Never in a delta: the sandbox's own names, and what Python makes by itself.
OWN_ENTRIES = frozenset({"user_code.py", "site-packages"})
BYTECODE = "__pycache__"

Identity = tuple[int, int, int]  # inode, size, time of the last change in ns


@dataclass(frozen=True, slots=True)
class FileDelta:
    """Paths relative to the workspace, sorted, with undecodable bytes as escapes."""

    created: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


@contextmanager
def opened(workspace: Path | None) -> Iterator[Path]:
    """The given folder, made if missing, or a private one that is gone afterwards."""
    if workspace is not None:
        yield _made(workspace)
        return
    # Named before it is made, and by nobody guessed: whenever a signal ends the program, it goes.
    private = Path(tempfile.gettempdir(), f"vetbox-{secrets.token_hex(16)}")
    try:
        private.mkdir(mode=0o700)
        yield private
    finally:
        with suppress(FileNotFoundError):
            remove_tree(private)


def _made(workspace: Path) -> Path:
    try:
        workspace.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SandboxError(
            f"The workspace {workspace} is not a folder to work in: {error.strerror}."
        ) from None
    return workspace


def inventory(workspace: Path) -> dict[str, Identity]:
    """Every file and link below a folder with what tells whether it changed."""
    return dict(_entries(str(workspace)))


def delta(before: Mapping[str, Identity], after: Mapping[str, Identity]) -> FileDelta:
    """What became of the files between two inventories."""
    return FileDelta(
        created=_shown(name for name in after if name not in before),
        modified=_shown(name for name in after if before.get(name, after[name]) != after[name]),
        deleted=_shown(name for name in before if name not in after),
    )


def remove_tree(root: Path) -> None:
    """Remove a folder however deep it is.

    Sub-folders are first moved up to the top, so that neither recursion nor path length ends it.
    """
    top = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        for folder in _emptied(top):
            os.rmdir(folder, dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(root)


def _emptied(top: int) -> Iterator[str]:
    pending = _cleared(top, top)
    while pending:
        name = pending.pop()
        folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
        try:
            pending += _cleared(folder, top)
        finally:
            os.close(folder)
        yield name


def _cleared(folder: int, top: int) -> list[str]:
    """Unlink the files of a folder and move its folders to the top; their new names."""
    moved = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                moved.append(secrets.token_hex(16))
                os.rename(entry.name, moved[-1], src_dir_fd=folder, dst_dir_fd=top)
            else:
                os.unlink(entry.name, dir_fd=folder)
    return moved


def _entries(root: str) -> Iterator[tuple[str, Identity]]:
    pending = [""]
    while pending:
        prefix = pending.pop()
        for entry in _listed(f"{root}/{prefix}"):
            path = f"{prefix}{entry.name}"
            if path in OWN_ENTRIES or entry.name == BYTECODE:
                continue
            if entry.is_dir(follow_symlinks=False):
                pending.append(f"{path}/")
            else:
                yield path, _identity(entry.stat(follow_symlinks=False))


def _listed(folder: str) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # a path longer than the system takes: what is below stays unlisted
        return []


def _identity(status: os.stat_result) -> Identity:
    """The change time is the system's own: a program cannot set it back as it can the other."""
    return status.st_ino, status.st_size, status.st_ctime_ns


def _shown(names: Iterator[str]) -> tuple[str, ...]:
    return tuple(sorted(os.fsencode(name).decode("utf-8", "backslashreplace") for name in names))
