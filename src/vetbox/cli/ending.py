"""Ending: a command that is told to end removes what it made for the programs it runs."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_TOLD = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_BY_SIGNAL = 128
"""A shell says so of a program that a signal ended, the signal's number added."""


@contextmanager
def tidy() -> Iterator[None]:
    """Within it, signals that end the process unwind its stack as an error does."""
    before = {told: signal.signal(told, _leave) for told in _TOLD}
    try:
        yield
    finally:
        for told, handler in before.items():
            signal.signal(told, handler)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(_BY_SIGNAL + number)
