"""How fast `run` is for clients over HTTP: `python -m tests.bench.service_run`."""

import statistics
import tempfile
import threading
import time
from pathlib import Path

from tests.bench.load_clients import Session
from tests.server.services import over_http

ROUNDS, CLIENTS, SECONDS = 300, 8, 10.0


def run(session: Session) -> None:
    answer = session.ask("tools/call", name="run", arguments={"command": "1+1"})
    assert answer["content"][0]["text"] == "2", answer


def timed_ms(session: Session) -> float:
    started = time.perf_counter()
    run(session)
    return (time.perf_counter() - started) * 1000


def runs_per_second(port: int, token: str) -> float:
    counts = [0] * CLIENTS
    sessions = [Session(port, token) for _ in range(CLIENTS)]
    until = time.perf_counter() + SECONDS

    def work(number: int) -> None:
        while time.perf_counter() < until:
            run(sessions[number])
            counts[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / SECONDS


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, over_http(Path(folder), Path(folder)) as site:
        session = Session(site.port, site.token)
        for _ in range(10):
            run(session)
        times = [timed_ms(session) for _ in range(ROUNDS)]
        print(f"run('1+1'): p50 {statistics.median(times):.1f} ms (target 15)")
        print(f"            p99 {statistics.quantiles(times, n=100)[98]:.1f} ms")
        print(
            f"{CLIENTS} clients: {runs_per_second(site.port, site.token):.0f} runs/s (target 100)"
        )


if __name__ == "__main__":
    main()
