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
    """Within it, signals that end the process unwind its stack as an error does.

    Those that whoever started it wants to be ignored stay so.
    """
    taken = [told for told in _TOLD if signal.getsignal(told) is signal.SIG_DFL]
    for told in taken:
        signal.signal(told, _leave)
    try:
        yield
    finally:
        for told in taken:
            signal.signal(told, signal.SIG_DFL)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(_BY_SIGNAL + number)
