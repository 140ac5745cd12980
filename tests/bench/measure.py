"""What a command costs: processor time, wall time and the peak memory of its largest process."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    cpu_s: float
    wall_s: float
    peak_bytes: int

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
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - started
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024)


def best(command: Sequence[str], environment: Mapping[str, str], *, runs: int) -> Cost:
    """The cheapest of some runs: what others did to the machine meanwhile is no cost of ours."""
    return min((cost(command, environment) for _ in range(runs)), key=lambda one: one.cpu_s)
