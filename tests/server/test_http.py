"""The service over HTTP: who gets in, who else is served, and what a lost client leaves."""

import http.client
import json
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.server.services import INITIALIZE, READY, Site, environment, heard, over_http
from tests.waiting import PATIENCE_S, until
from vetbox.server.door import Address, DoorError, door_for, parse_address, read_token


def post(site: Site, message: dict[str, object], **headers: str | None) -> tuple[int, dict, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=120)
    given = {**site.headers, **headers}
    kept = {name: value for name, value in given.items() if value is not None}
    connection.request("POST", "/mcp", json.dumps(message), kept)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, data


def session(site: Site) -> str:
    _, head, _ = post(site, INITIALIZE)
    name = head["mcp-session-id"]
    post(site, READY, **{"Mcp-Session-Id": name})
    return name


def call(number: int, name: str, **arguments: object) -> dict[str, object]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def start_call(site: Site, message: dict[str, object], **headers: str) -> socket.socket:
    """Sends a request and does not wait for its answer."""
    body = json.dumps(message)
    given = {**site.headers, **headers, "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    client = socket.create_connection(("127.0.0.1", site.port))
    client.sendall(f"POST /mcp HTTP/1.1\r\n{head}\r\n{body}".encode())
    return client


MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Authorization", None),
        ("Authorization", "Bearer wrong"),
        ("Authorization", "Bearer "),
        ("Authorization", "Basic {token}"),
    ],
)
def test_nobody_gets_in_without_the_token(site: Site, header: str, value: str | None) -> None:
    shown = value and value.format(token=site.token)
    status, head, body = post(site, INITIALIZE, **{header: shown})
    assert (status, head["www-authenticate"]) == (401, "Bearer")
    assert site.token.encode() not in body


def test_only_json_is_read(site: Site) -> None:
    assert post(site, INITIALIZE, **{"Content-Type": "text/plain"})[0] == 415


def test_a_header_given_twice_is_wrong(site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S) as client:
        host = f"Host: 127.0.0.1:{site.port}\r\n"
        client.sendall(f"GET /healthz HTTP/1.1\r\n{host}{host}\r\n".encode())
        assert client.recv(100).split()[1] in (b"400", b"421")


