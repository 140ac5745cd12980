"""How fast run() is: python tests/bench/run.py [--soak N]; every figure beside its target."""

import argparse
import os
import resource
import shutil
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from vetbox.audit import AuditLog
from vetbox.config import load_config
from vetbox.run.runner import Runner

DESK = Path(__file__).parents[2] / "fixtures/projects/research-desk"
ENDLESS = "ot.version()\nwhile True: pass"
TWENTY = "for n in range(20):\n    fs.read('notes/plan.md')\n"


def opened(folder: str) -> Runner:
    root = Path(folder) / "desk"
    shutil.copytree(DESK, root)
    return Runner(root, load_config(root), trusted=True, audit=AuditLog(root))


def p50_ms(runner: Runner, code: str, rounds: int) -> float:
    return statistics.median(timed_ms(lambda: done(runner, code)) for _ in range(rounds))


def timed_ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def done(runner: Runner, code: str) -> None:
    result = runner.run(code)
    assert result.success, result.result


def cpu_ms(work: Callable[[], object], rounds: int) -> float:
    """CPU time of one round in this process and its workers: what an idle machine would take."""
    before = cpu_seconds()
    for _ in range(rounds):
        work()
    return (cpu_seconds() - before) / rounds * 1000


def cpu_seconds() -> float:
    ticks = os.sysconf("SC_CLK_TCK")
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in children()]
    return time.process_time() + sum(int(one[11]) + int(one[12]) for one in stats) / ticks


def children() -> list[int]:
    """The worker processes of this one."""
    tasks = Path("/proc/self/task").glob("*/children")
    return [int(pid) for task in tasks for pid in task.read_text().split()]


def own_time_ms(runner: Runner) -> float:
    """What twenty reads take when nothing is run around them."""
    context = runner.context(threading.Event())
    tool = runner.catalogue.tool("fs.read")
    return timed_ms(lambda: [tool(context, ("notes/plan.md",), {}) for _ in range(20)])


def runs_per_second(runner: Runner, clients: int, seconds: float) -> float:
    counts = [0] * clients
    until = time.perf_counter() + seconds

    def work(number: int) -> None:
        while time.perf_counter() < until:
            done(runner, f"{number} + {counts[number]}")
            counts[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


def ends(runner: Runner) -> None:
    """How soon a run ends that is killed or cancelled, and how soon the next one is answered."""
    times = [killed_s(runner) for _ in range(5)]
    killed, again = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"kill -9 of a worker: error after {killed:.2f} s (target 1)")
    print(f"  next run after {again:.2f} s (target 2)")
    cancelled = statistics.median(cancelled_s(runner) for _ in range(5))
    print(f"cancel: answered after {cancelled:.2f} s (target 1)")
    assert killed <= 1
    assert again <= 2
    assert cancelled <= 1


def killed_s(runner: Runner) -> tuple[float, float]:
    """Seconds from the death of every worker to the error, and on to the next run's value."""
    begun, ended = threading.Event(), list[float]()

    def run() -> None:
        result = runner.run(ENDLESS, progress=lambda *_: begun.set())
        ended.append(time.perf_counter())
        assert not result.success

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    killed = time.perf_counter()
    for pid in children():
        os.kill(pid, signal.SIGKILL)
    thread.join()
    done(runner, "1 + 1")
    return ended[0] - killed, time.perf_counter() - ended[0]


def cancelled_s(runner: Runner) -> float:
    begun, cancel, ended = threading.Event(), threading.Event(), list[float]()

    def run() -> None:
        result = runner.run(ENDLESS, cancel=cancel, progress=lambda *_: begun.set())
        ended.append(time.perf_counter())
        assert result.limit == "cancelled"

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    started = time.perf_counter()
    cancel.set()
    thread.join()
    return ended[0] - started


def soak(runner: Runner, rounds: int) -> None:
    """Memory, descriptors and threads after a warm-up, and after all rounds."""
    mixture = ["1 + 1", "fs.read('notes/plan.md')", "1 / 0", "'x' * 100000", TWENTY]
    for number in range(rounds):
        runner.run(mixture[number % len(mixture)])
        if number in (500, rounds - 1):
            print(f"after {number + 1:,} runs: {state()}")


def state() -> str:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    descriptors = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    kept = (
        f"{descriptors} descriptors, {threading.active_count()} threads, {len(children())} children"
    )
    return f"{memory} MiB at most, {kept}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--soak", type=int, default=0, metavar="N")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runner = opened(folder)
        print(f"first run: {timed_ms(lambda: done(runner, '1 + 1')):.0f} ms")
        print(f"run('1 + 1'): p50 {p50_ms(runner, '1 + 1', 200):.2f} ms (target 4)")
        if sys.platform == "linux":
            print(f"  CPU of it: {cpu_ms(lambda: done(runner, '1 + 1'), 200):.2f} ms")
        over = p50_ms(runner, TWENTY, 50) - own_time_ms(runner)
        print(f"20 tool calls: {over:.1f} ms over the tools' own time (target 15)")
        if sys.platform == "linux":
            print(f"  CPU of it: {cpu_ms(lambda: done(runner, TWENTY), 50):.1f} ms")
        print(f"8 clients: {runs_per_second(runner, 8, 3):.0f} runs/s (target 100)")
        if wanted.soak:
            soak(runner, wanted.soak)
        if sys.platform == "linux":
            ends(runner)
        runner.close()


if __name__ == "__main__":
    main()
