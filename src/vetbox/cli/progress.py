"""A progress bar on stderr: only on a terminal, only for scans that take a while."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE_S = 1.0  # a bar that flashes by is noise
Progress = Callable[[int, int], None]


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """Yields what is to be told `(files done, files in all)`; None when nobody is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = Bar(time.monotonic())
    try:
        yield bar.update
    finally:
        bar.close()


class Bar:
    """Draws itself from the first update after PATIENCE_S; rich is imported no sooner."""

    def __init__(self, started: float) -> None:
        self.started = started
        self.live: Callable[[int, int], None] | None = None
        self.close: Callable[[], None] = lambda: None

    def update(self, done: int, total: int) -> None:
        if self.live is None and time.monotonic() - self.started > PATIENCE_S:
            self.open(total)
        if self.live is not None:
            self.live(done, total)

    def open(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        columns = ("vetting", BarColumn(), MofNCompleteColumn(), "files", TimeRemainingColumn())
        progress = Progress(*columns, console=Console(stderr=True), transient=True)
        task = progress.add_task("vetting", total=total)
        progress.start()
        self.close = progress.stop
        self.live = lambda done, total: progress.update(task, completed=done, total=total)
