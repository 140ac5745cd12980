"""The child's side of a worker: limits itself, builds the handler, answers requests."""

import ctypes
import importlib
import os
import resource
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, cast

from vetbox.own_process import own
from vetbox.workers.channel import JSON, OUT_OF_MEMORY_EXIT, Channel, ChannelClosed
from vetbox.workers.limits import lower

Emit: TypeAlias = Callable[[JSON], JSON]


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and what the worker does once it is on its way: nobody waits for that."""

    answer: JSON
    then: Callable[[], None]


Handler: TypeAlias = Callable[[JSON, Emit], "JSON | Answered"]

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # <sys/prctl.h>
_RSS_POLL_S = 0.05
_RSS_UNIT_BYTES = 1 if sys.platform == "darwin" else 1024  # getrusage(2) differs there


def main(fd: int, parent: int, memory_bytes: int | None) -> None:
    """Serve requests that come over the socket `fd`; returns when the parent closes it."""
    own()
    die_with(parent)
    _limit_memory(memory_bytes)
    channel = Channel(socket.socket(fileno=fd))
    threading.Thread(target=_exit_on_hangup, args=(channel.fileno(),), daemon=True).start()
    try:
        _serve(channel)
    except ChannelClosed:
        return
    except MemoryError:
        os._exit(OUT_OF_MEMORY_EXIT)


def _serve(channel: Channel) -> None:
    handler = _start(channel)
    if handler is None:
        return
    lock = threading.Lock()

    def emit(event: JSON) -> JSON:
        with lock:
            channel.send("emit", event)
            return channel.receive()[1]

    while True:
        _, request = channel.receive()
        _answer(channel, handler, request, emit)


def _start(channel: Channel) -> Handler | None:
    _, setup = channel.receive()
    entry, config, folders = cast(tuple[str, JSON, list[str]], setup)
    sys.path[:0] = folders
    module, _, factory = entry.partition(":")
    try:
        handler = getattr(importlib.import_module(module), factory)(config)
    except Exception as failed:  # noqa: BLE001 - crosses to the parent, which raises it
        channel.send("failed", _sentence(failed))
        return None
    channel.send("ready", None)
    return cast(Handler, handler)


def _answer(channel: Channel, handler: Handler, request: JSON, emit: Emit) -> None:
    try:
        answered = _answered(handler(request, emit))
        channel.send("done", answered.answer)
    except (MemoryError, ChannelClosed):
        raise
    except Exception as failed:  # noqa: BLE001 - crosses to the parent, which raises it
        channel.send("failed", _sentence(failed))
    else:
        answered.then()


def _answered(said: "JSON | Answered") -> Answered:
    return said if isinstance(said, Answered) else Answered(said, lambda: None)


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:10_000]


def die_with(parent: int) -> None:
    """Linux kills this process the moment its parent dies, even when it hangs in C code.

    The same holds between this process and the copies that a handler makes of it: they inherit
    neither this wish nor the thread that sees the parent go. What loses its parent becomes a child
    of this process, where the pool finds it, whichever session it moved to.
    """
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        prctl(_PR_SET_CHILD_SUBREAPER, 1)
        maker = [os.getpid()]

        def bind_copy() -> None:
            prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != maker[0]:
                os._exit(1)
            maker[0] = os.getpid()

        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        os.register_at_fork(after_in_child=bind_copy)
    if os.getppid() != parent:
        os._exit(1)


def _exit_on_hangup(fd: int) -> None:
    poll = select.poll()
    poll.register(fd, 0)  # hang-up is always reported
    poll.poll()
    os._exit(1)


def _limit_memory(limit: int | None) -> None:
    """RLIMIT_DATA counts what is writable: WebAssembly reserves much more without access."""
    lower(resource.RLIMIT_CORE, 0)
    if limit is None:
        return
    if sys.platform == "linux":
        lower(resource.RLIMIT_DATA, limit)
    else:  # macOS accepts the limit and ignores it
        threading.Thread(target=_exit_above, args=(limit,), daemon=True).start()


def _exit_above(limit: int) -> None:
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT_BYTES <= limit:
        time.sleep(_RSS_POLL_S)
    os._exit(OUT_OF_MEMORY_EXIT)
