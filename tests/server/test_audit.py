"""The audit log: what a line holds, what it never holds, where it never goes."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vetbox.audit import AuditError, AuditLog, digest


def lines(project: Path) -> list[dict[str, object]]:
    text = (project / ".onetool/log/audit.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_says_who_what_and_how_long(tmp_path: Path) -> None:
    AuditLog(tmp_path).record("r1", "fs.read", {"path": "a"}, outcome="ok", duration_ms=1.23456)
    (entry,) = lines(tmp_path)
    assert entry.pop("time")
    assert entry == {
        "run_id": "r1",
        "tool": "fs.read",
        "arguments_sha256": digest({"path": "a"}),
        "outcome": "ok",
        "duration_ms": 1.235,
    }


def test_arguments_are_never_written(tmp_path: Path) -> None:
    AuditLog(tmp_path).record("r1", "web.get", {"key": "s3cret"}, outcome="ok", duration_ms=1)
    assert "s3cret" not in (tmp_path / ".onetool/log/audit.jsonl").read_text()


def test_lines_of_many_threads_stay_whole(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        for number in range(400):
            pool.submit(log.record, str(number), "t", number, outcome="ok", duration_ms=0)
    assert {entry["run_id"] for entry in lines(tmp_path)} == {str(n) for n in range(400)}


def test_a_full_log_makes_room(tmp_path: Path) -> None:
    log = AuditLog(tmp_path, max_bytes=1_000)
    for number in range(50):
        log.record(str(number), "t", None, outcome="ok", duration_ms=0)
    folder = tmp_path / ".onetool/log"
    assert sorted(path.name for path in folder.iterdir()) == ["audit.jsonl", "audit.jsonl.1"]
    assert all(path.stat().st_size < 1_500 for path in folder.iterdir())


@pytest.mark.parametrize("name", [".onetool", ".onetool/log", ".onetool/log/audit.jsonl"])
def test_nothing_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    (project / name).parent.mkdir(parents=True)
    outside.mkdir()
    (project / name).symlink_to(outside)
    with pytest.raises(AuditError):
        AuditLog(project).record("r1", "t", None, outcome="ok", duration_ms=0)
    assert list(outside.iterdir()) == []


def test_a_fifo_in_its_place_is_refused(tmp_path: Path) -> None:
    import os

    (tmp_path / ".onetool/log").mkdir(parents=True)
    os.mkfifo(tmp_path / ".onetool/log/audit.jsonl")
    with pytest.raises(AuditError):
        AuditLog(tmp_path).record("r1", "t", None, outcome="ok", duration_ms=0)
