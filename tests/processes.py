"""What processes there are and what they use, as Linux tells it."""

import os
import time
from pathlib import Path


def alive(pid: int) -> bool:
    """Whether there is such a process, even a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def descendants(pid: int) -> set[int]:
    """The living processes below one, zombies left out."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, rest = entry.read_text().rsplit(")", 1)
        except OSError:
            continue
        state, parent = rest.split()[:2]
        if state != "Z":
            parents[int(number.split()[0])] = int(parent)
    found, todo = set(), {pid}
    while todo:
        todo = {child for child, parent in parents.items() if parent in todo} - found
        found |= todo
    return found


def is_idle(pid: int) -> bool:
    """Whether a process and all below it take less than half of a processor for a moment."""
    seconds = 0.5
    before = burned_seconds(pid)
    time.sleep(seconds)
    return burned_seconds(pid) - before < seconds / 2


def burned_seconds(pid: int) -> float:
    """What a process and all that live below it have taken of the processors."""
    ticks = 0
    for one in {pid, *descendants(pid)}:
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:  # it ended meanwhile
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
