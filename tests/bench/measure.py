"""What a command costs: processor time, wall time and the peak memory of its largest process."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_LOOK_S = 0.05  # the last of these before a process ends misses what it takes meanwhile


@dataclass(frozen=True, slots=True)
class Cost:
    """`peak_bytes` of the largest process; `first_bytes` of the one that was started."""

    cpu_s: float
    wall_s: float
    peak_bytes: int
    first_bytes: int

    def times(self, other: "Cost") -> float:
        """How many times the processor time of another."""
        return self.cpu_s / other.cpu_s

    def __str__(self) -> str:
        megabytes = self.peak_bytes / 1e6
        return f"{self.cpu_s:8.2f} s CPU {self.wall_s:8.2f} s wall {megabytes:7.0f} MB"


def cost(command: Sequence[str], environment: Mapping[str, str]) -> Cost:
    """Run it, its output thrown away; children that it waits for count."""
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    first_bytes = 0
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        first_bytes = max(first_bytes, peak_of(process.pid))
        time.sleep(_LOOK_S)
    wall = time.monotonic() - started
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, first_bytes)


def peak_of(pid: int) -> int:
    """The most memory that a process held until now, where Linux tells; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def best(command: Sequence[str], environment: Mapping[str, str], *, runs: int) -> Cost:
    """The cheapest of some runs: what others did to the machine meanwhile is no cost of ours."""
    return min((cost(command, environment) for _ in range(runs)), key=lambda one: one.cpu_s)


def paired(
    one: Sequence[str], other: Sequence[str], environment: Mapping[str, str], *, runs: int
) -> tuple[Cost, Cost]:
    """The cheapest of each, run in turn: the machine's other work slows both alike."""
    pairs = [(cost(one, environment), cost(other, environment)) for _ in range(runs)]
    first, second = zip(*pairs, strict=True)
    return min(first, key=lambda a: a.cpu_s), min(second, key=lambda a: a.cpu_s)
