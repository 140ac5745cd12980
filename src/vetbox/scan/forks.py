"""Forks: many small tasks shared among copies of this process, any of which may die of its task.

For a command only: a process with other threads must use workers.WorkerPool. Each step of a task
has a limit of processor time, kept by the kernel, so that no parser can outlast it.
"""

import gc
import os
import resource
import selectors
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from mmap import mmap
from typing import Any, TypeAlias, cast

from vetbox.late_dataclasses import dataclass
from vetbox.scan.thrift import Thrift, data_bytes
from vetbox.workers.channel import JSON, Channel, ChannelClosed
from vetbox.workers.limits import lower

CHUNK = 32  # tasks handed out at a time, at most
_DONE_FOR_ONE_MORE = 16  # that many tasks later, one more is handed out at a time
_GC_THRESHOLD = 500_000  # syntax trees are many objects without cycles; Thrift sees to the few
_SLOT_BYTES = 8
_TOLD_AT_ONCE = 1_000_000  # characters; a message has a limit, and the parent its memory
_KEPT_BYTES = 110_000_000  # what a worker needs between two tasks after 6,800 files

Steps: TypeAlias = Sequence[Callable[[Any], Any]]
"""Each is given what the one before made of a task, the first the task itself; the last answers.

A worker takes each step for all the tasks it was handed before the next one: what a step reads of
the program and its tables then stays near the processor.
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a step may take: processor seconds, and bytes beyond what the process holds already."""

    cpu_s: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Died:
    """A task whose process ended: over its time, or otherwise, as `how` says."""

    how: str
    overtime: bool


@dataclass
class _Child:
    pid: int
    channel: Channel
    doing: mmap
    tasks: deque[int] = field(default_factory=deque)
    asked: bool = False


def forked(
    steps: Steps, tasks: Sequence[object], *, jobs: int, limits: Limits
) -> Iterator[tuple[int, str | Died]]:
    """(index, answer) of every task, in the order they are done; the largest come first."""
    waiting = _batches(len(tasks))
    with selectors.DefaultSelector() as selector:
        for _ in range(min(jobs, -(-len(tasks) // CHUNK))):
            _add(selector, _fork(selector, steps, tasks, limits), waiting)
        try:
            while selector.get_map():
                for key, _ in selector.select():
                    selector.unregister(key.fileobj)
                    child: _Child = key.data
                    done, successor = _hear(child, selector, steps, tasks, limits)
                    _add(selector, successor, waiting)
                    yield from done
        finally:
            for key in list(selector.get_map().values()):
                os.kill(key.data.pid, signal.SIGKILL)
                _reap(key.data)


def _batches(tasks: int) -> Iterator[range]:
    """What is handed out at a time: a worker holds what it reads of all, so few large ones."""
    begun = 0
    while begun < tasks:
        size = min(CHUNK, 1 + begun // _DONE_FOR_ONE_MORE)
        yield range(begun, min(begun + size, tasks))
        begun += size


def _add(selector: selectors.BaseSelector, child: _Child, waiting: Iterator[range]) -> None:
    """Await a child's answers: give it its next tasks before, or let it go when there are none."""
    if not child.asked:
        if not child.tasks:
            child.tasks.extend(next(waiting, ()))
        if not child.tasks:
            _reap(child)
            return
        with suppress(ChannelClosed):  # its end is heard of below
            child.channel.send("tasks", [*child.tasks])
        child.asked = True
    selector.register(child.channel.fileno(), selectors.EVENT_READ, child)


def _hear(
    child: _Child,
    selector: selectors.BaseSelector,
    steps: Steps,
    tasks: Sequence[object],
    limits: Limits,
) -> tuple[list[tuple[int, str | Died]], _Child]:
    """What a child answers, and the one to ask next: another when it died of a task."""
    try:
        _, answers = child.channel.receive()
    except ChannelClosed:
        died = _reap(child)
        culprit = _culprit(child)
        successor = _fork(selector, steps, tasks, limits)
        successor.tasks.extend(index for index in child.tasks if index != culprit)
        return [(culprit, died)], successor
    done: list[tuple[int, str | Died]]
    done = [(child.tasks.popleft(), said) for said in cast("list[str]", answers)]
    child.asked = bool(child.tasks)
    return done, child


def _culprit(child: _Child) -> int:
    """The task that a child died of: the first of its own where it began none, or it had no end."""
    doing = int.from_bytes(child.doing[:_SLOT_BYTES], sys.byteorder)
    return doing if doing in child.tasks else child.tasks[0]


def _reap(child: _Child) -> Died:
    child.channel.close()
    _, status = os.waitpid(child.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGPROF:
        return Died("took too long", overtime=True)
    how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
    return Died(how, overtime=False)


# In the child ----------------------------------------------------------------------------------


def _fork(
    selector: selectors.BaseSelector,
    steps: Steps,
    tasks: Sequence[object],
    limits: Limits,
) -> _Child:
    ours, theirs = socket.socketpair()
    doing = mmap(-1, _SLOT_BYTES)
    gc.freeze()  # what exists already is shared and never garbage
    pid = os.fork()
    if pid:
        theirs.close()
        return _Child(pid, Channel(ours), doing)
    ours.close()
    for sibling in selector.get_map().values():  # or it would not see the parent go
        sibling.data.channel.close()
    try:
        _limit(limits)
        _work(steps, tasks, Channel(theirs), doing, limits)
    except (ChannelClosed, KeyboardInterrupt):
        os._exit(0)
    except BaseException:  # noqa: BLE001 - the parent reports the task; its own stack must not unwind
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def _work(
    steps: Steps,
    tasks: Sequence[object],
    channel: Channel,
    doing: mmap,
    limits: Limits,
) -> None:
    thrift = Thrift(_KEPT_BYTES)
    *before, last = (_watched(step, doing, limits) for step in steps)
    while True:
        _, asked = channel.receive()
        begun = [(index, tasks[index]) for index in cast("list[int]", asked)]
        for step in before:
            begun = [(index, step(index, given)) for index, given in begun]
        answers: list[JSON] = []
        untold = 0
        for index, given in _handed_over(begun):
            said = last(index, given)
            answers.append(said)
            untold += len(said)
            if said is not given:  # or there was nothing to do
                thrift.give_back()
            if untold > _TOLD_AT_ONCE:
                channel.send("answers", answers)
                answers, untold = [], 0
        signal.setitimer(signal.ITIMER_PROF, 0)
        if answers:
            channel.send("answers", answers)


def _handed_over(begun: list[tuple[int, object]]) -> Iterator[tuple[int, object]]:
    """Each of them, in order and kept no longer: with a file goes all that was made of it."""
    begun.reverse()
    while begun:
        yield begun.pop()


def _watched(
    step: Callable[[Any], Any], doing: mmap, limits: Limits
) -> Callable[[int, object], Any]:
    """The step with a limit of its own, of which the parent can see whose it is."""

    def taken(index: int, given: object) -> Any:
        doing[:_SLOT_BYTES] = index.to_bytes(_SLOT_BYTES, sys.byteorder)
        signal.setitimer(signal.ITIMER_PROF, limits.cpu_s)
        return step(given)

    return taken


def _limit(limits: Limits) -> None:
    """SIGPROF ends the process by default, even inside a C function."""
    gc.set_threshold(_GC_THRESHOLD)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        lower(resource.RLIMIT_DATA, limits.memory_bytes + data_bytes())
