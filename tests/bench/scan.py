"""python -m tests.bench.scan [--quick] [--no-bandit] [--bandit-all]: vetbox, ruff and bandit.

The same files for all, each tool in turn. Bandit takes minutes for all of them, so it gets each
twentieth, as does vetbox for that comparison. Ends with the bounds that hold and those that do not.
"""

import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from tests.bench.corpus import corpus, sample, size
from tests.bench.measure import Cost, best, paired

BIN = Path(sysconfig.get_path("scripts"))
CLEAN = "def add(a, b):\n    return a + b\n"
FOUND = "import os\nos.system(input())\n"
EVERY = 20
MEGABYTE = 1_000_000
VETBOX = (str(BIN / "vetbox"), "check", "--no-ignore", "--format", "json", "--exit-zero")
# The corpus is in our .gitignore.
RUFF = (str(BIN / "ruff"), "check", "--isolated", "--select", "S", "--exit-zero", "-q")
RUFF_ALL = (*RUFF, "--no-respect-gitignore", "--output-format", "json")
BANDIT = (str(BIN / "bandit"), "-q", "-f", "json", "-r")
Environment: TypeAlias = dict[str, str]
Bound: TypeAlias = tuple[str, float, float]
"""What is measured, its value, and the most it may be."""


def main(options: Sequence[str]) -> None:
    target = corpus()
    if "--quick" in options:
        target /= "django"
    print(f"{size(target)}\n", flush=True)
    os.chdir(target)  # below tests/, where it lies, some of our rules look at nothing
    with tempfile.TemporaryDirectory() as scratch:
        environment = {
            "XDG_CACHE_HOME": f"{scratch}/cache",
            "RUFF_CACHE_DIR": f"{scratch}/ruff",
            "PYTHONDONTWRITEBYTECODE": "",  # what is installed is compiled
        }
        bounds = [
            *compared_scans(".", environment),
            *compared_starts(Path(scratch, "one"), environment),
        ]
        if "--no-bandit" not in options:
            every = 1 if "--bandit-all" in options else EVERY
            some = sample(target, Path(scratch, "sample"), every=every)
            bounds += compared_with_bandit(some, environment)
    for what, value, most in bounds:
        print(f"{'held' if value <= most else 'NOT HELD':8} {value:8.2f} <= {most:6.2f}  {what}")


def compared_scans(target: str, environment: Environment) -> Iterator[Bound]:
    best((*VETBOX, "--no-cache", __file__), environment, runs=1)  # compiles the rules
    ours = best((*VETBOX, target), environment, runs=1)  # fills the cache
    theirs = best((*RUFF_ALL, "--no-cache", target), environment, runs=3)
    show("cold", ours, "ruff S", theirs)
    yield "CPU of a cold scan, times ruff's", ours.times(theirs), 2.0
    yield "MB of the scan's first process", ours.first_bytes / MEGABYTE, 200
    yield "MB of its largest process", ours.peak_bytes / MEGABYTE, 200
    best((*RUFF_ALL, target), environment, runs=1)  # fills its cache
    ours, theirs = paired((*VETBOX, target), (*RUFF_ALL, target), environment, runs=5)
    show("unchanged", ours, "ruff S", theirs)
    yield "CPU of an unchanged rescan, times ruff's", ours.times(theirs), 0.2


def compared_with_bandit(target: Path, environment: Environment) -> Iterator[Bound]:
    ours = best((*VETBOX, "--no-cache", str(target)), environment, runs=2)
    theirs = best((*BANDIT, str(target)), environment, runs=1)
    show(f"cold, {size(target)}", ours, "bandit", theirs)
    yield "CPU of a cold scan, times bandit's", ours.times(theirs), 0.05


def compared_starts(folder: Path, environment: Environment) -> Iterator[Bound]:
    folder.mkdir()
    for name, code, most in (("clean", CLEAN, 1.2), ("found", FOUND, 2.5)):
        file = folder / f"{name}.py"
        file.write_text(code)
        command = (*VETBOX[:2], "--no-cache", str(file))
        best(command, environment, runs=1)  # compiles what is imported
        ours, bandit = paired(command, (*BANDIT[:2], str(file)), environment, runs=9)
        show(f"one file, {name}", ours, "bandit", bandit)
        yield f"CPU for one file, {name}, times bandit's", ours.times(bandit), most


def show(what: str, ours: Cost, name: str, theirs: Cost) -> None:
    print(f"{what}\n  vetbox {ours}\n  {name:6} {theirs}")
    print(f"  vetbox takes {ours.times(theirs):.2f} x the CPU of {name}\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
