"""What the host answers itself: output within its cap, waits within the deadline, no fault."""

import struct
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import until
from vetbox.sandbox.channel import Channel
from vetbox.sandbox.guest.protocol import CHANNEL
from vetbox.sandbox.limits import Limit
from vetbox.sandbox.output import FLOOD_MINIMUM, CappedOutput
from vetbox.sandbox.syscalls import (
    BAD_DESCRIPTOR,
    FAULT,
    INVALID,
    SUCCESS,
    TOO_LONG,
    MemoryFault,
    Syscalls,
)
from vetbox.sandbox.watch import Ticker, Watch

NUMBERS = st.integers(min_value=0, max_value=(1 << 32) - 1)


class Bytes:
    """A guest's memory that is a bytearray."""

    def __init__(self, size: int = 4096) -> None:
        self.data = bytearray(size)

    def read(self, address: int, size: int) -> bytes:
        self._check(address, size)
        return bytes(self.data[address : address + size])

    def write(self, address: int, data: bytes) -> None:
        self._check(address, len(data))
        self.data[address : address + len(data)] = data

    def _check(self, address: int, size: int) -> None:
        if address + size > len(self.data):
            raise MemoryFault


def calls(timeout: float = 5.0) -> tuple[Syscalls, CappedOutput, Watch]:
    watch = Watch(timeout)
    output = CappedOutput(100, watch)
    channel = Channel("{}", lambda text: text, lambda: None, 10, watch)
    return Syscalls(channel, {1: output}, watch, 1_000), output, watch


def clock(timeout_ns: int, flags: int = 0, number: int = 7) -> bytes:
    return struct.pack("<QB7xI4xQQH6x", number, 0, 1, timeout_ns, 0, flags)


def test_what_is_printed_is_taken_and_counted() -> None:
    syscalls, output, _ = calls()
    memory = Bytes()
    memory.write(0, struct.pack("<II", 100, 5))
    memory.write(100, b"hello")
    assert syscalls.send(memory, 1, 0, 1, 200) == SUCCESS
    assert (output.text(), memory.read(200, 4)) == ("hello", b"\5\0\0\0")


@pytest.mark.parametrize(
    ("fd", "vectors", "expected"),
    [(5, (0, 0), BAD_DESCRIPTOR), (1, (4_095, 5), FAULT), (CHANNEL, (0, 5), INVALID),
     (CHANNEL, (0, 1_001), TOO_LONG), (CHANNEL, (1 << 31, 5), FAULT)],
)  # fmt: skip
def test_a_wrong_message_is_an_error_number(
    fd: int, vectors: tuple[int, int], expected: int
) -> None:
    memory = Bytes()
    memory.write(0, struct.pack("<II", *vectors))
    assert calls()[0].send(memory, fd, 0, 1, 200) == expected


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.binary(max_size=200))
def test_no_argument_raises(a: int, b: int, c: int, d: int, content: bytes) -> None:
    syscalls, _, _ = calls(timeout=0.001)
    memory = Bytes()
    memory.write(0, content)
    for fd in (1, CHANNEL, a):
        assert syscalls.send(memory, fd, b, c, d) in (SUCCESS, 8, 21, 28, 35)
        assert syscalls.receive(memory, fd, b, c, d) in (SUCCESS, 8, 21)
    assert syscalls.poll(memory, a, b, c, d) in (SUCCESS, 21, 28)


def test_a_wait_lasts_as_long_as_asked() -> None:
    syscalls, _, watch = calls()
    memory = Bytes()
    memory.write(0, clock(50_000_000, number=3) + clock(30_000_000, number=9))
    started = time.monotonic()
    assert syscalls.poll(memory, 0, 1_000, 2, 2_000) == SUCCESS
    assert 0.03 <= time.monotonic() - started < 60
    assert (memory.read(1_000, 1), memory.read(2_000, 4)) == (b"\x09", b"\1\0\0\0")
    assert watch.reason is None


def test_a_wait_ends_with_the_run() -> None:
    syscalls, _, watch = calls(timeout=0.05)
    memory = Bytes()
    memory.write(0, clock(10**18))
    assert syscalls.poll(memory, 0, 1_000, 1, 2_000) == SUCCESS
    assert watch.reason is Limit.TIME


@given(st.text(), st.integers(min_value=0, max_value=40), st.integers(min_value=1, max_value=9))
def test_capped_output_is_a_prefix_within_the_cap(text: str, cap: int, piece: int) -> None:
    output, data = CappedOutput(cap, Watch(5)), text.encode("utf-8", "replace")
    for start in range(0, len(data), piece):
        part = data[start : start + piece]
        output.take(part[: output.room], len(part))
    assert len(output.text().encode()) <= cap
    assert data.decode().startswith(output.text())
    assert output.truncated == (len(data) > cap)


@given(st.binary(), st.integers(min_value=0, max_value=40))
def test_output_that_is_no_text_is_capped_as_well(data: bytes, cap: int) -> None:
    output = CappedOutput(cap, Watch(5))
    output.take(data, len(data))
    assert len(output.text().encode()) <= cap


def test_a_flood_is_stopped_where_it_is_certain() -> None:
    watch = Watch(5)
    output = CappedOutput(10, watch)
    output.take(b"", FLOOD_MINIMUM)
    assert watch.reason is None
    output.take(b"", 1)
    assert watch.reason is Limit.OUTPUT


def test_the_first_reason_stays() -> None:
    cancel = threading.Event()
    watch = Watch(5, cancel)
    watch.stop(Limit.OUTPUT)
    cancel.set()
    assert (watch.over(), watch.reason) == (True, Limit.OUTPUT)


def test_the_ticker_beats_while_there_are_runs() -> None:
    beats: list[float] = []
    with Ticker(lambda: beats.append(time.monotonic())):
        until(lambda: len(beats) > 3)
