"""A channel: JSON messages over a socket, with a deadline and a cancel event."""

import json
import select
import socket
import struct
import threading
import time
from typing import TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

MAX_FRAME_BYTES = 64_000_000  # one message; a bigger one is a bug or an attack
OUT_OF_MEMORY_EXIT = 137  # what a shell calls death by SIGKILL, the usual end of a memory hog
_written, _read = json.JSONEncoder(separators=(",", ":")).encode, json.JSONDecoder().decode
_LENGTH = struct.Struct(">I")
_CHUNK_BYTES = 1_000_000
_CANCEL_POLL_S = 0.05  # how soon a cancel event is noticed


class ChannelClosed(Exception):
    """The other side is gone."""


class ChannelTimeout(Exception):
    """The deadline passed."""


class ChannelCancelled(Exception):
    """The cancel event was set."""


class FrameTooLarge(Exception):
    """A message exceeds MAX_FRAME_BYTES."""


class Channel:
    """One end of a duplex stream of `[kind, payload]`; deadlines are `time.monotonic()` values."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self._end = end
        self._received = bytearray()

    def fileno(self) -> int:
        return self._end.fileno()

    def close(self) -> None:
        self._end.close()

    def send(
        self,
        kind: str,
        payload: JSON,
        *,
        deadline: float | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        """Send one message whole; raises ChannelClosed/-Timeout/-Cancelled, FrameTooLarge."""
        body = _written([kind, payload]).encode()
        if len(body) > MAX_FRAME_BYTES:
            raise FrameTooLarge(f"a message of {len(body):,} bytes exceeds {MAX_FRAME_BYTES:,}")
        unsent = memoryview(_LENGTH.pack(len(body)) + body)
        while unsent:
            try:
                unsent = unsent[self._end.send(unsent[:_CHUNK_BYTES]) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline, cancel)
            except OSError as gone:
                raise ChannelClosed(str(gone)) from gone

    def receive(
        self, *, deadline: float | None = None, cancel: threading.Event | None = None
    ) -> tuple[str, JSON]:
        """The next message; raises as `send`, and ChannelClosed when it is garbled."""
        self._fill(_LENGTH.size, deadline, cancel)
        (size,) = _LENGTH.unpack_from(self._received)
        if size > MAX_FRAME_BYTES:
            raise FrameTooLarge(f"a message of {size:,} bytes exceeds {MAX_FRAME_BYTES:,}")
        end = _LENGTH.size + size
        self._fill(end, deadline, cancel)
        body = bytes(self._received[_LENGTH.size : end])
        del self._received[:end]
        return _message(body)

    def _fill(self, wanted: int, deadline: float | None, cancel: threading.Event | None) -> None:
        while len(self._received) < wanted:
            try:
                chunk = self._end.recv(_CHUNK_BYTES)
            except BlockingIOError:
                self._wait(select.POLLIN, deadline, cancel)
                continue
            except OSError as gone:
                raise ChannelClosed(str(gone)) from gone
            if not chunk:
                raise ChannelClosed("end of stream")
            self._received += chunk

    def _wait(self, ready_for: int, deadline: float | None, cancel: threading.Event | None) -> None:
        poll = select.poll()
        poll.register(self._end.fileno(), ready_for)
        while True:
            if cancel is not None and cancel.is_set():
                raise ChannelCancelled
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise ChannelTimeout
            if poll.poll(_slice_ms(left, polling=cancel is not None)):
                return


def _slice_ms(left: float | None, *, polling: bool) -> float | None:
    waits = [
        seconds for seconds in (left, _CANCEL_POLL_S if polling else None) if seconds is not None
    ]
    return min(waits) * 1000 + 1 if waits else None  # +1: poll() rounds down, and 0 would spin


def _message(body: bytes) -> tuple[str, JSON]:
    try:
        kind, payload = _read(body.decode())
    except (ValueError, TypeError, RecursionError) as garbled:
        raise ChannelClosed(f"a garbled message: {garbled}") from garbled
    return str(kind), payload
