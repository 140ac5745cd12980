"""Recursion: how deep functions may call each other while data is followed through a file.

A summary is read where it is first asked for, within the reading of what calls it: functions that
call each other in a row of twenty already take the thousand calls that Python allows.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

DEEPEST = 4_000
"""Calls, which take less than a megabyte of the stack; threads have eight, and sixteen on macOS."""

_lock = threading.Lock()
_within = 0
_as_ever = 0


@contextmanager
def deeper() -> Iterator[None]:
    """Allow calls as deep as DEEPEST until the last of those who asked, in any thread, is done."""
    global _within, _as_ever  # noqa: PLW0603 - the limit is the whole process's too
    with _lock:
        if not _within:
            _as_ever = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_as_ever, DEEPEST))
        _within += 1
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if not _within:
                sys.setrecursionlimit(_as_ever)
