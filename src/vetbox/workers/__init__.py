"""Killable children that answer framed JSON requests: for work that may hang, crash or grow."""

from typing import TYPE_CHECKING

from vetbox.workers.channel import JSON, MAX_FRAME_BYTES

if TYPE_CHECKING:
    from vetbox.workers.pool import (
        WorkerBusy,
        WorkerCancelled,
        WorkerDied,
        WorkerError,
        WorkerFailed,
        WorkerPool,
        WorkerTimeout,
    )

__all__ = [
    "JSON",
    "MAX_FRAME_BYTES",
    "WorkerBusy",
    "WorkerCancelled",
    "WorkerDied",
    "WorkerError",
    "WorkerFailed",
    "WorkerPool",
    "WorkerTimeout",
]


def __getattr__(name: str) -> object:
    """The pool, imported when it is asked for: its children and `vetbox check` only need JSON."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from vetbox.workers import pool

    return getattr(pool, name)
