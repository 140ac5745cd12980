"""Many clients at once: `python load_clients.py PORT TOKEN CLIENTS CALLS` prints what fails."""

import http.client
import json
import sys
import threading
from itertools import count

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "load", "version": "1"},
}
# A person or an agent asks about a file, now and then about a package, seldom about everything.
FILE, PACKAGE, PROJECT = "pkg{0}/m{0}.py", "pkg{0}", "."


class Session:
    """One client with a session and a connection of its own."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._numbers = count()
        self.ask("initialize", **INITIALIZE)
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, **params: object) -> dict:
        number = next(self._numbers)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for line in self._post(message).splitlines():
            if line.startswith(b"data: {"):
                answer = json.loads(line[6:])
                if answer.get("id") == number:
                    return answer["result"]
        raise ValueError("no answer")

    def _post(self, message: dict) -> bytes:
        self._connection.request("POST", "/mcp", json.dumps(message), self._headers)
        answer = self._connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise ValueError(f"{answer.status} {data[:200]!r}")
        if "mcp-session-id" in answer.headers:
            self._headers["Mcp-Session-Id"] = answer.headers["mcp-session-id"]
        return data


def arguments(client: int, call: int) -> dict:
    target = PROJECT if call % 25 == 24 else PACKAGE if call % 10 == 9 else FILE
    return {"target_paths": [target.format((client + call) % 20)], "tools": ["rules", "ruff"]}


def work(port: int, token: str, client: int, calls: int, wrong: list[str]) -> None:
    try:
        session = Session(port, token)
        for call in range(calls):
            asked = arguments(client, call)
            answer = session.ask("tools/call", name="run_static_analysis", arguments=asked)
            status = answer.get("structuredContent", {}).get("status")
            if status != "completed_with_issues":
                wrong.append(f"{asked}: {answer['content']}")
    except (OSError, ValueError, http.client.HTTPException) as error:
        wrong.append(repr(error))


def main() -> None:
    port, token, clients, calls = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    wrong: list[str] = []
    threads = [
        threading.Thread(target=work, args=(port, token, number, calls, wrong))
        for number in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(wrong))


if __name__ == "__main__":
    main()
