"""A baseline hides what was there, however the lines move, and nothing that is new."""

import os
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from tests.reports.samples import EVAL, SHELL
from vetbox.baseline import BaselineError, read_baseline, write_baseline


def moved(finding, lines: int):
    where = finding.location
    where = replace(where, line=where.line + lines, end_line=where.end_line + lines)
    return replace(finding, location=where)


def test_what_was_written_is_accepted_after_it_moved(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [SHELL, EVAL])
    assert read_baseline(path).split([moved(SHELL, 40), EVAL]) == ((), (moved(SHELL, 40), EVAL))


def test_one_more_of_the_same_is_new(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [EVAL])
    again = moved(EVAL, 10)
    assert read_baseline(path).split([EVAL, again]) == ((again,), (EVAL,))


def test_the_file_has_a_line_per_finding_to_review(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [SHELL, EVAL])
    assert '"file_path": "app/deploy.py", "line_number": 3}' in path.read_text().splitlines()[3]


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 1}', '{"schema": 1, "findings": [{}]}'])
def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text)
    with pytest.raises(BaselineError, match="make it with --write-baseline"):
        read_baseline(path)


def test_a_missing_baseline_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="--write-baseline"):
        read_baseline(tmp_path / "none.json")


def test_a_name_that_is_no_text_is_accepted_like_any(tmp_path: Path) -> None:
    path, name = tmp_path / "baseline.json", os.fsdecode(b"\xff\xed\xa0\x80.py")
    odd = replace(EVAL, location=replace(EVAL.location, path=name))
    write_baseline(path, [odd])
    assert read_baseline(path).split([odd]) == ((), (odd,))


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "deep").write_text("[" * 100_000)
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path, tmp_path / "deep"):
        with pytest.raises(BaselineError):
            read_baseline(path)


def test_what_was_accepted_outlives_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, [EVAL])
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(BaselineError, match=r"baseline\.json: could not be written: File too"):
            write_baseline(path, [EVAL, SHELL])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert read_baseline(path).split([EVAL]) == ((), (EVAL,))
    assert [*tmp_path.iterdir()] == [path]


def test_a_baseline_is_written_through_a_link_and_keeps_its_mode(tmp_path: Path) -> None:
    path, link = tmp_path / "baseline.json", tmp_path / "link.json"
    write_baseline(path, [])
    (tmp_path / "other").touch()
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode
    path.chmod(0o640)
    link.symlink_to(path.name)
    write_baseline(link, [EVAL])
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert read_baseline(path).split([EVAL]) == ((), (EVAL,))


def test_what_is_no_file_is_not_written_to(tmp_path: Path) -> None:
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(BaselineError, match="not a file"):
            write_baseline(path, [EVAL])
