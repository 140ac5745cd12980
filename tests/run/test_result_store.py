"""Kept results: what was stored is read back, in pages, until it expires or has to make room."""

import json
import os
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vetbox.files.folders import FolderError
from vetbox.run.result_store import ResultStore, ResultStoreError, overview


@settings(max_examples=30)
@given(text=st.text(st.characters(exclude_categories=()), max_size=200))
def test_what_is_stored_is_read_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    store = ResultStore(tmp_path_factory.mktemp("store"))
    page = store.page(store.keep(text, tool="t").handle, limit=10_000)
    assert page["lines"] == text.splitlines()


def test_r63_paging_and_search(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    handle = store.keep("\n".join(f"line {n}" for n in range(1, 31)), tool="t").handle
    assert store.page(handle, offset=29, limit=5)["lines"] == ["line 29", "line 30"]
    assert store.page(handle, offset=1, limit=2)["next_offset"] == 3
    found = store.page(handle, search="LINE 3")
    assert (found["lines"], found["matching_lines"]) == (["line 3", "line 30"], 2)


@pytest.mark.parametrize("handle", ["../../../../etc/passwd", "a" * 31, "A" * 32, "a" * 10**6, ""])
def test_a_handle_is_never_a_path(tmp_path: Path, handle: str) -> None:
    with pytest.raises(ResultStoreError, match="32 hexadecimal digits"):
        ResultStore(tmp_path).page(handle)


@pytest.mark.parametrize(("offset", "limit"), [(0, 1), (-1, 10**9), (1, 0), (1, 10**9)])
def test_pages_have_bounds(tmp_path: Path, offset: int, limit: int) -> None:
    with pytest.raises(ResultStoreError, match="offset begins at 1"):
        ResultStore(tmp_path).page("0" * 32, offset=offset, limit=limit)


def test_the_quota_drops_the_oldest(tmp_path: Path) -> None:
    store = ResultStore(tmp_path, quota_bytes=900)
    old = store.keep("x" * 400, tool="t").handle
    for path in (tmp_path / ".onetool/tmp").iterdir():
        os.utime(path, (time.time() - 60,) * 2)
    new = store.keep("y" * 400, tool="t").handle
    assert store.page(new)["lines"] == ["y" * 400]
    with pytest.raises(ResultStoreError, match="There is no result"):
        store.page(old)


def test_a_result_above_the_quota_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultStoreError, match="more than output"):
        ResultStore(tmp_path, quota_bytes=10).keep("x" * 11, tool="t")


def test_files_are_private_and_foreign_files_stay(tmp_path: Path) -> None:
    folder = tmp_path / ".onetool/tmp"
    folder.mkdir(parents=True)
    (folder / "mine.txt").touch()
    os.utime(folder / "mine.txt", (0, 0))
    ResultStore(tmp_path).keep("text", tool="t")
    assert {path.stat().st_mode & 0o777 for path in folder.glob("result-*")} == {0o600}
    assert (folder / "mine.txt").exists()


def test_drafts_of_a_crash_are_cleaned_up(tmp_path: Path) -> None:
    draft = tmp_path / f".onetool/tmp/.result-{'0' * 32}.txt.0123.tmp"
    draft.parent.mkdir(parents=True)
    draft.touch()
    os.utime(draft, (0, 0))
    ResultStore(tmp_path).keep("text", tool="t")
    assert not draft.exists()


def test_a_linked_store_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project/.onetool").mkdir(parents=True)
    (tmp_path / "project/.onetool/tmp").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FolderError):
        ResultStore(tmp_path / "project").keep("text", tool="t")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_l032_a_clock_that_jumps_expires_nothing_that_this_process_has_just_kept(
    tmp_path: Path,
) -> None:
    jump = [0.0]
    store = ResultStore(tmp_path, clock=lambda: time.time() + jump[0])
    first = store.keep("one", tool="t")
    for jump[0] in (86_400 * 3_650, 0.0, -86_400.0):
        store.keep("other", tool="t")
        assert store.page(first.handle)["lines"] == ["one"]
    jump[0] = 86_400.0
    ResultStore(tmp_path, clock=store.clock).keep("another", tool="t")  # which does not know
    with pytest.raises(ResultStoreError, match="There is no result"):
        store.page(first.handle)


def test_l032_what_is_old_goes_whatever_the_clock_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ResultStore(tmp_path, clock=lambda: time.time() - 86_400)
    first = store.keep("one", tool="t")
    later = time.monotonic() + 3_700
    monkeypatch.setattr("vetbox.run.result_store.time.monotonic", lambda: later)
    store.keep("two", tool="t")
    with pytest.raises(ResultStoreError, match="There is no result"):
        store.page(first.handle)
    assert len([*(tmp_path / ".onetool/tmp").iterdir()]) == 2


