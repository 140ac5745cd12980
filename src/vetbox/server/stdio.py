"""MCP over stdin and stdout: real descriptors moved away, lines bounded, garbage answered."""

import io
import json
import os
import select
import sys
from collections.abc import AsyncIterator
from typing import cast

import anyio
from anyio import to_thread
from mcp.server.stdio import stdio_server

from vetbox.app import App
from vetbox.server.calls import Calls, favour_event_loop
from vetbox.server.messages import MAX_MESSAGE_BYTES, wrong
from vetbox.server.protocol import build_server
from vetbox.server.shutdown import drained

CHUNK_BYTES = 65_536
# Clients of the SDK wait two seconds for a service whose input they have closed to end.
LAST_ANSWERS_S = 1.5
TAKEN_UP_S = 0.05  # from a message that was read to a call, and from its end to an answer


def serve_stdio(app: App) -> None:
    """Serve one client until it closes stdin or a signal ends us; drains what is in progress."""
    wire_in, wire_out = claim_wire()
    favour_event_loop()
    anyio.run(serve, app, wire_in, wire_out)
    # A call that would not stop may still hold a thread; its work ends with the process.
    app.close()
    sys.stderr.flush()
    os._exit(0)


def claim_wire() -> tuple[int, int]:
    """The real stdin and stdout; whatever a library prints from now on goes to stderr."""
    wire_in, wire_out = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    if isinstance(sys.stdout, io.TextIOWrapper):  # what it holds back would be lost at the end
        sys.stdout.reconfigure(line_buffering=True)
    return wire_in, wire_out


async def serve(app: App, wire_in: int, wire_out: int) -> None:
    calls = Calls(app.config.server.max_calls)
    wire = Wire(wire_in, wire_out, calls)
    server = build_server(app, calls)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(stop_on_signal, calls, group.cancel_scope)
            # The SDK asks its streams only to be iterated, written and flushed.
            stream = cast("anyio.AsyncFile[str]", wire)
            async with stdio_server(stream, stream) as (received, sent):
                await server.run(received, sent, server.create_initialization_options())
                group.start_soon(stop_when_stalled, wire, group.cancel_scope)
            group.cancel_scope.cancel()
    except* BrokenPipeError:  # nobody reads the answers any more
        pass
    await calls.settle()


async def stop_on_signal(calls: Calls, scope: anyio.CancelScope) -> None:
    await drained(calls)
    scope.cancel()


async def stop_when_stalled(wire: "Wire", scope: anyio.CancelScope) -> None:
    """A client that has closed our input need not take what it has asked for."""
    await wire.stalled()
    scope.cancel()


class Wire:
    """The client's lines in, ours out: what the SDK's stdio transport reads and writes."""

    def __init__(self, fd_in: int, fd_out: int, calls: Calls) -> None:
        self._in, self._out, self._calls = fd_in, fd_out, calls
        self._turn = anyio.Lock()
        self._taken = 0

    async def __aiter__(self) -> AsyncIterator[str]:
        """Each line that is a message; any other is answered here, since the SDK would drop it."""
        async for line in self._lines():
            problem = wrong(line)
            if problem is None:
                yield line.decode("utf-8")
            else:
                await self.write(json.dumps(problem) + "\n")
        await self._last_answers()

    async def _last_answers(self) -> None:
        """Who asked and then closed our input may still read: `vetbox serve < messages`."""
        with anyio.move_on_after(LAST_ANSWERS_S):
            await anyio.sleep(TAKEN_UP_S)
            while self._calls.in_progress and is_read(self._out):  # noqa: ASYNC110 - at the end
                await anyio.sleep(TAKEN_UP_S)
            await anyio.sleep(TAKEN_UP_S)  # until the last of them is written

    async def _lines(self) -> AsyncIterator[bytes]:
        """Lines without their end; one that is too long comes as its first bytes, not all of it."""
        rest = bytearray()
        while chunk := await self._read():
            rest += chunk
            *lines, last = rest.split(b"\n")
            for line in lines:
                if line.strip():
                    yield bytes(line)
            # Of an endless line, only enough is kept to know that it is one.
            rest = last[: MAX_MESSAGE_BYTES + 1]
        if rest.strip():
            yield bytes(rest)

    async def _read(self) -> bytes:
        try:
            await anyio.wait_readable(self._in)
        except OSError:
            # A file or /dev/null cannot be waited for, and never blocks.
            await anyio.lowlevel.checkpoint()
        return os.read(self._in, CHUNK_BYTES)

    async def write(self, text: str) -> None:
        # A lone surrogate cannot be sent as UTF-8, and JSON knows another way to say it.
        data = text.encode("utf-8", "backslashreplace")
        async with self._turn:  # only the end cancels this, and nothing is written after it
            await to_thread.run_sync(self._write_all, data, abandon_on_cancel=True)

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            count = os.write(self._out, view[:CHUNK_BYTES])
            self._taken += count
            view = view[count:]

    async def flush(self) -> None:
        """Nothing is held back."""

    async def stalled(self) -> None:
        """Comes back when nothing of what is written has been taken for a while."""
        before = -1
        while before != self._taken:
            before = self._taken
            await anyio.sleep(LAST_ANSWERS_S)


def is_read(fd: int) -> bool:
    """Is anybody at the other end of what we write to?"""
    poll = select.poll()
    poll.register(fd, 0)
    return not poll.poll(0)  # an error is told of without being asked for
