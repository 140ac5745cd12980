"""Where programs run: in this process, or in worker processes that can be killed and replaced."""

import functools
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from vetbox.sandbox.guest_package import BARE, GuestPackage
from vetbox.sandbox.image import Image
from vetbox.sandbox.images import Progress, image_of
from vetbox.sandbox.interpreters import DEFAULT
from vetbox.sandbox.job import Ending, Job
from vetbox.sandbox.limits import CANCELLED, Limit
from vetbox.sandbox.runtime import DEFAULT_PATH, explicit, install
from vetbox.sandbox.tools import TimedToolbox
from vetbox.telling import tell
from vetbox.workers import (
    JSON,
    WorkerBusy,
    WorkerCancelled,
    WorkerDied,
    WorkerFailed,
    WorkerPool,
    WorkerTimeout,
)

Begin: TypeAlias = Callable[[], None]

# What a worker may use beside the guest's memory: Python itself, wasmtime, and messages.
WORKER_OVERHEAD_BYTES = 300_000_000
# Bytes of memory that workers are made for: one pool for each, not for every policy.
MEMORY_CLASSES = (64_000_000, 256_000_000, 1_000_000_000, 2_000_000_000)
KILL_AFTER_S = 1.0  # how long after its deadline a run that does not stop by itself is killed
# More than cores: a program that sleeps or waits for a host function needs none.
WORKERS = max(4, os.cpu_count() or 1)


class Box(Protocol):
    """Runs jobs, from any number of threads."""

    def run(
        self, job: Job, tools: TimedToolbox, cancel: threading.Event | None, begin: Begin
    ) -> Ending:
        """Run a job to its end or limit; `tools` are asked for the host functions it calls.

        `begin` is called once nothing has to be waited for any more.
        """

    def warm(self) -> None:
        """Start now what would be started on first use."""


class InProcessBox:
    """Runs jobs in this process: nothing to start, and nothing that could be killed."""

    def __init__(self, image: Image) -> None:
        from vetbox.sandbox.host import Host

        self._host = Host(image)

    def run(
        self, job: Job, tools: TimedToolbox, cancel: threading.Event | None, begin: Begin
    ) -> Ending:
        """As `Box.run`."""
        begin()
        return self._host.run(job, tools.answer, cancel)

    def warm(self) -> None:
        """As `Box.warm`."""


class WorkerBox:
    """Runs each job in a worker process with a memory limit of the operating system."""

    def __init__(self, image: Image, memory: int) -> None:
        config: JSON = [str(image.code.parent), image.to_json()]
        self._pool = WorkerPool(
            "vetbox.sandbox.worker:start",
            size=WORKERS,
            memory_bytes=memory + WORKER_OVERHEAD_BYTES,
            config=config,
        )

    def run(
        self, job: Job, tools: TimedToolbox, cancel: threading.Event | None, begin: Begin
    ) -> Ending:
        """As `Box.run`; the end of a worker is the end of its run only."""
        heard = Heard(tools)
        try:
            ending = self._pool.call(
                job.to_json(),
                timeout_s=job.timeout + KILL_AFTER_S,
                on_event=heard,
                cancel=cancel,
                on_begin=begin,
            )
        except WorkerBusy as error:
            return Ending(error=f"The sandbox is busy: {error}")
        except WorkerTimeout:
            return Ending(limit=Limit.TIME, error="The program did not stop and was killed.")
        except WorkerCancelled:
            return Ending(limit=Limit.CANCELLED, error=CANCELLED)
        except (WorkerDied, WorkerFailed) as error:
            return Ending(error=f"The sandbox failed under the program. {error}")
        return Ending.from_json(cast(dict[str, JSON], ending) | heard.printed)

    def warm(self) -> None:
        """As `Box.warm`."""
        self._pool.warm()


class Heard:
    """What a worker says during a run: calls of host functions, and output in pieces."""

    def __init__(self, tools: TimedToolbox) -> None:
        self._tools = tools
        self._printed: dict[str, list[str]] = {"stdout": [], "stderr": []}

    @property
    def printed(self) -> dict[str, JSON]:
        """The text of each stream that came in pieces."""
        return {stream: "".join(parts) for stream, parts in self._printed.items() if parts}

    def answer(self, said: JSON) -> JSON:
        """As `Listener.answer`."""
        match said:
            case str(message):
                return self._tools.cut_off() if self.over() else self._tools.answer_here(message)
            case [str(stream), str(text)]:
                self._printed[stream].append(text)
        return None

    def over(self) -> bool:
        """As `Listener.over`."""
        return self._tools.over()

    def instead(self, said: JSON) -> JSON:
        """As `Listener.instead`."""
        return self._tools.cut_off() if isinstance(said, str) else self.answer(said)


@functools.cache
def in_process_box(image: Image) -> Box:
    """The one box of this process for an image."""
    return InProcessBox(image)


@functools.cache
def worker_box(image: Image, memory: int) -> WorkerBox:
    """The one box with workers of this process for an image and a memory limit in bytes."""
    return WorkerBox(image, memory)


def open_box(
    memory: int,
    *,
    wasm_binary_path: str | os.PathLike[str] = DEFAULT_PATH,
    guest: GuestPackage | None = None,
    in_process: bool = False,
    progress: Progress | None = None,
) -> Box:
    """The box for an interpreter with a guest package in it; both are made on first use.

    `memory` is what a guest may use at most, in bytes.
    """
    with _opening:  # two threads must not make two pools of one kind
        image = _image(os.fspath(wasm_binary_path), guest or BARE, progress or _log)
        return in_process_box(image) if in_process else worker_box(image, _class_of(memory))


def _class_of(memory: int) -> int:
    return next(size for size in MEMORY_CLASSES if memory <= size)


_opening = threading.Lock()


def _image(path: str, guest: GuestPackage, progress: Progress) -> Image:
    """From memory if this process knows it and it is still there, else from disk."""
    known = _known.get((path, guest))
    if known is None or not known.code.exists():
        known = _known[path, guest] = _found_or_built(path, guest, progress)
    return known


_known: dict[tuple[str, GuestPackage], Image] = {}


def _found_or_built(path: str, guest: GuestPackage, progress: Progress) -> Image:
    if path == DEFAULT_PATH:
        return image_of(DEFAULT.sha256, guest, lambda: install(progress).path, progress)
    runtime = explicit(Path(path))
    return image_of(runtime.sha256, guest, lambda: runtime.path, progress)


def _log(message: str) -> None:
    tell(logging.getLogger("vetbox.sandbox").info, message)
