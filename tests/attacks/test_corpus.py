"""The attack corpus, driven case by case through the adapter as `drive.py` drives any product."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.timing import ATTEMPTS

HERE = Path(__file__).parent
SHOULD = 0.9  # of the second tier; the first must hold whole
DRIVE_TIMEOUT_S = 600
DRIVEN = ["validate", "analyse_file", "tool", "config", "run"]
OWN = "own-others"
AT_ONCE = 2
SLOW = re.compile(r"slow \d+ ms")

Result = dict[str, object]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], list[Result]]]:
    """The judged cases of a kind; each kind is driven once, beside another: many cases wait."""
    folder = tmp_path_factory.mktemp("attacks")

    def drive_once(kind: str) -> list[Result]:
        if kind == OWN:
            return drive("run,tool,analyse_file,config", folder, files=OWN)
        results = drive(kind, folder)
        return [asked_again(result, results[0], kind, folder) for result in results]

    with ThreadPoolExecutor(AT_ONCE) as threads:
        begun = {kind: threads.submit(drive_once, kind) for kind in (*DRIVEN, OWN)}
        yield lambda kind: begun[kind].result()
        threads.shutdown(cancel_futures=True)  # those that nobody has asked for


def drive(kind: str, folder: Path, *only: str, files: str | None = None) -> list[Result]:
    """What became of the cases of a kind, or of those whose ids begin like one of `only`."""
    out = folder / f"{files or kind}-{len(only)}.jsonl"
    adapter = f"{sys.executable} {HERE / 'adapter.py'}"
    command = [sys.executable, HERE / "drive.py", "--adapter", adapter, "--kind", kind]
    chosen = ["--files", files] if files else []
    subprocess.run(
        [*command, *chosen, "--only", ",".join(only), "--out", out],
        check=False,
        capture_output=True,
        timeout=DRIVE_TIMEOUT_S,
    )
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def asked_again(result: Result, first: Result, kind: str, folder: Path) -> Result:
    """A case that was only slow has a few attempts, as another's work may have delayed it.

    The first case goes before: the driver does not time what an adapter is asked first.
    """
    for _ in range(ATTEMPTS):
        if only_slow(result):
            again = drive(kind, folder, first["id"], result["id"])
            result = next(one for one in again if one["id"] == result["id"])
    return result


def only_slow(result: Result) -> bool:
    return bool(result["why"]) and all(SLOW.fullmatch(why) for why in result["why"])


def failures(results: list[Result], tier: str) -> dict[object, object]:
    return {r["id"]: r["why"] for r in results if r["tier"] == tier and not r["ok"]}


@pytest.mark.parametrize("kind", DRIVEN)
def test_every_must_case_holds(driven, kind: str) -> None:
    assert failures(driven(kind), "must") == {}


@pytest.mark.parametrize("kind", DRIVEN)
def test_nine_of_ten_should_cases_hold(driven, kind: str) -> None:
    results = [r for r in driven(kind) if r["tier"] == "should"]
    assert sum(bool(r["ok"]) for r in results) >= SHOULD * len(results), failures(results, "should")


def test_every_other_case_of_our_own_holds(driven) -> None:
    results = driven(OWN)
    assert len(results) == len((HERE / f"{OWN}.jsonl").read_text("utf-8").splitlines())
    assert {r["id"]: r["why"] for r in results if not only_slow(r) and not r["ok"]} == {}


def test_no_benign_twin_is_blocked(driven) -> None:
    blocked = [r["id"] for r in driven("validate") if "false block" in r["why"]]
    assert blocked == []
