"""What stands before MCP over HTTP: exact hosts and origins, a token, bounded bodies."""

import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from vetbox.server.calls import GONE
from vetbox.server.door import Door
from vetbox.server.messages import (
    INVALID_REQUEST,
    MAX_MESSAGE_BYTES,
    protocol_error,
    request_id,
    wrong,
)

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asked = tuple[str, str | int]
"""A session and the id of a request in it."""
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_TIMEOUT_S = 20.0
MAX_DRAINED = 4 * MAX_MESSAGE_BYTES
PATH = "/mcp"
HEALTH = "/healthz"
SESSION = b"mcp-session-id"
JSON_TYPE = b"application/json"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that the guard gives itself."""

    status: int
    text: str
    headers: tuple[tuple[bytes, bytes], ...] = ()
    kind: bytes = b"text/plain; charset=utf-8"


HEALTHY = Refusal(200, "vetbox is up.")
WRONG_HOST = Refusal(421, "This server does not answer for that host.")
WRONG_ORIGIN = Refusal(403, "This origin may not call this server.")
NO_TOKEN = Refusal(401, "A bearer token is required.", ((b"www-authenticate", b"Bearer"),))
NOT_JSON = Refusal(415, "The body must be application/json.")
TOO_LARGE = Refusal(413, f"The body is larger than {MAX_MESSAGE_BYTES:,} bytes.")
TOO_SLOW = Refusal(408, f"The body did not arrive within {BODY_TIMEOUT_S:.0f} s.")


SAME = "Invalid Request: a request of this session with the same id is still in progress"
TWICE = Refusal(400, json.dumps(protocol_error(INVALID_REQUEST, SAME)), kind=JSON_TYPE)


class Guard:
    """An ASGI application that lets only well-formed requests of known callers through."""

    def __init__(self, application: Application, door: Door) -> None:
        self._application, self._door = application, door
        self._asked: set[Asked] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope)
        refusal = refused(self._door, headers, scope)
        if refusal is not None:
            await answer(send, refusal, receive)
        elif asks_for_health(scope):
            await answer(send, HEALTHY)
        else:
            await self._pass_on(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        body: bytes | Refusal | None = TOO_SLOW
        with anyio.move_on_after(BODY_TIMEOUT_S):
            body = await whole_body(receive)
        asked: Asked | None = None
        if isinstance(body, bytes) and (scope["method"], scope["path"]) == ("POST", PATH):
            asked = asked_by(body, Headers(scope).get(SESSION))
            body = no_message(body) or (TWICE if asked in self._asked else body)
        if isinstance(body, Refusal):
            await answer(send, body, receive)
        elif body is not None:
            gone = anyio.Event()
            watched = {**scope, "headers": without_resumption(scope["headers"]), GONE: gone}
            with held(self._asked, asked):
                await self._application(watched, Replay(body, receive, gone), send)


class Headers:
    """A request's headers; one that is given twice counts as wrong rather than as either."""

    def __init__(self, scope: Scope) -> None:
        self._pairs: list[tuple[bytes, bytes]] = list(scope["headers"])

    def get(self, name: bytes) -> str | None:
        values = [value for key, value in self._pairs if key.lower() == name]
        return b"\0".join(values).decode("latin-1") if values else None


def refused(door: Door, headers: Headers, scope: Scope) -> Refusal | None:
    """The first reason not to let a request in; cheap and revealing nothing, in this order."""
    if headers.get(b"host") not in door.hosts:
        return WRONG_HOST
    origin = headers.get(b"origin")
    if origin is not None and origin not in door.origins:
        return WRONG_ORIGIN
    if asks_for_health(scope):
        return None
    if not knows_token(headers.get(b"authorization"), door.token):
        return NO_TOKEN
    if scope["method"] == "POST" and not is_json(headers.get(b"content-type")):
        return NOT_JSON
    return TOO_LARGE if promises_too_much(headers.get(b"content-length")) else None


def promises_too_much(length: str | None) -> bool:
    digits = (length or "").lstrip("0")
    limit = str(MAX_MESSAGE_BYTES)
    return digits.isdigit() and (len(digits), digits) > (len(limit), limit)


def asks_for_health(scope: Scope) -> bool:
    return scope["path"] == HEALTH and scope["method"] in ("GET", "HEAD")


def knows_token(authorization: str | None, token: str) -> bool:
    kind, _, shown = (authorization or "").partition(" ")
    same = hmac.compare_digest(shown.strip().encode("latin-1"), token.encode())
    return kind.lower() == "bearer" and same


def is_json(content_type: str | None) -> bool:
    return (content_type or "").partition(";")[0].strip().lower() == "application/json"


def without_resumption(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """No event is kept, so who asks for those it missed gets a new stream."""
    return [(name, value) for name, value in headers if name.lower() != b"last-event-id"]


async def whole_body(receive: Receive) -> bytes | Refusal | None:
    """The request's body, a refusal when it is too large, None when the client left."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > MAX_MESSAGE_BYTES:
            return TOO_LARGE
        if not message.get("more_body", False):
            return bytes(body)


def no_message(body: bytes) -> Refusal | None:
    """The answer to a body that is no JSON-RPC message."""
    problem = wrong(body)
    if problem is None:
        return None
    return Refusal(400, json.dumps(problem), kind=JSON_TYPE)


def asked_by(body: bytes, session: str | None) -> Asked | None:
    """The session and the id of a request; the SDK would lose the first of two that are alike."""
    number = None if session is None else request_id(body)
    return None if session is None or number is None else (session, number)


@contextmanager
def held(asked: set[Asked], one: Asked | None) -> Iterator[None]:
    """Within it, the request is in progress."""
    if one is None:
        yield
        return
    asked.add(one)
    try:
        yield
    finally:
        asked.discard(one)


async def drained(receive: Receive) -> None:
    """Read on for a while: who still sends as the connection closes never sees the answer."""
    size = 0
    with anyio.move_on_after(BODY_TIMEOUT_S):
        while size < MAX_DRAINED:
            message = await receive()
            size += len(message.get("body", b""))
            if not message.get("more_body", False):
                return


class Replay:
    """Gives the body that was read, then says when the client leaves, to whoever asks for it."""

    def __init__(self, body: bytes, receive: Receive, gone: anyio.Event) -> None:
        self._body: bytes | None = body
        self._receive, self._gone = receive, gone

    async def __call__(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self._gone.set()
        return message


async def answer(send: Send, reply: Refusal, receive: Receive | None = None) -> None:
    body = reply.text.encode() + b"\n"
    kind = (b"content-type", reply.kind)
    length = (b"content-length", str(len(body)).encode())
    # Whatever the client still sends of its body is not looked at.
    headers = [kind, length, (b"connection", b"close"), *reply.headers]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    if receive is not None and reply is TOO_LARGE:
        await send({"type": "http.response.body", "body": body, "more_body": True})
        await drained(receive)
        body = b""
    await send({"type": "http.response.body", "body": body})
