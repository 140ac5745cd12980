"""Adds the bearer token to requests: the conformance suite cannot send one, and no switch of the
service turns it off."""

import asyncio
import contextlib


class Front:
    """Listens on a port of its own and passes each request on, with the token added."""

    upstream = 0
    token = ""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        return self._server.sockets[0].getsockname()[1]

    async def listen(self) -> "Front":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    def close(self) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        up_writer.write(with_token(head, self.token))
        to_client = asyncio.create_task(pipe(up_reader, writer))
        await pipe(reader, up_writer)
        await to_client


async def start() -> Front:
    return await Front().listen()


async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(ConnectionError, OSError):
        writer.close()


def with_token(head: bytes, token: str) -> bytes:
    """The request's head with the token, asking for one answer on this connection."""
    lines = head.split(b"\r\n")[:-2]
    kept = [line for line in lines if not line.lower().startswith(b"connection:")]
    added = [b"Authorization: Bearer " + token.encode(), b"Connection: close"]
    return b"\r\n".join([*kept, *added, b"", b""])
