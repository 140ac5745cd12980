"""When and why a run has to stop: its wall clock, its canceller, and whatever else says so."""

import threading
import time
from collections.abc import Callable

from vetbox.sandbox.limits import Limit

TICK_S = 0.01  # how often a running guest is looked at; limits hold to within this
IDLE_S = 1.0  # without runs for so long, the ticker stops waking up


class Watch:
    """The reasons of one run. The first one stays."""

    def __init__(self, timeout: float, cancel: threading.Event | None = None) -> None:
        self._timeout = timeout
        self._cancel = cancel
        self.reason: Limit | None = None
        self.begin()

    def begin(self) -> None:
        """The run's time starts now, and not while it waited for its place."""
        self._deadline = time.monotonic() + self._timeout

    def stop(self, reason: Limit) -> None:
        """Let the run end at the next look, for this reason."""
        if self.reason is None:
            self.reason = reason

    def over(self) -> bool:
        """Whether the run has to end now."""
        if self._cancel is not None and self._cancel.is_set():
            self.stop(Limit.CANCELLED)
        elif self.remaining() <= 0:
            self.stop(Limit.TIME)
        return self.reason is not None

    def remaining(self) -> float:
        """Seconds until the deadline, negative behind it."""
        return self._deadline - time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Sleep, but never longer than the run may last."""
        duration = max(0.0, min(seconds, self.remaining()))
        if self._cancel is None:
            time.sleep(duration)
        else:
            self._cancel.wait(duration)
        self.over()


class Ticker:
    """A thread that gives a beat while there are runs, and none when there are not."""

    def __init__(self, beat: Callable[[], None]) -> None:
        self._beat = beat
        self._lock = threading.Lock()
        self._runs = 0
        self._wanted = threading.Event()
        self._started = False

    def __enter__(self) -> None:
        with self._lock:
            self._runs += 1
            if not self._started:
                self._started = True
                threading.Thread(target=self._tick, name="vetbox-ticker", daemon=True).start()
            if not self._wanted.is_set():
                self._wanted.set()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._runs -= 1

    def _tick(self) -> None:
        idle_since = time.monotonic()
        while self._wanted.wait():
            time.sleep(TICK_S)
            self._beat()
            if self._runs:
                idle_since = time.monotonic()
            elif time.monotonic() - idle_since > IDLE_S:
                self._rest()

    def _rest(self) -> None:
        with self._lock:
            if not self._runs:
                self._wanted.clear()
