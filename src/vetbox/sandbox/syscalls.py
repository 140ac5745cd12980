"""The WASI functions that the host answers itself: output, the bridge, and sleeping.

WASI's own sleep notices neither fuel nor a deadline, so a guest asleep could not be stopped. None
of these functions ever raises into WebAssembly: an exception there could surface in another run.
"""

import struct
import time
from collections.abc import Mapping
from typing import Protocol

from vetbox.sandbox.channel import Channel, MessageRefused
from vetbox.sandbox.guest.protocol import CHANNEL
from vetbox.sandbox.output import CappedOutput
from vetbox.sandbox.watch import Watch

# Error numbers of WASI preview 1.
SUCCESS, BAD_DESCRIPTOR, FAULT, INVALID, TOO_LONG = 0, 8, 21, 28, 35

VECTORS_MAX = 1024
SUBSCRIPTIONS_MAX = 1024
SUBSCRIPTION, EVENT = 48, 32  # bytes
CLOCK_EVENT = 0
REALTIME = 0
ABSOLUTE = 1
NANOSECONDS = 1_000_000_000
_CLOCK = struct.Struct("<I4xQ8xH")  # which clock, when, and the flags


class MemoryFault(Exception):
    """An address outside the guest's memory."""


class Memory(Protocol):
    """The guest's linear memory; `MemoryFault` outside its bounds."""

    def read(self, address: int, size: int) -> bytes:
        """A copy of some of it."""

    def write(self, address: int, data: bytes) -> None:
        """Change some of it."""


class Syscalls:
    """The functions for one run; each returns an error number, 0 for success."""

    def __init__(
        self,
        channel: Channel,
        outputs: Mapping[int, CappedOutput],
        watch: Watch,
        message_max: int,
    ) -> None:
        self._channel = channel
        self._outputs = outputs
        self._watch = watch
        self._message_max = message_max
        self._born = time.monotonic_ns()  # where the guest's monotonic clock is 0

    def send(self, memory: Memory, fd: int, vectors: int, count: int, written: int) -> int:
        """Take what is printed (descriptors 1 and 2) or said over the bridge."""
        if fd != CHANNEL and fd not in self._outputs:
            return BAD_DESCRIPTOR
        try:
            parts = self._parts(memory, vectors, count)
            if fd == CHANNEL:
                size = self._said(memory, parts)
            else:
                size = self._printed(memory, parts, self._outputs[fd])
            memory.write(written, struct.pack("<I", size))
        except MessageRefused:
            return INVALID
        except MessageTooLong:
            return TOO_LONG
        except MemoryFault:
            return FAULT
        return SUCCESS

    def receive(self, memory: Memory, fd: int, vectors: int, read: int, flags: int) -> int:
        """Give the next part of the bridge's answer."""
        if fd != CHANNEL:
            return BAD_DESCRIPTOR
        try:
            address, size = struct.unpack("<II", memory.read(vectors, 8))
            chunk = self._channel.give(size)
            memory.write(address, chunk)
            memory.write(read, struct.pack("<I", len(chunk)))
            memory.write(flags, b"\0\0")
        except MemoryFault:
            return FAULT
        return SUCCESS

    def poll(self, memory: Memory, wanted: int, happened: int, count: int, events: int) -> int:
        """Wait for a clock, at most until the run's deadline; files are always ready."""
        if not 0 < count <= SUBSCRIPTIONS_MAX:
            return INVALID
        try:
            block = memory.read(wanted, SUBSCRIPTION * count)
            ready = self._awaited([block[i : i + SUBSCRIPTION] for i in _steps(count)])
            memory.write(happened, b"".join(ready))
            memory.write(events, struct.pack("<I", len(ready)))
        except MemoryFault:
            return FAULT
        return SUCCESS

    def _said(self, memory: Memory, parts: list[tuple[int, int]]) -> int:
        size = sum(size for _, size in parts)
        if size > self._message_max:
            raise MessageTooLong
        self._channel.take(b"".join(memory.read(*part) for part in parts))
        return size

    def _printed(self, memory: Memory, parts: list[tuple[int, int]], output: CappedOutput) -> int:
        """Take the first part only: writing less than asked is what descriptors may do."""
        address, size = next((part for part in parts if part[1]), (0, 0))
        output.take(memory.read(address, min(size, output.room)), size)
        self._watch.over()
        return size

    def _parts(self, memory: Memory, vectors: int, count: int) -> list[tuple[int, int]]:
        if not 0 <= count <= VECTORS_MAX:
            raise MessageTooLong
        return list(struct.iter_unpack("<II", memory.read(vectors, 8 * count)))

    def _awaited(self, subscriptions: list[bytes]) -> list[bytes]:
        files = [one for one in subscriptions if one[8] != CLOCK_EVENT]
        if files:
            return [_event(one) for one in files]
        delays = [self._delay(one) for one in subscriptions]
        shortest = min(delays)
        self._watch.sleep(shortest)
        return [_event(subscriptions[delays.index(shortest)])]

    def _delay(self, subscription: bytes) -> float:
        """Seconds until a clock subscription is due."""
        clock, timeout, flags = _CLOCK.unpack_from(subscription, 16)
        if flags & ABSOLUTE:
            timeout -= time.time_ns() if clock == REALTIME else time.monotonic_ns() - self._born
        return max(0.0, float(timeout) / NANOSECONDS)


class MessageTooLong(Exception):
    """More than the policy lets cross at once; the guest sees an OSError."""


def _steps(count: int) -> range:
    return range(0, SUBSCRIPTION * count, SUBSCRIPTION)


def _event(subscription: bytes) -> bytes:
    return subscription[:8] + struct.pack("<HB", SUCCESS, subscription[8]).ljust(EVENT - 8, b"\0")
