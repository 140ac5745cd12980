"""One worker process seen from its parent: started isolated, killed with its whole session."""

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TypeAlias

import vetbox
from vetbox.workers.channel import JSON, OUT_OF_MEMORY_EXIT, Channel
from vetbox.workers.conversation import Line, Listener, Patience

# What answers a child's events: at once, or as a listener that may have to be left alone.
OnEvent: TypeAlias = Callable[[JSON], JSON] | Listener | None

_REAP_TIMEOUT_S = 5.0
_PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "SSL_CERT_FILE",
)
_BOOT = (
    "import sys; sys.path.insert(0, sys.argv[1]); from vetbox.workers.child import main; "
    "main(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]) or None)"
)


class WorkerProcess:
    """A child that waits for requests on `channel`; `alive` until killed or crashed."""

    def __init__(self, memory_bytes: int | None) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = _spawner.start(_command(theirs.fileno(), memory_bytes), theirs.fileno())
        self.channel = Channel(ours)
        self._killed = threading.Lock()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def converse(
        self,
        request: JSON,
        deadline: float,
        on_event: OnEvent,
        cancel: threading.Event | None,
    ) -> tuple[str, JSON]:
        """Send a request, answer the child's events, return its last message: done or failed."""
        line = Line(self.channel, deadline, cancel)
        line.send("request", request)
        said = line.receive()
        if on_event is None or callable(on_event):
            return line.last(on_event or (lambda _: None), said)
        return Patience(line, on_event).last(said)

    def kill(self) -> None:
        """End the child and everything it started in its session; a second call does nothing."""
        if not self._killed.acquire(blocking=False):
            return
        _kill_session(self._process.pid)
        self._process.wait(_REAP_TIMEOUT_S)
        self.channel.close()

    def end(self) -> str:
        """How the child ended, in words; empty while it lives."""
        code = self._process.poll()
        if code is None:
            return ""
        if code == OUT_OF_MEMORY_EXIT:
            return "it met its memory limit"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def _command(fd: int, memory_bytes: int | None) -> list[str]:
    home = str(Path(vetbox.__file__).parent.parent)
    return [
        sys.executable,
        "-I",
        "-c",
        _BOOT,
        home,
        str(fd),
        str(os.getpid()),
        str(memory_bytes or 0),
    ]


def _environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """What an interpreter needs; the rest may be secrets, and a worker handles hostile code."""
    return {name: inherited[name] for name in _PASSED_ON if name in inherited}


def _kill_session(leader: int) -> None:
    """Kill the process group, then what left it (Linux can tell) for a session of its own, too."""
    if sys.platform == "linux":
        _signal(leader, signal.SIGSTOP)  # or it would breed while we look
        for pid in _below(leader):
            _signal(pid, signal.SIGKILL)
    _kill_group(leader)


def _kill_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # all gone; macOS says EPERM for a zombie leader
        return


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _below(leader: int) -> list[int]:
    """The processes of its session, and its children's children wherever they are."""
    children: dict[int, list[int]] = {}
    found = []
    for pid, parent, session in _processes():
        children.setdefault(parent, []).append(pid)
        if session == leader != pid:
            found.append(pid)
    pending = [leader, *found]
    while pending:
        young = children.pop(pending.pop(), [])
        found += young
        pending += young
    return found


def _processes() -> Iterator[tuple[int, int, int]]:
    """(pid, parent, session) of every process that we may see."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = Path("/proc", name, "stat").read_text("utf-8", "replace")
            except OSError:  # it ended meanwhile
                continue
            _, parent, _, session, *_ = stat.rpartition(")")[2].split()
            yield int(name), int(parent), int(session)


class _Spawner:
    """Starts every child from one thread that never ends.

    PR_SET_PDEATHSIG fires when the *thread* that forked ends, so a child started by a short-lived
    request thread would be killed with it.
    """

    def __init__(self) -> None:
        self._orders: queue.SimpleQueue[tuple[list[str], int, Future[subprocess.Popen[bytes]]]]
        self._orders = queue.SimpleQueue()
        self._started = threading.Lock()

    def start(self, command: list[str], fd: int) -> "subprocess.Popen[bytes]":
        if self._started.acquire(blocking=False):
            threading.Thread(target=self._work, name="vetbox-spawner", daemon=True).start()
        made: Future[subprocess.Popen[bytes]] = Future()
        self._orders.put((command, fd, made))
        return made.result()

    def _work(self) -> None:
        while True:
            command, fd, made = self._orders.get()
            try:
                made.set_result(_popen(command, fd))
            except OSError as failed:
                made.set_exception(failed)


def _popen(command: list[str], fd: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command,
        pass_fds=(fd,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_environment(os.environ),
        start_new_session=True,
    )


_spawner = _Spawner()
