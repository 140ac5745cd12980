"""A folder inside a project: whole writes, and never through a link."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from vetbox.files.folders import Folder, FolderError


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "file").write_text("outside")
    return folder


def test_what_is_made_is_the_users_alone(tmp_path: Path) -> None:
    with Folder.open(tmp_path, ".onetool", "tmp", create=True) as folder:
        folder.replace("a", b"1")
        folder.append("b", b"2")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes == {".onetool": 0o700, "tmp": 0o700, "a": 0o600, "b": 0o600}


def test_a_missing_folder_or_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Folder.open(tmp_path, ".onetool")
    with Folder.open(tmp_path) as folder, pytest.raises(FileNotFoundError):
        folder.read("a", max_bytes=1)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder nobody can write")
def test_a_folder_that_cannot_be_made_is_named() -> None:
    with pytest.raises(FolderError, match=r"^\.onetool/ cannot be made in this project: "):
        Folder.open(Path("/proc"), ".onetool", create=True)


@pytest.mark.parametrize("name", [".onetool", ".onetool/tmp"])
def test_a_linked_folder_is_refused(tmp_path: Path, outside: Path, name: str) -> None:
    root = tmp_path / "project"
    (root / name).parent.mkdir(parents=True)
    (root / name).symlink_to(outside)
    with pytest.raises(FolderError):
        Folder.open(root, ".onetool", "tmp", create=True)


def test_a_linked_file_is_neither_read_nor_appended_to(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "a").symlink_to(outside / "file")
    with Folder.open(tmp_path) as folder:
        with pytest.raises(FolderError):
            folder.read("a", max_bytes=100)
        with pytest.raises(FolderError):
            folder.append("a", b"x")
        folder.replace("a", b"mine")
    assert (outside / "file").read_text() == "outside"
    assert (tmp_path / "a").read_text() == "mine"


def test_a_fifo_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    with Folder.open(tmp_path) as folder:
        for act in (lambda: folder.read("a", max_bytes=1), lambda: folder.append("a", b"1")):
            with pytest.raises(FolderError):
                act()


def test_a_file_of_the_folder_itself_is_named_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    with (
        Folder.open(tmp_path) as folder,
        pytest.raises(FolderError, match=f"^{tmp_path}/f is not a regular file"),
    ):
        folder.read("f", max_bytes=10)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"123")
    with Folder.open(tmp_path) as folder:
        assert folder.read("a", max_bytes=3) == b"123"
        with pytest.raises(FolderError, match="larger than 2 bytes"):
            folder.read("a", max_bytes=2)


def test_a_write_that_fails_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    with Folder.open(tmp_path) as folder:
        folder.replace("a", b"old")
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            folder.replace("a", b"new")
        assert folder.names() == ["a"]
        assert folder.read("a", max_bytes=10) == b"old"


@given(data=some.binary(max_size=200))
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    with Folder.open(tmp_path_factory.getbasetemp(), "law", create=True) as folder:
        folder.replace("a", data)
        assert folder.read("a", max_bytes=200) == data
