"""The guard before the HTTP application, called as a server calls it."""

import pytest

from vetbox.server import guard
from vetbox.server.door import Door
from vetbox.server.guard import Guard, Message

DOOR = Door(frozenset({"127.0.0.1:80"}), frozenset({"http://127.0.0.1:80"}), "t" * 40)
GOOD = {
    "host": "127.0.0.1:80",
    "authorization": "Bearer " + "t" * 40,
    "content-type": "application/json",
}
PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


class Client:
    """Sends the messages it is given and keeps what comes back; then it waits for ever."""

    def __init__(self, *messages: Message) -> None:
        self.messages = iter(messages)
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        import anyio

        for message in self.messages:
            return message
        await anyio.sleep_forever()
        raise AssertionError

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def ask(self, headers: dict[str, str], kind: str = "http", path: str = "/mcp") -> None:
        pairs = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        scope = {"type": kind, "method": "POST", "path": path, "headers": pairs}
        await Guard(application, DOOR)(scope, self.receive, self.send)

    @property
    def status(self) -> int:
        return self.sent[0]["status"]


async def application(scope, receive, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": (await receive())["body"]})


def body(data: bytes, *, more: bool = False) -> Message:
    return {"type": "http.request", "body": data, "more_body": more}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_a_body_in_pieces_arrives_whole() -> None:
    client = Client(body(PING[:12], more=True), body(PING[12:]))
    await client.ask(GOOD)
    assert [message.get("body") for message in client.sent] == [None, PING]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"host": "127.0.0.1"}, 421),
        ({"host": "127.0.0.1:80@evil"}, 421),
        ({"host": "127.0.0.1:80 "}, 421),
        ({"host": "LOCALHOST:80"}, 421),
        ({"origin": "http://127.0.0.1:81"}, 403),
        ({"origin": "https://127.0.0.1:80"}, 403),
        ({"origin": ""}, 403),
        ({"authorization": "Bearer " + "t" * 39}, 401),
        ({"authorization": "Bearer " + "t" * 41}, 401),
        ({"authorization": "bearer " + "t" * 40}, 200),
        ({"authorization": "Bearer tö"}, 401),
        ({"content-type": "application/json; charset=utf-8"}, 200),
        ({"content-type": "application/jsonp"}, 415),
        ({"content-length": "4000000"}, 200),
        ({"content-length": "4000001"}, 413),
        ({"content-length": "9" * 5_000}, 413),
    ],
)
async def test_each_header_is_compared_exactly(changed: dict[str, str], status: int) -> None:
    client = Client(body(PING))
    await client.ask({**GOOD, **changed})
    assert client.status == status


@pytest.mark.anyio
async def test_a_body_that_does_not_come_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "BODY_TIMEOUT_S", 0.05)
    client = Client(body(b"1", more=True))
    await client.ask(GOOD)
    assert client.status == 408


@pytest.mark.anyio
async def test_a_client_that_leaves_while_sending_is_not_answered() -> None:
    client = Client(body(b"1", more=True), {"type": "http.disconnect"})
    await client.ask(GOOD)
    assert client.sent == []


@pytest.mark.anyio
async def test_other_protocols_than_http_end_here() -> None:
    client = Client()
    await client.ask(GOOD, kind="websocket")
    assert client.sent == []
