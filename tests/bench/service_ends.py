"""How soon the service ends what is called off: `python -m tests.bench.service_ends`."""

import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.test_service_load import write_project
from tests.processes import burned_seconds
from tests.server.services import Pipes, heard, over_stdio
from tests.waiting import until

DRAIN_S, CANCEL_S = 6.0, 1.0
REST_S = 0.1  # how long the service takes less than a tenth of that before it counts as idle


def seconds(end: Callable[[], object], over: Callable[[], object]) -> float:
    """From the end of an order to when it is obeyed."""
    end()
    started = time.perf_counter()
    over()
    return time.perf_counter() - started


def sigterm(pipes: Pipes, user: Path, tool: str, words: str) -> float:
    params = {"name": tool, "arguments": {"seconds": 3600.0}}
    pipes.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    heard(user, words)
    return seconds(lambda: pipes.process.send_signal(signal.SIGTERM), pipes.process.wait)


def cancel(pipes: Pipes) -> float:
    params = {
        "name": "run_static_analysis",
        "arguments": {"target_paths": ["."], "tools": ["rules", "ruff", "bandit"]},
        "_meta": {"progressToken": 1},
    }
    pipes.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    pipes.receive()  # some progress
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    return seconds(lambda: pipes.send(note), lambda: until(lambda: rests(pipes))) - REST_S


def rests(pipes: Pipes) -> bool:
    before = burned_seconds(pipes.process.pid)
    time.sleep(REST_S)
    return burned_seconds(pipes.process.pid) - before < REST_S / 10


def main() -> None:
    taken = {}
    for tool, words in (("work", "work begun"), ("ignore_everything", "ignoring begun")):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            with over_stdio(root, root) as pipes:
                pipes.start()
                taken[tool] = sigterm(pipes, root, tool, words)
        print(f"SIGTERM during {tool}: ended after {taken[tool]:.2f} s (target {DRAIN_S:g})")
    with tempfile.TemporaryDirectory() as folder:
        project, user = Path(folder) / "project", Path(folder) / "user"
        user.mkdir()
        write_project(project)
        with over_stdio(project, user) as pipes:
            pipes.start()
            scan = cancel(pipes)
    print(f"cancelled scan: processors free after {scan:.2f} s (target {CANCEL_S:g})")
    assert max(taken.values()) <= DRAIN_S
    assert scan <= CANCEL_S


if __name__ == "__main__":
    main()
