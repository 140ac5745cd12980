"""Mixed runs by the thousand must leave nothing behind: `python -m tests.bench.sandbox_soak`.

Good programs, and programs that meet every kind of limit, from several threads; each answer is
checked, and after the warm-up neither descriptors, threads, children, temporary files nor memory
may grow.
"""

import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from vetbox.sandbox import ExecutionPolicy, Limit, PythonSandbox, SandboxResult

WARM_UP = 500
THREADS = 4
BATCH = 250
RSS_GROWTH_MB = 32
POLICY = ExecutionPolicy(
    fuel_budget=300_000_000,
    memory_bytes=32_000_000,
    timeout_seconds=5,
    stdout_max_bytes=10_000,
    max_disk_bytes=100_000,
)
HASTY = POLICY.model_copy(update={"timeout_seconds": 0.1})


@dataclass(frozen=True)
class Kind:
    """A program, how often it runs in a hundred, and whether a result is the right one."""

    share: int
    code: str
    right: Callable[[SandboxResult, int], bool]
    policy: ExecutionPolicy = POLICY


KINDS: Mapping[str, Kind] = {
    "good": Kind(60, "print({n} * 2)", lambda r, n: r.stdout == f"{n * 2}\n" and r.success),
    "tool": Kind(
        10,
        "import _vetbox_bridge as b; print(b.call('double', [{n}], {{}}))",
        lambda r, n: r.stdout == f"{n * 2}\n" and r.tool_calls == 1,
    ),
    "fuel": Kind(10, "while True: pass", lambda r, _: r.limit is Limit.FUEL),
    "sleep": Kind(5, "import time; time.sleep(9)", lambda r, _: r.limit is Limit.TIME, HASTY),
    "memory": Kind(5, "bytearray(10**9)", lambda r, _: "MemoryError" in r.stderr),
    "flood": Kind(
        5,
        "open('f', 'w').write('x' * 10**6)",
        lambda r, _: "No space left" in r.stderr or not r.success,
    ),
    "crash": Kind(5, "import os; os.abort()", lambda r, _: r.exit_code is None and not r.limit),
}


@dataclass(frozen=True)
class Usage:
    """What this process and its children hold."""

    descriptors: int
    threads: int
    children: int
    temporary: int
    rss_mb: float


def main(runs: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        soak = Soak()
        soak.run(WARM_UP)
        before = usage(folder)
        started = time.monotonic()
        soak.run(runs)
        took = time.monotonic() - started
        after = usage(folder)
    print(f"{runs} runs in {took:.0f} s, {len(soak.wrong)} wrong answers {soak.wrong[:5]}")
    print(f"before {before}\nafter  {after}")
    return 0 if not soak.wrong and no_growth(before, after) else 1


class Soak:
    """Runs of random kinds; `wrong` collects what was answered wrongly."""

    def __init__(self) -> None:
        tools = {"double": lambda n: n * 2}
        self.boxes = {
            name: PythonSandbox(kind.policy, tools=tools, in_process=name == "tool")
            for name, kind in KINDS.items()
        }
        self.random = random.Random(1)
        self.wrong: list[tuple[str, SandboxResult]] = []

    def run(self, count: int) -> None:
        shares = [kind.share for kind in KINDS.values()]
        names = self.random.choices(list(KINDS), shares, k=count)
        with ThreadPoolExecutor(THREADS) as pool:
            for start in range(0, count, BATCH):  # ten thousand futures alone take 24 MB
                batch = range(start, min(start + BATCH, count))
                list(pool.map(self._one, names[start : start + BATCH], batch))

    def _one(self, name: str, number: int) -> None:
        kind = KINDS[name]
        result = self.boxes[name].execute(kind.code.format(n=number))
        if not kind.right(result, number):
            self.wrong.append((name, result))


def usage(folder: str) -> Usage:
    time.sleep(1.5)  # threads that were left behind by a run end within its time limit
    children = _children()
    return Usage(
        descriptors=len(os.listdir("/proc/self/fd")),
        threads=threading.active_count(),
        children=len(children),
        temporary=len(os.listdir(folder)),
        rss_mb=sum(map(_rss_mb, ["self", *children])),
    )


def _children() -> list[str]:
    """The children of all threads of this process."""
    files = [Path(f"/proc/self/task/{task}/children") for task in os.listdir("/proc/self/task")]
    return [child for file in files if file.exists() for child in file.read_text().split()]


def _rss_mb(process: str) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def no_growth(before: Usage, after: Usage) -> bool:
    return (
        after.descriptors <= before.descriptors
        and after.threads <= before.threads
        and after.children <= before.children
        and after.temporary == 0
        and after.rss_mb - before.rss_mb <= RSS_GROWTH_MB
    )


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
