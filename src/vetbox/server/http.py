"""MCP over streamable HTTP: one process, many clients, every request past the guard."""

import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from vetbox.app import App
from vetbox.errors import cause
from vetbox.server.calls import Calls, favour_event_loop
from vetbox.server.connections import Connection
from vetbox.server.door import Address, Door, DoorError
from vetbox.server.guard import PATH, Application, Guard
from vetbox.server.messages import MAX_MESSAGE_BYTES
from vetbox.server.protocol import build_server
from vetbox.server.shutdown import drained

# Each open event stream is a connection of its own, beside the request that is being answered.
CONNECTIONS_PER_SESSION = 2
SPARE_CONNECTIONS = 64
IDLE_SESSION_S = 1800.0
CLOSE_S = 1
BACKLOG = 1024


class Quiet(uvicorn.Server):
    """Uvicorn that leaves the signals to us."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(address: Address) -> socket.socket:
    """A bound socket, so that a port chosen by the system is known before anyone is let in."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # asyncio switches Nagle's delay of 40 ms off only where the protocol is named.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        place = f"{address.host}:{address.port}"
        raise DoorError(f"Cannot listen on {place}: {cause(error)}.") from error
    return listener


def serve_http(app: App, listener: socket.socket, door: Door) -> None:
    """Serve until a signal ends us; drains what is in progress."""
    favour_event_loop()
    app.endpoints  # noqa: B018 - imported before the first client comes, not while it waits
    anyio.run(serve, app, listener, door)
    # A call that would not stop may still hold a thread; its work ends with the process.
    app.close()
    sys.stderr.flush()
    os._exit(0)


async def serve(app: App, listener: socket.socket, door: Door) -> None:
    calls = Calls(app.config.server.max_calls)
    server = Quiet(configuration(application(app, calls, door), app.config.server.max_sessions))
    async with anyio.create_task_group() as group:
        group.start_soon(stop_on_signal, calls, server)
        await server.serve(sockets=[listener])
        group.cancel_scope.cancel()
    await calls.settle()


def application(app: App, calls: Calls, door: Door) -> Application:
    """The SDK's application behind our guard; its own checks stay on as a second lock."""
    inner = build_server(app, calls).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_MESSAGE_BYTES,
        session_idle_timeout=IDLE_SESSION_S,
        max_sessions=app.config.server.max_sessions,
        transport_security=TransportSecuritySettings(
            allowed_hosts=sorted(door.hosts), allowed_origins=sorted(door.origins)
        ),
    )
    return Guard(inner, door)


def configuration(application: Application, max_sessions: int) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        http=Connection,
        log_level=logging.ERROR,  # of every broken request strangers could fill the log
        access_log=False,
        proxy_headers=False,
        server_header=False,
        lifespan="on",
        limit_concurrency=max_sessions * CONNECTIONS_PER_SESSION + SPARE_CONNECTIONS,
        timeout_graceful_shutdown=CLOSE_S,
    )


async def stop_on_signal(calls: Calls, server: uvicorn.Server) -> None:
    await drained(calls)
    server.should_exit = True
