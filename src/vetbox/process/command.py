"""A command seen from its caller: what goes in, what came out, and when it is called off."""

import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from vetbox.errors import VetboxError

SUPERVISOR = Path(__file__).with_name("supervisor.py")
CHANNEL_VARIABLE = "VETBOX_CHANNEL"
POLL_S = 0.05  # how soon a cancel event is noticed
SWEEP_WAIT_S = 6.0  # the supervisor gives up sweeping after 5 s
DRAIN_S = 0.5  # what is still in the pipes after the end
CHUNK_BYTES = 65_536


class Cancelled(VetboxError):
    """The caller cancelled; the command and all its children are dead."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a command may use; None is unlimited; output beyond its cap is dropped."""

    memory_bytes: int | None = 2_000_000_000  # writable memory, per process
    cpu_s: int | None = None
    file_bytes: int | None = 200_000_000  # the largest file it may write
    stdout_bytes: int = 64_000_000
    stderr_bytes: int = 100_000
    writable: tuple[Path, ...] = ()  # it writes nowhere else, where the system can confine it

    @property
    def resources(self) -> dict[str, int]:
        wanted = {
            "RLIMIT_DATA": self.memory_bytes,
            "RLIMIT_CPU": self.cpu_s,
            "RLIMIT_FSIZE": self.file_bytes,
            "RLIMIT_CORE": 0,
        }
        return {name: value for name, value in wanted.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Completed:
    """How a command ended; a negative `returncode` is the signal that killed it."""

    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool
    truncated: bool


def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    stdin: bytes = b"",
    limits: Limits = Limits(),
    cancel: threading.Event | None = None,
    channel: Callable[[bytes], None] | None = None,
) -> Completed:
    """Run `argv` (its first word an absolute path) and wait for its end, or end it.

    Whatever it started is dead when this returns. `channel` is called with the bytes the command
    writes to the descriptor numbered in $VETBOX_CHANNEL. Raises OSError when the command cannot
    be started and Cancelled when `cancel` is set.
    """
    with tempfile.TemporaryFile() as given, _Pipe(wanted=channel is not None) as pipe:
        given.write(stdin)
        given.seek(0)
        order = _order(argv, cwd, env, limits, pipe.write_end)
        child = _Child(given, pipe.write_end)
        with child:
            pipe.close_write_end()
            child.control.sendall(order)
            conversation = _Conversation(child, limits, pipe.read_end, channel)
            timed_out = conversation.follow(time.monotonic() + timeout_s, cancel)
    return conversation.completed(timed_out=timed_out)


def _order(
    argv: Sequence[str | Path], cwd: Path, env: Mapping[str, str], limits: Limits, channel: int
) -> bytes:
    words = [str(word) for word in argv]
    told = {**env, CHANNEL_VARIABLE: str(channel)} if channel >= 0 else dict(env)
    order = {
        "argv": words,
        "cwd": str(cwd),
        "env": told,
        "limits": limits.resources,
        "writable": [str(folder) for folder in limits.writable],
        "channel": channel,
    }
    return json.dumps(order).encode() + b"\n"


class _Pipe:
    """The command's private channel, when there is one."""

    def __init__(self, *, wanted: bool) -> None:
        self.read_end, self.write_end = os.pipe() if wanted else (-1, -1)

    def __enter__(self) -> "_Pipe":
        return self

    def __exit__(self, *_: object) -> None:
        self.close_write_end()
        if self.read_end >= 0:
            os.close(self.read_end)

    def close_write_end(self) -> None:
        if self.write_end >= 0:
            os.close(self.write_end)
            self.write_end = -1


class _Child:
    """The supervisor process; leaving the context ends it and, through it, the command."""

    def __init__(self, stdin: IO[bytes], channel: int) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            passed = [theirs.fileno(), *([channel] if channel >= 0 else [])]
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", SUPERVISOR, str(theirs.fileno())],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={},
                cwd="/",
                pass_fds=passed,
                start_new_session=True,
            )

    def __enter__(self) -> "_Child":
        return self

    def __exit__(self, *_: object) -> None:
        self.call_off()
        try:
            self.process.wait(SWEEP_WAIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr, self.control):
            if stream is not None:
                stream.close()

    def call_off(self) -> None:
        """Hang up: the supervisor kills the command and everything below it."""
        try:
            self.control.shutdown(socket.SHUT_WR)
        except OSError:
            return  # it hung up first


@dataclass(slots=True)
class _Capped:
    """Output up to a cap; the rest is read and dropped, so that the writer never blocks."""

    cap: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: bool = False

    def take(self, chunk: bytes) -> None:
        room = self.cap - len(self.kept)
        self.kept += chunk[:room]
        self.dropped = self.dropped or len(chunk) > room


class _Conversation:
    """Everything the command and its supervisor say, read until the end."""

    def __init__(
        self,
        child: _Child,
        limits: Limits,
        channel_end: int,
        channel: Callable[[bytes], None] | None,
    ) -> None:
        self._child = child
        self._stdout, self._stderr = _Capped(limits.stdout_bytes), _Capped(limits.stderr_bytes)
        self._report = _Capped(CHUNK_BYTES)
        self._open = selectors.DefaultSelector()
        self._listen(child.process.stdout, self._stdout.take)
        self._listen(child.process.stderr, self._stderr.take)
        self._listen(child.control, self._report.take)
        if channel is not None:
            self._listen(channel_end, channel)

    def _listen(self, end: "IO[bytes] | socket.socket | int | None", take: object) -> None:
        if end is not None:
            self._open.register(end, selectors.EVENT_READ, take)

    def follow(self, deadline: float, cancel: threading.Event | None) -> bool:
        """Read until the supervisor reports; True when the time ran out. Raises Cancelled."""
        with self._open:
            timed_out = not self._read_until(deadline, cancel)
            if timed_out:
                self._child.call_off()
                self._read_until(time.monotonic() + SWEEP_WAIT_S, None)
            self._drain(time.monotonic() + DRAIN_S)
        return timed_out

    def _read_until(self, deadline: float, cancel: threading.Event | None) -> bool:
        while not self._reported:
            if cancel is not None and cancel.is_set():
                raise Cancelled("The call was cancelled.")
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._read(min(left, POLL_S))
        return True

    @property
    def _reported(self) -> bool:
        return self._child.control not in self._open.get_map()

    def _drain(self, deadline: float) -> None:
        while self._open.get_map() and time.monotonic() < deadline:
            self._read(POLL_S)

    def _read(self, wait_s: float) -> None:
        for key, _ in self._open.select(wait_s):
            chunk = os.read(key.fd, CHUNK_BYTES)
            if chunk:
                key.data(chunk)
            else:
                self._open.unregister(key.fileobj)

    def completed(self, *, timed_out: bool) -> Completed:
        """Raises OSError when the command could not be started."""
        report = json.loads(self._report.kept or b'{"returncode": -9}')
        if "errno" in report:
            raise OSError(report["errno"], os.strerror(report["errno"]))
        return Completed(
            report["returncode"],
            bytes(self._stdout.kept),
            bytes(self._stderr.kept),
            timed_out,
            self._stdout.dropped or self._stderr.dropped,
        )
