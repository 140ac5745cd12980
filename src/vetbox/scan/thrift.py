"""Memory thrift: what a large task leaves behind goes back to the system before the next one."""

import gc
import os
from contextlib import suppress
from functools import cache

_GROWTH = 1.1  # what stays above the limit after a collection is in use: look again when it grows


class Thrift:
    """Keeps this process near `limit` bytes between tasks, where Linux tells how many it holds."""

    def __init__(self, limit: int) -> None:
        self._limit = limit

    def give_back(self) -> None:
        """The allocator's free pages first, a matter of milliseconds; then garbage with cycles."""
        if resident() <= self._limit:
            return
        _trim()
        if resident() <= self._limit:
            return
        gc.collect()
        _trim()
        self._limit = max(self._limit, int(resident() * _GROWTH))


def resident() -> int:
    """The bytes of memory that this process holds; 0 where /proc does not tell."""
    return _statm(1)


def data_bytes() -> int:
    """The bytes that count against its limit of data; 0 where /proc does not tell."""
    return _statm(5)


def _statm(column: int) -> int:
    try:
        opened = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        return int(os.read(opened, 100).split()[column]) * _page_bytes()
    finally:
        os.close(opened)


@cache
def _page_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE")


def _trim() -> None:
    """Ask glibc to return what is free; other libraries do so unasked."""
    import ctypes

    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
