"""A pool of worker processes: a request goes in, an answer comes out, or the worker is killed."""

import atexit
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from vetbox.errors import VetboxError
from vetbox.workers.channel import (
    JSON,
    ChannelCancelled,
    ChannelClosed,
    ChannelTimeout,
    FrameTooLarge,
)
from vetbox.workers.process import OnEvent, WorkerProcess

START_TIMEOUT_S = 30.0  # importing the entry module and building its handler
QUEUE_TIMEOUT_S = 60.0  # how long a request may wait for a free worker
_CANCEL_POLL_S = 0.05
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 10.0


class WorkerError(VetboxError):
    """A request to a worker was not answered."""


class WorkerTimeout(WorkerError):
    """The worker took longer than the call allowed and was killed, or none became free."""


class WorkerBusy(WorkerTimeout):
    """No worker became free in time; none was asked."""


class WorkerDied(WorkerError):
    """The worker crashed, ran out of memory or could not be started."""


class WorkerCancelled(WorkerError):
    """The caller cancelled; the worker was killed."""


class WorkerFailed(WorkerError):
    """The handler raised; the worker lives on. The text is `Type: message`."""


class WorkerPool:
    """Up to `size` children, started when needed, each running the handler that `entry` builds.

    `entry` is `package.module:factory`; in the child `factory(config)` answers a
    `handler(request, emit) -> answer`. `emit(event)` asks the caller's `on_event` and waits for its
    answer. Everything that crosses is JSON. The children share no stdin, stdout, terminal or
    PYTHON* environment with this process, and die with it. `memory_bytes` limits each child.
    Safe to use from many threads.
    """

    def __init__(
        self,
        entry: str,
        *,
        size: int,
        memory_bytes: int | None,
        config: JSON = None,
        import_from: Sequence[Path] = (),
    ) -> None:
        self._setup: JSON = [entry, config, [str(folder) for folder in import_from]]
        self._memory_bytes = memory_bytes
        self._free = threading.Semaphore(size)
        self._size = size
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._alive: set[WorkerProcess] = set()
        self._closed = False
        self._pause_s = 0.0
        self._start_again_at = 0.0
        self._start_error = ""
        _open_pools.add(self)

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def call(
        self,
        request: JSON,
        *,
        timeout_s: float,
        on_event: OnEvent = None,
        cancel: threading.Event | None = None,
        on_begin: Callable[[], None] | None = None,
    ) -> JSON:
        """The handler's answer; starting a child and waiting for a free one are not its time.

        `on_begin` is called when they are over and the time begins.

        Raises WorkerTimeout, WorkerDied, WorkerCancelled (the child is gone and will be replaced),
        WorkerFailed (the handler raised). What `on_event` raises passes through.
        """
        self._wait_for_turn(cancel)
        try:
            worker = self._worker(cancel)
            if on_begin is not None:
                on_begin()
            return self._ask(worker, request, time.monotonic() + timeout_s, on_event, cancel)
        except ChannelTimeout:
            raise WorkerTimeout(f"The worker was killed after {timeout_s:g} s.") from None
        except ChannelCancelled:
            raise WorkerCancelled("The worker was killed because its caller cancelled.") from None
        finally:
            self._free.release()

    def warm(self) -> None:
        """Start every child now, so that no later call waits for one. Raises WorkerDied."""
        missing = self._size - len(self._alive)
        started = [self._start() for _ in range(missing)]
        with self._lock:
            self._idle.extend(started)

    def close(self) -> None:
        """Kill every child; calls under way raise WorkerDied."""
        with self._lock:
            self._closed = True
            workers, self._idle = list(self._alive), []
        for worker in workers:
            self._discard(worker)

    def _wait_for_turn(self, cancel: threading.Event | None) -> None:
        deadline = time.monotonic() + QUEUE_TIMEOUT_S
        while not self._free.acquire(timeout=_CANCEL_POLL_S if cancel else QUEUE_TIMEOUT_S):
            if cancel is not None and cancel.is_set():
                raise WorkerCancelled("The caller cancelled while all workers were busy.")
            if time.monotonic() >= deadline:
                raise WorkerBusy(f"All {self._size} workers were busy for {QUEUE_TIMEOUT_S:g} s.")

    def _worker(self, cancel: threading.Event | None) -> WorkerProcess:
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                return self._start(cancel)
            if worker.alive:
                return worker
            self._discard(worker)

    def _start(self, cancel: threading.Event | None = None) -> WorkerProcess:
        self._check_may_start()
        worker = WorkerProcess(self._memory_bytes)
        with self._lock:
            self._alive.add(worker)
        try:
            kind, payload = self._greet(worker, cancel)
        except ChannelCancelled:
            self._discard(worker)
            raise
        except (ChannelTimeout, ChannelClosed) as failed:
            kind, payload = "failed", worker.end() or str(failed) or "it did not answer in time"
        if kind == "ready" and not self._closed:
            self._pause_s = 0.0
            return worker
        self._discard(worker)
        self._back_off(f"The worker could not start: {payload}.")
        raise WorkerDied(self._start_error)

    def _greet(self, worker: WorkerProcess, cancel: threading.Event | None) -> tuple[str, JSON]:
        deadline = time.monotonic() + START_TIMEOUT_S
        worker.channel.send("start", self._setup, deadline=deadline, cancel=cancel)
        return worker.channel.receive(deadline=deadline, cancel=cancel)

    def _check_may_start(self) -> None:
        if self._closed:
            raise WorkerDied("The worker pool is closed.")
        if time.monotonic() < self._start_again_at:
            raise WorkerDied(self._start_error)

    def _back_off(self, error: str) -> None:
        self._pause_s = min(max(self._pause_s * 2, _FIRST_PAUSE_S), _LONGEST_PAUSE_S)
        self._start_again_at = time.monotonic() + self._pause_s
        self._start_error = error

    def _ask(
        self,
        worker: WorkerProcess,
        request: JSON,
        deadline: float,
        on_event: OnEvent,
        cancel: threading.Event | None,
    ) -> JSON:
        """Everything but an answer costs the worker its life: its state is unknown."""
        try:
            kind, payload = worker.converse(request, deadline, on_event, cancel)
        except FrameTooLarge as large:
            self._discard(worker)
            raise WorkerFailed(f"FrameTooLarge: {large}") from large
        except ChannelClosed:
            self._discard(worker)
            raise WorkerDied(f"The worker died: {worker.end()}.") from None
        except BaseException:
            self._discard(worker)
            raise
        self._keep(worker)
        if kind == "failed":
            raise WorkerFailed(str(payload))
        return payload

    def _keep(self, worker: WorkerProcess) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(worker)

    def _discard(self, worker: WorkerProcess) -> None:
        with self._lock:
            self._alive.discard(worker)
        worker.kill()


_open_pools: "weakref.WeakSet[WorkerPool]" = weakref.WeakSet()


@atexit.register
def _close_pools() -> None:
    for pool in list(_open_pools):
        pool.close()
