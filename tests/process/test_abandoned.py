"""What a killed process left behind goes with the next one; what is in use, or another's, stays."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from vetbox.process import surroundings
from vetbox.process.abandoned import IN_USE, SETTLED_S, remove_abandoned

OWNER = """
import sys, tempfile
from vetbox.process import surroundings
tempfile.tempdir = sys.argv[1]
with surroundings() as place:
    print(place.folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def aged(folder: Path) -> Path:
    long_ago = time.time() - 2 * SETTLED_S
    os.utime(folder, (long_ago, long_ago))
    return folder


def owner(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    command = [sys.executable, "-c", OWNER, str(parent)]
    process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_owner_left_goes_with_the_next_surroundings(parent: Path) -> None:
    process, folder = owner(parent)
    with process:
        process.send_signal(signal.SIGKILL)
    assert folder.is_dir()
    aged(folder)
    with surroundings() as place:
        assert list(parent.iterdir()) == [place.folder]


def test_what_is_in_use_stays_however_old(parent: Path) -> None:
    process, folder = owner(parent)
    with process:
        aged(folder)
        with surroundings():
            assert folder.is_dir()
        process.communicate("")
    assert not folder.exists()


def test_what_was_just_made_may_be_about_to_be_held(parent: Path) -> None:
    (parent / "vetbox-new").mkdir()
    (parent / "vetbox-new" / IN_USE).touch()
    remove_abandoned(parent, "vetbox-")
    assert (parent / "vetbox-new").is_dir()


def test_a_folder_that_vetbox_did_not_make_stays_whatever_its_name(parent: Path) -> None:
    mine = parent / "vetbox-checkout"
    mine.mkdir()
    (mine / "work.py").touch()
    aged(mine)
    remove_abandoned(parent, "vetbox-")
    assert (mine / "work.py").is_file()


def test_a_link_is_not_followed(parent: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / IN_USE).touch()
    link = parent / "vetbox-link"
    link.symlink_to(aged(elsewhere), target_is_directory=True)
    long_ago = elsewhere.stat().st_mtime
    os.utime(link, (long_ago, long_ago), follow_symlinks=False)
    remove_abandoned(parent, "vetbox-")
    assert (elsewhere / IN_USE).is_file()


def test_a_parent_that_cannot_be_read_is_left_as_it_is(parent: Path) -> None:
    remove_abandoned(parent / "missing", "vetbox-")


def test_without_locks_nothing_is_removed(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with surroundings() as first:
        aged(first.folder)
        with surroundings() as second:
            assert first.folder.is_dir()
            assert second.home.is_dir()
