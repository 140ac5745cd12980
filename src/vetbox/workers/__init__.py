"""Killable children that answer framed JSON requests: for work that may hang, crash or grow."""

from vetbox.workers.channel import JSON, MAX_FRAME_BYTES
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
