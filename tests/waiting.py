"""Waits for what happens in its own time: a busy machine takes long, and a sleep never knows."""

import time
from collections.abc import Callable

PATIENCE_S = 120  # only a test that fails waits so long
LOOK_S = 0.01


def until(happened: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Return as soon as it has happened; fails when it never does."""
    deadline = time.monotonic() + patience_s
    while not happened():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        time.sleep(LOOK_S)
