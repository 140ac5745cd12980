"""Progress: how far a call is, told to whoever waits for it."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Is told what is done, of how much, and in words what comes next or was done last."""


def no_progress(done: int, total: int, message: str) -> None:
    """For a caller who does not want to know."""
