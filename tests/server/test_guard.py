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


@pytest.mark.anyio
async def test_who_sends_too_much_may_send_on_until_it_has_read_the_answer() -> None:
    million = b"x" * 1_000_000
    client = Client(*[body(million, more=True)] * 6, body(b""), body(b"the next request"))
    await client.ask(GOOD | {"content-length": "6000000"})
    first, said, last = client.sent
    assert (first["status"], said["more_body"], last["body"]) == (413, True, b"")
    assert said["body"].startswith(b"The body is larger")
    assert next(client.messages)["body"] == b"the next request"


@pytest.mark.anyio
async def test_who_sends_without_end_is_not_listened_to_for_ever() -> None:
    client = Client(*[body(b"x" * 1_000_000, more=True)] * 100)
    await client.ask(GOOD | {"content-length": "100000000"})
    assert client.status == 413
    assert len([*client.messages]) > 80


@pytest.mark.anyio
async def test_two_requests_of_a_session_with_one_id_are_not_mixed_up() -> None:
    import anyio

    begun, end = anyio.Event(), anyio.Event()

    async def slow(scope, receive, send) -> None:
        begun.set()
        await end.wait()
        await application(scope, receive, send)

    guard_ = Guard(slow, DOOR)

    async def ask(session: str, data: bytes) -> Client:
        client, headers = Client(body(data)), {**GOOD, "mcp-session-id": session}
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": pairs}
        await guard_(scope, client.receive, client.send)
        return client

    async with anyio.create_task_group() as group:
        group.start_soon(ask, "a", PING)
        await begun.wait()
        second = await ask("a", PING)
        assert second.status == 400
        assert b"the same id is still in progress" in second.sent[1]["body"]
        others = [("b", PING), ("a", PING.replace(b"1", b"2"))]
        end.set()
        assert [(await ask(*other)).status for other in others] == [200, 200]
    assert (await ask("a", PING)).status == 200
