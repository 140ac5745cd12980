"""Bounds on time that other work on the machine cannot break: the best of a few attempts counts."""

import sys
import time
from collections.abc import Callable

ATTEMPTS = 5


Clock = Callable[[], float]


def seconds(attempt: Callable[[], object], clock: Clock = time.monotonic) -> float:
    """What one attempt takes on a clock."""
    started = clock()
    attempt()
    return clock() - started


def within(bound_s: float, attempt: Callable[[], object], *, clock: Clock = time.monotonic) -> bool:
    """Whether an attempt keeps the bound; one that does is enough, as the delay of another may
    not be ours. Work of this process alone is best told by `time.process_time`.
    """
    return any(seconds(attempt, clock) < bound_s for _ in range(ATTEMPTS))


def calls(work: Callable[[], object]) -> int:
    """How many functions written in Python some work calls: the same on every machine."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
