"""Opening a file below a folder such that no link, no `..` and no race leads out of it."""

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

# Never wait for a FIFO's writer, never become a terminal's owner, never reach a child.
SAFE = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
SYS_OPENAT2 = 437  # the same number on every Linux architecture since 5.6
RESOLVE_NO_MAGICLINKS, RESOLVE_BENEATH = 0x02, 0x08  # <linux/openat2.h>
RACES = 16  # EAGAIN means that a folder moved meanwhile


class OpenHow(ctypes.Structure):
    """The third argument of openat2(2)."""

    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


@contextmanager
def opened_folder(path: Path) -> Iterator[int]:
    """A folder's descriptor, closed at the end."""
    fd = os.open(path, FOLDER)
    try:
        yield fd
    finally:
        os.close(fd)


def open_beneath(root: int, path: str) -> int:
    """A descriptor of `path` (relative) below the folder `root`; raises OSError.

    The kernel keeps the whole way inside where it can (links that stay inside are followed);
    elsewhere every step is opened by itself and a link is refused.
    """
    if has_openat2():
        return openat2(root, path)
    return open_stepwise(root, [step for step in path.split("/") if step not in ("", ".")])


def open_stepwise(root: int, steps: list[str]) -> int:
    """Open one component after the other, none of them a link."""
    if ".." in steps:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
    current = os.open(".", FOLDER, dir_fd=root)
    for number, step in enumerate(steps, 1):
        kind = SAFE if number == len(steps) else FOLDER
        try:
            following = os.open(step, kind | os.O_NOFOLLOW, dir_fd=current)
        finally:
            os.close(current)
        current = following
    return current


def openat2(root: int, path: str) -> int:
    how = OpenHow(SAFE, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS)
    for _ in range(RACES):
        fd = libc().syscall(
            SYS_OPENAT2, root, os.fsencode(path), ctypes.byref(how), ctypes.sizeof(how)
        )
        if fd >= 0:
            return int(fd)
        if ctypes.get_errno() != errno.EAGAIN:
            break
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)


@cache
def has_openat2() -> bool:
    """Old kernels lack it, and some containers forbid it."""
    if sys.platform != "linux":
        return False
    with opened_folder(Path("/")) as root:
        try:
            os.close(openat2(root, "."))
        except OSError:
            return False
    return True


@cache
def libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def read_regular(fd: int, cap: int) -> bytes | None:
    """Up to `cap` + 1 bytes of a regular file; None for anything else. Closes `fd`."""
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        return file.read(cap + 1)
