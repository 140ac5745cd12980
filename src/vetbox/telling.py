"""Fail-safe logging: the log is the caller's and may raise, which must not cost a result."""

import logging
import sys
from collections.abc import Callable
from contextlib import suppress


def tell(log: Callable[..., None], *said: object, **more: object) -> None:
    """Call one of a log's functions; what it raises becomes a line on stderr, as in `logging`."""
    try:
        log(*said, **more)
    except Exception as error:  # noqa: BLE001 - whatever a log does, the work goes on
        if logging.raiseExceptions:
            with suppress(OSError, ValueError, AttributeError):  # stderr may be closed, or none
                sys.stderr.write(f"vetbox: the log failed: {type(error).__name__}: {error}\n")
