"""The protocol cases of the attack corpus, against the service in a process of its own."""

import base64
import http.client
import json
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.services import INITIALIZE, Pipes, Site, heard, over_http, over_stdio
from tests.waiting import PATIENCE_S, until

CORPUS = Path(__file__).parent.parent / "attacks" / "06_protocol.jsonl"
CASES = [json.loads(line) for line in CORPUS.read_text().splitlines()]
CALM = "clean JSON-RPC error or defined result; connection/process survives; next ping ok"


def cases(transport: str, *, when: Callable[[dict[str, dict]], bool]) -> list[object]:
    """The cases of a transport that a test is for, by their ids."""
    return [
        pytest.param(case, id=case["id"])
        for case in CASES
        if case["input"].get("transport") == transport and when(case)
    ]


def ask(
    site: Site, body: bytes, method: str = "POST", **changed: str | None
) -> tuple[int, dict[str, str], bytes]:
    """One request on a connection of its own; a header of None is left out."""
    headers = {**site.headers, **changed}
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    connection.putrequest(method, "/mcp", skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        if value is not None:
            connection.putheader(name, value.replace("{PORT}", str(site.port)))
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    head = {name.lower(): value for name, value in answer.getheaders()}
    data = answer.read()
    connection.close()
    return answer.status, head, data


def ping(site: Site) -> int:
    status, head, _ = ask(site, json.dumps(INITIALIZE).encode())
    session = head["mcp-session-id"]
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    assert ask(site, body, **{"Mcp-Session-Id": session})[0] == 200
    assert ask(site, b"", "DELETE", **{"Mcp-Session-Id": session})[0] == 200
    return status


@pytest.mark.parametrize("case", cases("http", when=lambda case: "headers" in case["input"]))
def test_a_wrong_request_stays_outside(site: Site, case: dict[str, dict]) -> None:
    given, expected = case["input"], case["expect"]
    body = json.dumps(INITIALIZE).encode() if given.get("body") == "initialize" else b""
    method = given.get("method", "POST")
    headers = given["headers"]
    if method == "OPTIONS":
        headers = {**headers, "Authorization": None}
    status, head, _ = ask(site, body, method, **headers)
    assert status in expected["status"]
    assert all(name.lower() not in head for name in expected.get("header_absent", ()))
    assert ping(site) == 200


def http_body(case: dict[str, dict]) -> bytes:
    given = case["input"]
    if "body_b64" in given:
        return base64.b64decode(given["body_b64"])
    if given["body"] == "{BODY_5MIB}":
        return b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 5 * 1024 * 1024 + b'"}'
    return given["body"].encode()


def is_whole_body(case: dict[str, dict]) -> bool:
    return case["expect"].get("outcome") == CALM and "ENDLESS" not in case["input"].get("body", "")


@pytest.mark.parametrize("case", cases("http", when=is_whole_body))
def test_a_wrong_body_is_answered_calmly(site: Site, case: dict[str, dict]) -> None:
    try:
        status, _, data = ask(site, http_body(case))
        assert 400 <= status < 500
        assert b"Traceback" not in data
    except (BrokenPipeError, ConnectionResetError):
        # The service may stop reading before all of a body that is too large has been sent.
        assert case["input"].get("body") == "{BODY_5MIB}"
    assert ping(site) == 200


def test_h027_an_endless_body_ends_at_the_limit(site: Site) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in site.headers.items())
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S) as client:
        client.sendall(f"POST /mcp HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        sent = 0
        try:
            while sent < 50_000_000:
                client.sendall(chunk)
                sent += len(chunk)
        except (BrokenPipeError, ConnectionResetError):
            pass
    assert sent < 50_000_000
    assert ping(site) == 200


@pytest.mark.parametrize("case", cases("stdio", when=lambda case: "body" in case["input"]))
def test_a_wrong_line_is_answered_calmly(pipes: Pipes, case: dict[str, dict]) -> None:
    pipes.send(case["input"]["body"].encode())
    answer = pipes.ask("ping", "next")
    assert answer["result"] == {}
    assert pipes.process.poll() is None


def test_h050_a_notification_runs_nothing(pipes: Pipes, user: Path) -> None:
    name = {"name": "break_down", "arguments": {}}
    pipes.send({"jsonrpc": "2.0", "method": "tools/call", "params": name})
    assert pipes.ask("ping", 1)["result"] == {}
    assert "break_down" not in (user / "stderr").read_text()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"not json", -32700),
        (b"[]", -32600),
        (b"\xff\xfe", -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16"), -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-32-le"), -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}', -32700),
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 4_100_000 + b'"}', -32600),
    ],
)
def test_garbage_on_stdio_gets_an_error_and_no_silence(
    pipes: Pipes, line: bytes, code: int
) -> None:
    pipes.send(line)
    assert pipes.receive()["error"]["code"] == code
    assert pipes.ask("ping", 1)["result"] == {}


@pytest.mark.parametrize(
    ("method", "params", "fields"),
    [
        ("tools/call", '{"name":"count","arguments":[1]}', ["arguments"]),
        ("tools/call", '{"name":"count","arguments":"a"}', ["arguments"]),
        ("tools/call", '{"name":null}', ["name"]),
        ("tools/call", '{"name":7,"arguments":[]}', ["arguments", "name"]),
        ("tools/call", '{"arguments":{}}', ["name"]),
        ("tools/call", '{"name":"count","_meta":3}', ["_meta"]),
        ("resources/read", "{}", ["uri"]),
        ("tools/list", '{"cursor":4}', ["cursor"]),
        ("initialize", '{"protocolVersion":3}', ["capabilities", "clientInfo", "protocolVersion"]),
    ],
)
def test_wrong_parameters_of_a_method_are_named(
    pipes: Pipes, method: str, params: str, fields: list[str]
) -> None:
    pipes.send(f'{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}'.encode())
    error = pipes.answer(7)["error"]
    named = error["data"]["validation_errors"]
    assert (error["code"], [one["field"] for one in named]) == (-32602, fields)
    tail = "; ".join(f"{one['field']}: {one['message']}" for one in named)
    assert error["message"] == f"Invalid parameters: {tail}"
    assert pipes.ask("ping", 8)["result"] == {}


