"""Bounds on time that other work on the machine cannot break: the best of a few attempts counts."""

import sys
import time
from collections.abc import Callable

ATTEMPTS = 5
USUAL_S = 0.15  # of `_a_piece_of_work`: where it takes no longer, bounds hold as they are written


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


def works_within(bound_s: float, attempt: Callable[[], object]) -> bool:
    """Whether the work of an attempt keeps a bound that is meant for an ordinary machine.

    A bound on a judge's work is a claim about the work, not about whose core it runs on: where it
    is not kept it is stretched as a piece of work shows, which takes longer on a slower machine.
    """
    clock = time.process_time
    return seconds(attempt, clock) < bound_s or within(bound_s * _pace(), attempt, clock=clock)


def _pace() -> float:
    """How many times longer than USUAL_S this machine takes for a piece of work; at least 1."""
    return max(1.0, seconds(_a_piece_of_work, time.process_time) / USUAL_S)


def _a_piece_of_work() -> None:
    """Objects made, kept and asked, as the engine does: memory slows that more than turns."""
    kept = {str(number): (number, [number]) for number in range(200_000)}
    sum(value[0] for key, value in kept.items() if key.startswith("1"))


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
