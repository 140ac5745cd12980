"""Bounds on time that other work on the machine cannot break: the best of a few attempts counts."""

import time
from collections.abc import Callable

ATTEMPTS = 5


def seconds(attempt: Callable[[], object]) -> float:
    """What one attempt takes on the clock."""
    started = time.monotonic()
    attempt()
    return time.monotonic() - started


def within(bound_s: float, attempt: Callable[[], object]) -> bool:
    """Whether an attempt keeps the bound; one that does is enough, as the delay of another may
    not be ours.
    """
    return any(seconds(attempt) < bound_s for _ in range(ATTEMPTS))