def test_a_method_without_its_parameters_is_told_so(pipes: Pipes) -> None:
    pipes.send(b'{"jsonrpc":"2.0","id":7,"method":"tools/call"}')
    assert pipes.answer(7)["error"]["message"] == "Invalid parameters: params: Field required"


def test_who_has_not_greeted_is_told_to(project: Path, user: Path) -> None:
    with over_stdio(project, user) as pipes:
        error = pipes.ask("tools/list", 1)["error"]
        assert (error["code"], error["message"]) == (-32602, "Send initialize before tools/list.")
        assert pipes.start()["result"]["serverInfo"]["name"] == "vetbox"


def test_wrong_parameters_over_http_are_named(site: Site) -> None:
    _, head, _ = ask(site, json.dumps(INITIALIZE).encode())
    session = {"Mcp-Session-Id": head["mcp-session-id"]}
    params = {"name": "count", "arguments": [1]}
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    _, _, data = ask(site, json.dumps(body).encode(), **session)
    assert b"arguments: Input should be a valid dictionary" in data
    ask(site, b"", "DELETE", **session)


def test_h058_a_client_that_dies_ends_the_service(pipes: Pipes, user: Path) -> None:
    pipes.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "work"}})
    heard(user, "work begun")
    pipes.process.stdin.close()
    assert pipes.process.wait(PATIENCE_S) == 0
    assert children(pipes.process.pid) == []


def children(pid: int) -> list[str]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout.split()


def test_h022_a_flood_of_sessions_is_bounded(site: Site) -> None:
    before = len(list(Path(f"/proc/{site.process.pid}/fd").iterdir()))
    statuses, sessions = set(), []
    for _ in range(230):
        status, head, _ = ask(site, json.dumps(INITIALIZE).encode())
        statuses.add(status)
        sessions.append(head.get("mcp-session-id"))
    for session in filter(None, sessions):
        ask(site, b"", "DELETE", **{"Mcp-Session-Id": session})
    assert statuses == {200, 503}
    until(lambda: len(list(Path(f"/proc/{site.process.pid}/fd").iterdir())) <= before)
    assert ping(site) == 200


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\\ud800"}}', -32700, "hex escape"),
        ('{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', -32600, "params: "),
        ('{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, "jsonrpc: "),
        ('{"id":7,"method":"ping"}', -32600, "jsonrpc: "),
        ('{"jsonrpc":"2.0","id":7,"method":5}', -32600, "method: "),
        ('{"jsonrpc":"2.0","id":7}', -32600, "method: "),
        (f'{{"jsonrpc":"2.0","id":7,"method":"ping","a":{"[" * 300}{"]" * 300}}}', -32700, "limit"),
    ],
)
def test_a_request_that_is_none_is_answered_to_who_waits(
    pipes: Pipes, line: str, code: int, words: str
) -> None:
    pipes.send(line.encode())
    answer = pipes.answer(7)
    assert answer["error"]["code"] == code
    assert words in answer["error"]["message"]
    assert pipes.ask("ping", 8)["result"] == {}


@pytest.mark.parametrize("number", ["null", "true", "1.5", "[]", "{}"])
def test_an_id_that_is_none_is_refused(pipes: Pipes, number: str) -> None:
    pipes.send(f'{{"jsonrpc":"2.0","id":{number},"method":"ping"}}'.encode())
    answer = pipes.receive()
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


def test_an_answer_that_is_none_is_not_taken_for_a_request(pipes: Pipes) -> None:
    pipes.send(b'{"jsonrpc":"2.0","id":7,"error":5}')
    assert pipes.receive()["id"] is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "no batches"),
        ("5", "no batches"),
        ("", "Parse error"),
        ('{"jsonrpc":"1.0","id":7,"method":"ping"}', "jsonrpc: "),
        ('{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', "params: "),
        ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', "a string or an integer"),
        ('{"jsonrpc":"2.0","id":NaN,"method":"ping"}', "Parse error"),
        ('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":-Infinity}}', "Parse error"),
        ('{"jsonrpc":"2.0","id":null,"method":"ping"}', "a string or an integer"),
    ],
)
def test_a_body_that_is_no_message_is_answered_with_a_sentence(
    site: Site, text: str, words: str
) -> None:
    status, head, data = ask(site, text.encode())
    said = json.loads(data)["error"]["message"]
    assert (status, head["content-type"]) == (400, "application/json")
    assert words in said
    assert "pydantic" not in said


def test_strangers_do_not_fill_the_log(project: Path, user: Path) -> None:
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    with over_http(project, user) as site:
        host = f"Host: 127.0.0.1:{site.port}\r\n".encode()
        for request in (b"\0\r\n\r\n", b"GET /mcp HTTP/1.1\r\n" + host + upgrade + b"\r\n"):
            with socket.create_connection(("127.0.0.1", site.port), PATIENCE_S) as client:
                client.sendall(request)
                assert client.recv(1000).startswith(b"HTTP/1.1 4")
        assert (user / "stderr").read_text().splitlines()[1:] == []
