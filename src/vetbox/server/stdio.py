"""MCP over stdin and stdout: real descriptors moved away, lines bounded, garbage answered."""

import io
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from typing import cast

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.stdio import stdio_server
from pydantic import ValidationError

from vetbox.app import App
from vetbox.server.calls import Calls, favour_event_loop
from vetbox.server.protocol import build_server
from vetbox.server.shutdown import drained

MAX_LINE_BYTES = 4_000_000
CHUNK_BYTES = 65_536
PARSE_ERROR, INVALID_REQUEST = -32700, -32600


def serve_stdio(app: App) -> None:
    """Serve one client until it closes stdin or a signal ends us; drains what is in progress."""
    wire_in, wire_out = claim_wire()
    favour_event_loop()
    anyio.run(serve, app, Wire(wire_in, wire_out))
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


async def serve(app: App, wire: "Wire") -> None:
    calls = Calls(app.config.server.max_calls)
    server = build_server(app, calls)
    async with anyio.create_task_group() as group:
        group.start_soon(stop_on_signal, calls, group.cancel_scope)
        # The SDK asks its streams only to be iterated, written and flushed.
        stream = cast("anyio.AsyncFile[str]", wire)
        async with stdio_server(stream, stream) as (received, sent):
            await server.run(received, sent, server.create_initialization_options())
        group.cancel_scope.cancel()
    await calls.settle()


async def stop_on_signal(calls: Calls, scope: anyio.CancelScope) -> None:
    await drained(calls)
    scope.cancel()


class Wire:
    """The client's lines in, ours out: what the SDK's stdio transport reads and writes."""

    def __init__(self, fd_in: int, fd_out: int) -> None:
        self._in, self._out = fd_in, fd_out
        self._turn = anyio.Lock()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Each line that is a message; any other is answered here, since the SDK would drop it."""
        async for line in self._lines():
            problem = wrong(line)
            if problem is None:
                yield line.decode("utf-8")
            else:
                await self.write(json.dumps(problem) + "\n")

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
            rest = last[: MAX_LINE_BYTES + 1]
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
        async with self._turn:
            await to_thread.run_sync(write_all, self._out, data)

    async def flush(self) -> None:
        """Nothing is held back."""


def write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def wrong(line: bytes) -> dict[str, object] | None:
    """The JSON-RPC answer to a line that the SDK would drop without a word, or None."""
    if len(line) > MAX_LINE_BYTES:
        return protocol_error(INVALID_REQUEST, f"Message larger than {MAX_LINE_BYTES:,} bytes")
    try:
        message = json.loads(line.decode("utf-8"))  # of bytes it would guess another encoding
    except (ValueError, RecursionError):
        return protocol_error(PARSE_ERROR, "Parse error")
    if not isinstance(message, dict):
        return protocol_error(INVALID_REQUEST, "Invalid Request: one object per line, no batches")
    if "method" in message and not is_id(message.get("id", 0)):
        return protocol_error(INVALID_REQUEST, "Invalid Request: an id is a string or an integer")
    try:
        types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        return refusal(error, message)
    return None


def refusal(error: ValidationError, message: Mapping[str, object]) -> dict[str, object]:
    """Why an object is no message, to the request that waits for an answer if it is one."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    number = message.get("id")
    asked = is_id(number) and not {"result", "error"} & message.keys()
    if first["type"] == "json_invalid":  # half a surrogate pair, or more levels than are read
        return protocol_error(
            PARSE_ERROR, f"Parse error: {first['msg']}", number if asked else None
        )
    field = ".".join(str(part) for part in first["loc"][1:])
    sentence = f"Invalid Request: {field}: {first['msg']}"
    return protocol_error(INVALID_REQUEST, sentence, number if asked else None)


def is_id(value: object) -> bool:
    """May a request be called so?"""
    return isinstance(value, str | int) and not isinstance(value, bool)


def protocol_error(code: int, message: str, number: object = None) -> dict[str, object]:
    """An error in JSON-RPC's form; `number` is the id of the request it answers."""
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}
