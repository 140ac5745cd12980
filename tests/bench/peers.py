"""python -m tests.bench.peers SEMGREP [--quick]: vetbox and semgrep with the same 32 rules.

SEMGREP is the command of an installation of its own (`pip install semgrep`), as it pins what vetbox
needs in other versions. Both read every file of the corpus and say how much they found.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import yaml

from tests.bench.corpus import corpus, size
from tests.bench.measure import best
from tests.bench.scan import VETBOX, show

RULES = Path(__file__).with_name("dangerous_calls.yaml")
LEAST = 10.0
KEYS = "findings", "results"  # where each lists what it found


def main(semgrep: str, options: Sequence[str]) -> int:
    target = corpus() / "django" if "--quick" in options else corpus()
    print(f"{size(target)}\n", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        environment = {"XDG_CACHE_HOME": f"{scratch}/cache", "PYTHONDONTWRITEBYTECODE": ""}
        reports = Path(scratch, "vetbox.json"), Path(scratch, "semgrep.json")
        best(_ours(reports[0], __file__), environment, runs=1)  # compiles the rules
        ours = best(_ours(reports[0], str(target)), environment, runs=2)
        theirs = best(_theirs(semgrep, reports[1], str(target)), environment, runs=1)
        found = [_count(report, key) for report, key in zip(reports, KEYS, strict=True)]
    show(f"cold, the same rules; they found {found[0]} and {found[1]}", ours, "semgrep", theirs)
    times = theirs.cpu_s / ours.cpu_s
    print(f"{'held' if times >= LEAST else 'NOT HELD':8} {times:.1f} >= {LEAST:.1f}")
    return 0 if times >= LEAST else 1


def _ours(report: Path, target: str) -> Sequence[str]:
    rules = [rule["id"] for rule in yaml.safe_load(RULES.read_text())["rules"]]
    only = [word for rule in rules for word in ("--select", rule)]
    written = ("--output", str(report), "--semgrep-rules", str(RULES))
    return (*VETBOX, "--no-cache", *written, *only, target)


def _theirs(semgrep: str, report: Path, target: str) -> Sequence[str]:
    every = ("--no-git-ignore", "--x-ignore-semgrepignore-files", "--max-target-bytes", "0")
    alone = ("--metrics", "off", "--disable-version-check", "--quiet")
    asked = ("--config", str(RULES), "--json", "--output", str(report))
    return (semgrep, "scan", *alone, *every, *asked, target)


def _count(report: Path, key: str) -> int:
    return len(json.loads(report.read_text())[key])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
