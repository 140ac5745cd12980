"""Starts the service as its users do: a process of its own, spoken to over pipes or a port."""

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import until

HERE = Path(__file__).parent
FIXTURE = (sys.executable, str(HERE / "fixture_service.py"))
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
# The first run of a new interpreter compiles it, which takes a busy machine half a minute.
ANSWER_S = 120.0
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def environment(user: Path) -> dict[str, str]:
    """The user's own folder, and a place of its own for temporary files."""
    temporary = user / "temporary"
    temporary.mkdir(exist_ok=True)
    return {**os.environ, "VETBOX_CONFIG_DIR": str(user), "TMPDIR": str(temporary)}


class Pipes:
    """A service on pipes; messages are dicts, or raw bytes to say something wrong."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._rest = b""

    def send(self, *messages: dict[str, object] | bytes) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self, timeout_s: float = ANSWER_S) -> dict[str, object]:
        deadline = time.monotonic() + timeout_s
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.process.stdout], [], [], max(left, 0))
            assert ready, "no answer in time"
            chunk = os.read(self.process.stdout.fileno(), 65_536)
            assert chunk, "the service closed its output"
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    def ask(self, method: str, number: object, **params: object) -> dict[str, object]:
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self.answer(number)

    def answer(self, number: object) -> dict[str, object]:
        while (message := self.receive()).get("id") != number:
            pass
        return message

    def call(self, number: object, name: str, **arguments: object) -> dict[str, object]:
        return self.ask("tools/call", number, name=name, arguments=arguments)

    def start(self) -> dict[str, object]:
        self.send(INITIALIZE)
        answer = self.answer(0)
        self.send(READY)
        return answer


@contextmanager
def over_stdio(project: Path, user: Path, *, command: tuple[str, ...] = FIXTURE) -> Iterator[Pipes]:
    process = subprocess.Popen(
        [*command, str(project)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=(user / "stderr").open("wb"),
        env=environment(user),
    )
    try:
        yield Pipes(process)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


@dataclass(frozen=True, slots=True)
class Site:
    """A service on a port, and the token it wants."""

    port: int
    token: str
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    @property
    def headers(self) -> dict[str, str]:
        return {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }


@contextmanager
def over_http(
    project: Path,
    user: Path,
    *,
    command: tuple[str, ...] = FIXTURE,
    arguments: tuple[str, ...] = ("0",),
) -> Iterator[Site]:
    process = subprocess.Popen(
        [*command, str(project), *arguments],
        stdin=subprocess.DEVNULL,
        stderr=(user / "stderr").open("wb"),
        env=environment(user),
    )
    try:
        port = wait_for_port(user / "stderr", process)
        yield Site(port, (user / "token").read_text().strip(), process)
    finally:
        process.kill()
        process.wait()


def wait_for_port(log: Path, process: subprocess.Popen[bytes]) -> int:
    until(lambda: "port " in log.read_text() or process.poll() is not None)
    found = re.search(r"port (\d+)", log.read_text())
    assert found, f"the service did not start: {log.read_text()}"
    return int(found[1])


def heard(user: Path, words: str, times: int = 1) -> None:
    """Wait until the service has said so on its standard error."""
    until(lambda: (user / "stderr").read_text().count(words) == times)
