"""The user's folder for things made once: the fetched interpreter and what was compiled from it.

What lies here is run as native code, so nobody else may be able to write it.
"""

import fcntl
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from vetbox.sandbox.errors import SandboxError
from vetbox.sandbox.workspace import remove_tree

PRIVATE = 0o700
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def cache_folder(name: str) -> Path:
    """A sub-folder of the user's cache, made if missing; `SandboxError` unless it is theirs."""
    folder = platformdirs.user_cache_path("vetbox") / "sandbox"
    for part in (folder, folder / name):
        _make(part)
        _check_private(part)
    return folder / name


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file; other processes wait."""
    with _written(path.parent):
        file = path.open("a")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def place_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Make a folder with all its content or not at all; `SandboxError` where there is no room."""
    with _written(folder.parent):
        folder.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=folder.parent))
        try:
            fill(draft)
            draft.rename(folder)
        except BaseException:
            remove_tree(draft)
            raise


def place_file(path: Path, data: bytes) -> None:
    """Write a file with all its content or not at all; `SandboxError` where there is no room."""
    with (
        _written(path.parent),
        tempfile.NamedTemporaryFile(prefix=".draft-", dir=path.parent, delete=False) as draft,
    ):
        try:
            draft.write(data)
            draft.flush()
            os.fsync(draft.fileno())
            os.replace(draft.name, path)
        except BaseException:
            os.unlink(draft.name)
            raise


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    """An error of the system within is one of the box, about its cache."""
    try:
        yield
    except OSError as error:
        raise SandboxError(
            f"The cache {folder} cannot be written: {error.strerror}; "
            "make room, or name another folder in XDG_CACHE_HOME."
        ) from error


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    except OSError as error:
        raise SandboxError(
            f"The cache {folder} cannot be made: {error.strerror}; "
            "name a folder that is yours in XDG_CACHE_HOME."
        ) from error


def _check_private(folder: Path) -> None:
    status = folder.lstat()
    ours = status.st_uid == os.getuid() and stat.S_ISDIR(status.st_mode)
    if not ours or status.st_mode & WRITABLE_BY_OTHERS:
        raise SandboxError(
            f"Others may write to {folder}, so what is cached there cannot be run; "
            f"make it yours alone with: chmod 700 {folder}"
        )