def test_health_needs_no_token_but_the_right_host(site: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    connection = http.client.HTTPConnection("127.0.0.1", site.port)
    connection.request("GET", "/healthz", headers={"Host": "evil.example"})
    assert connection.getresponse().status == 421


@pytest.mark.parametrize("method", ["POST", "CONNECT", "DELETE"])
def test_health_is_only_asked_for(site: Site, method: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    connection.request(method, "/healthz", headers=site.headers)
    assert connection.getresponse().status in (404, 405)


def test_l037_a_lost_client_frees_its_call(project: Path, user: Path) -> None:
    with over_http(project, user) as site:
        name = session(site)
        client = start_call(site, call(1, "work", seconds=60.0), **{"Mcp-Session-Id": name})
        heard(user, "work begun")
        client.close()
        heard(user, "work cancelled")


def test_a_lost_client_of_the_newest_revision_frees_its_call(project: Path, user: Path) -> None:
    message = call(1, "work", seconds=60.0)
    message["params"]["_meta"] = MODERN
    routing = {"Mcp-Method": "tools/call", "Mcp-Name": "work", "MCP-Protocol-Version": "2026-07-28"}
    with over_http(project, user) as site:
        client = start_call(site, message, **routing)
        heard(user, "work begun")
        client.close()
        heard(user, "work cancelled")


def test_l013_sigterm_answers_what_is_in_progress(project: Path, user: Path) -> None:
    with over_http(project, user) as site:
        name = session(site)
        clients = [
            start_call(site, call(n, "work", seconds=s), **{"Mcp-Session-Id": name})
            for n, s in enumerate([0.2] * 4 + [3600.0] * 4)
        ]
        heard(user, "work begun", times=8)
        site.process.send_signal(signal.SIGTERM)
        texts = [read_all(client) for client in clients]
        assert site.process.wait(PATIENCE_S) == 0
    assert all('"said":"done"' in text for text in texts[:4])
    assert all('"said":"cancelled"' in text for text in texts[4:])


def read_all(client: socket.socket) -> str:
    client.settimeout(PATIENCE_S)
    data = b""
    while chunk := client.recv(65_536):
        data += chunk
    client.close()
    return data.decode().replace(" ", "")


def test_l039_clients_that_come_and_go_leave_nothing(site: Site) -> None:
    post(site, INITIALIZE)
    before = descriptors(site)
    for _ in range(60):
        name = session(site)
        connection = http.client.HTTPConnection("127.0.0.1", site.port)
        connection.request("DELETE", "/mcp", headers={**site.headers, "Mcp-Session-Id": name})
        assert connection.getresponse().status == 200
        connection.close()
    until(lambda: descriptors(site) <= before)


def descriptors(site: Site) -> int:
    return len(list(Path(f"/proc/{site.process.pid}/fd").iterdir()))


def test_l038_clients_that_do_not_read_hold_nobody_up(site: Site) -> None:
    name = session(site)
    message = call(1, "print_everywhere")
    silent = [start_call(site, message, **{"Mcp-Session-Id": name}) for _ in range(20)]
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    assert post(site, ping, **{"Mcp-Session-Id": session(site)})[0] == 200
    for client in silent:
        client.close()


def test_a_stream_that_broke_is_begun_anew(site: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    asked = {"Mcp-Session-Id": session(site), "Accept": "text/event-stream"}
    connection.request("GET", "/mcp", headers={**site.headers, **asked, "Last-Event-ID": "../x"})
    assert connection.getresponse().status == 200
    connection.close()


def test_clients_that_say_nothing_hold_nobody_up(site: Site) -> None:
    address = ("127.0.0.1", site.port)
    half = b"POST /mcp HTTP/1.1\r\nHost: "
    with ExitStack() as held:
        for _ in range(500):  # more than are served at once
            client = held.enter_context(socket.create_connection(address, PATIENCE_S))
            client.sendall(half)
        assert post(site, INITIALIZE)[0] == 200
        assert client.recv(100) == b""  # the last of them, too, after some seconds


def test_an_address_that_others_reach_needs_a_token_and_names() -> None:
    address = parse_address("0.0.0.0:8765")
    with pytest.raises(DoorError, match="--token-file"):
        door_for(address, None, hosts=("box.example:8765",), origins=())
    with pytest.raises(DoorError, match="--allowed-host"):
        door_for(address, "t" * 40, hosts=(), origins=())
    door = door_for(address, "t" * 40, hosts=("box.example:8765",), origins=())
    assert door.hosts == {"box.example:8765"}
    assert door.origins == set()


def test_a_loopback_answers_to_its_own_names_and_port_only() -> None:
    door = door_for(Address("127.0.0.1", 80), "t" * 40, hosts=(), origins=())
    assert door.hosts == {"127.0.0.1:80", "localhost:80", "[::1]:80"}
    assert door.origins == {"http://127.0.0.1:80", "http://localhost:80", "http://[::1]:80"}


@pytest.mark.parametrize("text", ["", "host", "host:", "host:x", "127.0.0.1:99999", "1.2.3.4:-1"])
def test_what_is_no_address_is_said(text: str) -> None:
    with pytest.raises(DoorError, match="HOST:PORT"):
        parse_address(text)


@pytest.mark.parametrize("token", ["", "short", "with spaces in the middle of it"])
def test_a_token_that_could_be_guessed_is_refused(tmp_path: Path, token: str) -> None:
    (tmp_path / "token").write_text(token)
    with pytest.raises(DoorError, match="20 or more characters"):
        read_token(tmp_path / "token")


def test_the_command_says_why_it_does_not_listen(project: Path, user: Path) -> None:
    command = [sys.executable, "-m", "vetbox", "serve", "--http", "0.0.0.0:0"]
    done = subprocess.run(
        [*command, "--project", str(project)],
        env=environment(user),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 2
    assert "can be reached by other machines" in done.stderr
