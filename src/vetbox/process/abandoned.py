"""Abandoned folders: those whose owner was killed before it could remove them.

A folder in use holds a lock file that its owner keeps locked; the system unlocks it when the
owner ends, however it ends. Whoever makes the next folder removes those that nobody holds.
"""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

IN_USE = ".in-use"
SETTLED_S = 60  # younger folders may be about to be locked


@contextmanager
def kept(folder: Path) -> Iterator[None]:
    """Hold `folder` as one in use until the end of the context.

    Where a file system knows no locks, nobody can take one, and nothing is ever removed.
    """
    lock = os.open(folder / IN_USE, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def remove_abandoned(parent: Path, prefix: str) -> None:
    """Remove this user's folders in `parent` that begin with `prefix` and that nobody holds.

    A folder without a lock file is none of ours and stays, whatever its name; all stay in a parent
    that may not be read.
    """
    before = time.time() - SETTLED_S
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and _is_own_and_settled(entry, before):
                _remove_if_free(Path(entry.path))


def _is_own_and_settled(entry: os.DirEntry[str], before: float) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:  # its owner was quicker
        return False
    is_folder = entry.is_dir(follow_symlinks=False)
    return is_folder and status.st_uid == os.getuid() and status.st_mtime < before


def _remove_if_free(folder: Path) -> None:
    try:
        lock = os.open(folder / IN_USE, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # somebody holds it, or nobody can tell
        return
    else:
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
