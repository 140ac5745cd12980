"""The line to one MCP server, held in a process of its own that a hostile server cannot outlast.

`serve` is the entry of a worker: what a server sends is read there, under a memory limit.
"""

import asyncio
import contextlib
import json
import sys
import threading
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, cast

from vetbox.workers import JSON

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

MAX_TOOLS = 1_000
MAX_LISTING = 1_000_000  # characters of JSON: names, descriptions and schemas
MAX_ANSWER = 10_000_000  # characters of JSON
CONNECT_TIMEOUT_S = 25.0
PING_TIMEOUT_S = 5.0
CLOSE_TIMEOUT_S = 5.0
METHOD_NOT_FOUND = -32601

# PR_SET_PDEATHSIG outlives exec: a server that ignores the end of its input dies with us.
_DIE_WITH_PARENT = (
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execvp(sys.argv[1], sys.argv[1:])"
)


class SessionError(Exception):
    """The server cannot be reached, or what it says is not acceptable."""


def serve(config: JSON) -> Callable[[JSON, object], JSON]:
    """Answers `{"list": true}` and `{"call": name, "arguments": {…}, "listing": […]}`."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="mcp", daemon=True).start()
    session = Session(cast(dict[str, Any], config))

    def answer(request: JSON, emit: object) -> JSON:
        return asyncio.run_coroutine_threadsafe(session.answer(request), loop).result()

    return answer


class Session:
    """A line that is connected when needed, and again when it was lost."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._line: Line | None = None

    async def answer(self, request: JSON) -> JSON:
        """What the server says; `{"changed": true}` when it no longer offers what was listed."""
        line = await self._connected()
        match request:
            case {"list": True}:
                return line.listing
            case {"call": str(name), "arguments": dict(arguments), "listing": listing}:
                return await line.call(name, arguments, listing)
        raise SessionError("a request lists tools or calls one")

    async def _connected(self) -> "Line":
        """A line that answers now: a call that may have been carried out is never sent twice."""
        if self._line is not None and not await self._line.alive():
            await self._line.close()
            self._line = None
        if self._line is None:
            self._line = await Line.open(self._config)
        return self._line


class Line:
    """One connection, kept open by a task of its own; `listing` is what the server offers."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._ended = asyncio.Event()
        self._client: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._hold())
        self.listing: JSON = None

    @classmethod
    async def open(cls, config: dict[str, Any]) -> "Line":
        """Connect and list; raises SessionError."""
        line = cls(config)
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await line._list(await line._client)
        except TimeoutError:
            await line.close()
            raise SessionError(f"no connection within {CONNECT_TIMEOUT_S:g} s") from None
        except BaseException:
            await line.close()
            raise
        return line

    async def alive(self) -> bool:
        """Whether the server still answers anything."""
        from mcp import MCPError

        if self._task.done():
            return False
        try:
            async with asyncio.timeout(PING_TIMEOUT_S):
                await (await self._client).send_ping()
        except MCPError as error:
            return error.code == METHOD_NOT_FOUND
        except (OSError, TimeoutError):
            return False
        return True

    async def call(self, name: str, arguments: dict[str, Any], listing: JSON) -> JSON:
        """The answer of a tool that is offered as it was listed."""
        if listing != self.listing:
            return {"changed": True}
        client = await self._client
        answer = await client.call_tool(name, arguments, self._config["timeout"])
        return _bounded(unwrapped(answer), MAX_ANSWER)

    async def close(self) -> None:
        self._ended.set()
        with contextlib.suppress(TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(self._task, CLOSE_TIMEOUT_S)

    async def _hold(self) -> None:
        try:
            async with _client(self._config) as client:
                self._client.set_result(client)
                await self._ended.wait()
        except Exception as error:  # noqa: BLE001 - told to whoever waits for the connection
            if not self._client.done():
                self._client.set_exception(SessionError(_innermost(error)))

    async def _list(self, client: "Client") -> None:
        tools, cursor = [], None
        while True:
            page = await client.list_tools(cursor=cursor)
            tools += page.tools
            cursor = page.next_cursor
            if cursor is None or len(tools) > MAX_TOOLS:
                break
        if len(tools) > MAX_TOOLS:
            raise SessionError(f"it offers more than {MAX_TOOLS:,} tools")
        listed: JSON = [
            {"name": one.name, "description": one.description or "", "schema": one.input_schema}
            for one in tools
        ]
        self.listing = _bounded(listed, MAX_LISTING)


@contextlib.asynccontextmanager
async def _client(config: dict[str, Any]) -> AsyncIterator["Client"]:
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async with contextlib.AsyncExitStack() as stack:
        if config["type"] == "stdio":
            command, *args = _mortal([config["command"], *config["args"]])
            place: Any = StdioServerParameters(
                command=command, args=args, env=config["env"], cwd=config["cwd"]
            )
        else:
            http = await stack.enter_async_context(create_mcp_http_client(config["headers"]))
            place = streamable_http_client(config["url"], http_client=http)
        yield await stack.enter_async_context(Client(place, read_timeout_seconds=config["timeout"]))


def _mortal(command: list[str]) -> list[str]:
    if sys.platform != "linux":
        return command
    return [sys.executable, "-I", "-S", "-c", _DIE_WITH_PARENT, *command]


def unwrapped(answer: "CallToolResult") -> dict[str, JSON]:
    """`{"value": …}` in plain data, or `{"error": text}`; nothing that is linked to is fetched."""
    if answer.is_error:
        return {"error": "\n".join(str(_content(block)) for block in answer.content)}
    if answer.structured_content is not None:
        return {"value": _only(answer.structured_content)}
    contents = [_content(block) for block in answer.content]
    return {"value": _parsed(contents[0]) if len(contents) == 1 else contents}


def _only(structured: Any) -> JSON:
    """SDKs wrap what is not an object as `{"result": …}`."""
    match structured:
        case {"result": value, **rest} if not rest:
            return cast(JSON, value)
        case _:
            return cast(JSON, structured)


def _content(block: Any) -> JSON:
    if block.type == "text":
        return str(block.text)
    return cast(JSON, block.model_dump(mode="json", by_alias=True, exclude_none=True))


def _parsed(content: JSON) -> JSON:
    """A text that is a JSON object or array is meant as one."""
    if not isinstance(content, str) or not content.startswith(("{", "[")):
        return content
    try:
        return cast(JSON, json.loads(content))
    except (ValueError, RecursionError):
        return content


def _bounded(value: Any, most: int) -> JSON:
    size = len(json.dumps(value))
    if size > most:
        raise SessionError(f"it sent {size:,} characters, more than {most:,}")
    return cast(JSON, value)


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