def test_a_clock_that_went_back_expires_nothing(tmp_path: Path) -> None:
    handle = ResultStore(tmp_path).keep("text", tool="t").handle
    yesterday = ResultStore(tmp_path, clock=lambda: time.time() - 86_400)
    assert yesterday.page(handle)["lines"] == ["text"]


def test_many_threads_store_at_once(tmp_path: Path) -> None:
    store, handles = ResultStore(tmp_path), set()
    work = [
        threading.Thread(target=lambda: handles.add(store.keep("t", tool="t"))) for _ in range(20)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert len(list((tmp_path / ".onetool/tmp").glob("result-*.txt"))) == 20


def test_a_preview_of_one_endless_line_is_short(tmp_path: Path) -> None:
    text = "x" * 100_000
    shown = overview(ResultStore(tmp_path).keep(text, tool="t"), text, preview_lines=10)
    assert len(str(shown["preview"])) == 4_001


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ResultStoreError, match="cannot be kept"):
        ResultStore(tmp_path).keep("text", tool="t")


def test_a_store_in_the_place_of_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / ".onetool").touch()
    with pytest.raises((ResultStoreError, FolderError)):
        ResultStore(tmp_path).keep("text", tool="t")
    assert [path.name for path in tmp_path.iterdir()] == [".onetool"]


def test_t17_a_disk_that_is_full_leaves_nothing_half_written(tmp_path: Path) -> None:
    program = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from vetbox.run.result_store import ResultStore, ResultStoreError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
        "try:\n"
        "    ResultStore(Path(sys.argv[1])).keep('x' * 100_000, tool='t')\n"
        "except ResultStoreError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "cannot be kept in .onetool/tmp: File too large." in done.stdout
    assert list((tmp_path / ".onetool/tmp").iterdir()) == []


GOOD = {"handle": "a" * 32, "total_lines": 1, "size_bytes": 4, "created_at": "", "tool": "t"}


def kept_by_another(root: Path, meta: object, text: bytes = b"text") -> ResultStore:
    """A store in which another process has kept a result of which `meta` is said."""
    folder = root / ".onetool/tmp"
    folder.mkdir(parents=True)
    name = f"result-{GOOD['handle']}"
    (folder / f"{name}.txt").write_bytes(text)
    data = meta if isinstance(meta, bytes) else json.dumps(meta).encode()
    (folder / f"{name}.meta.json").write_bytes(data)
    return ResultStore(root)


def now() -> str:
    return datetime.now(UTC).isoformat()


def test_what_another_process_has_kept_is_read(tmp_path: Path) -> None:
    store = kept_by_another(tmp_path, {**GOOD, "created_at": now()})
    assert store.page("a" * 32)["lines"] == ["text"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"handle": "b" * 32},
        {"handle": "../" * 10 + "aa"},
        {"size_bytes": 5},
        {"size_bytes": "4"},
        {"created_at": "9999-12-31T00:00:00+00:00"},
        {"created_at": "0001-01-01T00:00:00+00:00"},
        {"created_at": -1},
        {"created_at": float("nan")},
        {"created_at": "no time"},
    ],
)
def test_l021_to_l029_a_result_of_which_something_else_is_said_is_damaged(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    store = kept_by_another(tmp_path, {**GOOD, "created_at": now(), **wrong})
    other = store.keep("other", tool="t").handle
    with pytest.raises(ResultStoreError, match="is damaged: run it again"):
        store.page("a" * 32)
    assert store.page(other)["lines"] == ["other"]


@pytest.mark.parametrize("meta", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"x" * 200_000])
def test_l020_l028_a_meta_file_that_is_none_is_a_clean_error(tmp_path: Path, meta: bytes) -> None:
    store = kept_by_another(tmp_path, meta)
    with pytest.raises((ResultStoreError, FolderError), match=r"is damaged|is larger than"):
        store.page("a" * 32)


def test_l025_l030_no_meta_file_or_text_that_is_none_is_a_clean_error(tmp_path: Path) -> None:
    store = kept_by_another(tmp_path, {**GOOD, "created_at": now()}, b"\xff\xfe..")
    with pytest.raises(ResultStoreError, match="is damaged"):
        store.page("a" * 32)
    (tmp_path / f".onetool/tmp/result-{'a' * 32}.meta.json").unlink()
    with pytest.raises(ResultStoreError, match="There is no result"):
        store.page("a" * 32)
