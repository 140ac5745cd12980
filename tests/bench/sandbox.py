"""Figures of the sandbox, side by side in one run: `python -m tests.bench.sandbox`.

Medians of interleaved rounds. `eryx` is measured, too, where it is installed (Python 3.12 and
later).
"""

import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.bench.sandbox_programs import MICRO
from vetbox.sandbox import ExecutionPolicy, PythonSandbox, SandboxResult

try:
    import eryx
except ImportError:
    eryx = None

ROUNDS = 101
IN_WORKERS = "in worker processes (default)"


def main() -> None:
    print(f"{sys.implementation.name} {sys.version.split()[0]}, {os.cpu_count()} CPUs\n")
    for section in (start, cold, throughput, bridge, memory, concurrency, compute):
        print(f"## {section.__doc__}")
        for name, value in section():
            print(f"{name:52} {value}")
        print()


def start() -> Iterator[tuple[str, str]]:
    """A complete run, ms (median of interleaved rounds)"""
    candidates = _runners("pass") | {"python3 -I -S -c pass": _native}
    times = _interleaved(candidates)
    native = times["python3 -I -S -c pass"]
    for name, value in times.items():
        yield name, f"{value:7.2f}   {value / native:5.2f} x native   (target 0.5)"


def cold() -> Iterator[tuple[str, str]]:
    """The first run of a fresh process with everything cached, ms after the imports"""
    code = (
        "import time, wasmtime, vetbox.sandbox.host; from vetbox.sandbox import PythonSandbox\n"
        "t = time.perf_counter(); r = PythonSandbox(in_process={}).execute('pass')\n"
        "print((time.perf_counter() - t) * 1e3); assert r.success"
    )
    for name, in_process in (("in process", True), (IN_WORKERS, False)):
        argv = [sys.executable, "-c", code.format(in_process)]
        runs = [subprocess.run(argv, capture_output=True, check=True) for _ in range(7)]
        median = statistics.median(float(run.stdout) for run in runs)
        yield name, f"{median:7.2f}   (target 20 in process)"


def throughput() -> Iterator[tuple[str, str]]:
    """Runs per second of CPU time, in process"""
    box = PythonSandbox(in_process=True)
    box.execute("pass")
    started, cpu = time.perf_counter(), time.process_time()
    for _ in range(500):
        box.execute("pass")
    wall, used = time.perf_counter() - started, time.process_time() - cpu
    yield "pass", f"{500 / used:7.0f} per CPU second, {500 / wall:.0f} per second   (target 250)"


def bridge() -> Iterator[tuple[str, str]]:
    """A call of a host function and its answer, ms"""
    code = CALLS.format("import _vetbox_bridge as b", "b.call('f', ['x'], {})")
    for name, in_process in (("in process", True), (IN_WORKERS, False)):
        box = PythonSandbox(tools={"f": _same}, in_process=in_process)
        yield name, f"{float(box.execute(code).stdout):7.3f}   (target 0.3)"
    if eryx is not None:
        callbacks = eryx.CallbackRegistry()
        callbacks.callback(name="f")(_same)
        told = eryx.Sandbox(callbacks=callbacks).execute(CALLS.format("", "await f(text='x')"))
        yield "eryx", f"{float(told.stdout):7.3f}"


CALLS = """
import time; {}
best = []
for _ in range(20):
    t = time.perf_counter()
    for _ in range(50): {}
    best.append((time.perf_counter() - t) * 20)
print(sorted(best)[10])
"""


def _same(text: str) -> str:
    return text


def memory() -> Iterator[tuple[str, str]]:
    """Private memory of a live instance, kB (50 at once, each in a host call)"""
    count, arrived, leave = 50, threading.Semaphore(0), threading.Event()

    def wait() -> None:
        arrived.release()
        leave.wait()

    box = PythonSandbox(tools={"wait": wait}, in_process=True)
    box.execute("pass")
    before = _private_kb()
    with ThreadPoolExecutor(count) as pool:
        code = "import json, _vetbox_bridge as b; b.call('wait', [], {})"
        runs = [pool.submit(box.execute, code) for _ in range(count)]
        for _ in runs:
            arrived.acquire()
        used = (_private_kb() - before) / count
        leave.set()
    yield "with its two threads", f"{used:7.0f}   (target 1,500)"


def concurrency() -> Iterator[tuple[str, str]]:
    """64 runs at once in worker processes, ms"""
    box = PythonSandbox()
    box.execute("pass")
    times: list[float] = []

    def one(number: int) -> bool:
        started = time.perf_counter()
        right = box.execute(f"print({number} ** 2)").stdout == f"{number**2}\n"
        times.append((time.perf_counter() - started) * 1e3)
        return right

    with ThreadPoolExecutor(64) as pool:
        right = sum(pool.map(one, range(640)))
    times.sort()
    yield "answered correctly", f"{right:7d} of 640"
    yield "p50, p99", f"{times[len(times) // 2]:7.1f}, {times[int(len(times) * 0.99)]:.1f}"


def compute() -> Iterator[tuple[str, str]]:
    """Slowdown of computation against this Python (least of 12 rounds each)"""
    box = PythonSandbox(ExecutionPolicy(timeout_seconds=120), in_process=True)
    boxed = json.loads(_well(box.execute(MICRO)).stdout)
    native = json.loads(subprocess.check_output([sys.executable, "-c", MICRO]))
    for name in native:
        yield name, f"{boxed[name] / native[name]:7.1f} x   ({native[name]:.2f} ms native)"
    yield "geometric mean", f"{_slower(boxed, native):7.1f} x"
    if eryx is not None:
        others = json.loads(eryx.Sandbox().execute(MICRO).stdout)
        yield "geometric mean, eryx", f"{_slower(others, native):7.1f} x"


def _runners(code: str) -> dict[str, Callable[[], object]]:
    boxes = {IN_WORKERS: PythonSandbox(), "in process": PythonSandbox(in_process=True)}
    runners: dict[str, Callable[[], object]] = {
        f"vetbox, {name}": lambda box=box: _well(box.execute(code)) for name, box in boxes.items()
    }
    if eryx is not None:
        runners["eryx, a new sandbox"] = lambda: eryx.Sandbox().execute(code)
        kept = eryx.Sandbox()
        runners["eryx, the same sandbox again"] = lambda: kept.execute(code)
    return runners


def _slower(times: dict[str, float], native: dict[str, float]) -> float:
    return statistics.geometric_mean(times[name] / native[name] for name in native)


def _native() -> None:
    subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)


def _interleaved(candidates: dict[str, Callable[[], object]]) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(ROUNDS):
        for name, run in candidates.items():
            started = time.perf_counter()
            run()
            times[name].append((time.perf_counter() - started) * 1e3)
    return {name: statistics.median(values) for name, values in times.items()}


def _well(result: SandboxResult) -> SandboxResult:
    assert result.success, result
    return result


def _private_kb() -> int:
    rollup = Path("/proc/self/smaps_rollup").read_text()
    return sum(int(n) for n in re.findall(r"Private_(?:Dirty|Clean): +(\d+) kB", rollup))


if __name__ == "__main__":
    main()
