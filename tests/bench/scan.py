"""python -m tests.bench.scan [--quick] [--no-bandit]: vetbox beside ruff and bandit, same files."""

import sys
import sysconfig
import tempfile
from pathlib import Path

from tests.bench.corpus import corpus
from tests.bench.measure import Cost, best

BIN = Path(sysconfig.get_path("scripts"))
CLEAN = "def add(a, b):\n    return a + b\n"
FOUND = "import os\nos.system(input())\n"


def main(arguments: list[str]) -> None:
    target = corpus()
    if "--quick" in arguments:
        target /= "django"
    with tempfile.TemporaryDirectory() as scratch:
        environment = {"XDG_CACHE_HOME": f"{scratch}/cache", "RUFF_CACHE_DIR": f"{scratch}/ruff"}
        compare_scans(target, environment, bandit="--no-bandit" not in arguments)
        compare_starts(Path(scratch), environment)


def compare_scans(target: Path, environment: dict[str, str], *, bandit: bool) -> None:
    vetbox = [str(BIN / "vetbox"), "check", "--no-ignore", "--format", "json", "--exit-zero"]
    vetbox.append(str(target))
    ruff = [str(BIN / "ruff"), "check", "--isolated", "--select", "S", "--exit-zero", "-q"]
    ruff.append("--no-respect-gitignore")  # the corpus is in ours
    ruff += ["--output-format", "json", str(target)]
    ours = best([*vetbox, "--no-cache"], environment, runs=2)
    theirs = best([*ruff, "--no-cache"], environment, runs=2)
    show("cold", ours, "ruff S", theirs)
    one_job = best([*vetbox, "--no-cache", "--jobs", "1"], environment, runs=1)
    print(f"  peak of one process: {max(one_job.peak_bytes, ours.peak_bytes) / 1e6:.0f} MB")
    for command in (vetbox, ruff):
        best(command, environment, runs=1)  # fills the cache
    show("unchanged", best(vetbox, environment, runs=3), "ruff S", best(ruff, environment, runs=3))
    if bandit:
        other = [str(BIN / "bandit"), "-r", "-q", "-f", "json", str(target)]
        show("cold", ours, "bandit", best(other, environment, runs=1))


def compare_starts(scratch: Path, environment: dict[str, str]) -> None:
    for name, code in (("clean", CLEAN), ("found", FOUND)):
        file = scratch / f"{name}.py"
        file.write_text(code)
        ours = best([str(BIN / "vetbox"), "check", "--no-cache", str(file)], environment, runs=7)
        bandit = best([str(BIN / "bandit"), "-q", str(file)], environment, runs=7)
        show(f"one file, {name}", ours, "bandit", bandit)


def show(what: str, ours: Cost, name: str, theirs: Cost) -> None:
    print(f"{what}\n  vetbox {ours}\n  {name:6} {theirs}")
    print(f"  vetbox takes {ours.times(theirs):.2f} x the CPU of {name}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
