"""The workspace: private, cleaned up, and its changes told without following a link."""

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from vetbox.sandbox import PythonSandbox, SandboxError
from vetbox.sandbox.workspace import FileDelta, delta, inventory, opened, remove_tree


def test_a_delta_tells_what_was_made_changed_and_removed(tmp_path: Path) -> None:
    for name in ("kept", "changed", "gone"):
        (tmp_path / name).write_text("1")
    before = inventory(tmp_path)
    (tmp_path / "changed").write_text("22")
    (tmp_path / "gone").unlink()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "made").touch()
    assert delta(before, inventory(tmp_path)) == FileDelta(
        ("folder/made",), ("changed",), ("gone",)
    )


def test_a_private_folder_goes_even_if_the_program_ends_while_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = os.mkdir

    def ended(*args: Any, **options: Any) -> None:
        make(*args, **options)
        raise SystemExit

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "mkdir", ended)
    with pytest.raises(SystemExit), opened(None):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_change_that_hides_in_the_times_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("1")
    status, before = file.stat(), inventory(tmp_path)
    file.write_text("2")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert delta(before, inventory(tmp_path)).modified == ("file",)


@pytest.mark.parametrize(
    "own", ["user_code.py", "site-packages/x.py", "__pycache__/x.pyc", "a/__pycache__/x.pyc"]
)
def test_what_the_sandbox_and_python_make_is_not_listed(tmp_path: Path, own: str) -> None:
    (tmp_path / own).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / own).touch()
    assert inventory(tmp_path) == {}


def test_a_name_like_one_of_those_elsewhere_is_listed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "user_code.py").touch()
    assert list(inventory(tmp_path)) == ["a/user_code.py"]


def test_links_are_listed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "out").symlink_to("/etc")
    assert sorted(inventory(tmp_path)) == ["loop", "out"]


def test_a_name_that_is_not_text_is_listed_escaped(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"a\xffb")).touch()
    assert delta({}, inventory(tmp_path)).created == ("a\\xffb",)


def test_a_tree_deeper_than_a_path_is_removed(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    here = os.open(deep, os.O_RDONLY)
    for _ in range(3_000):
        os.mkdir("d", dir_fd=here)
        there = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = there
    os.close(here)
    remove_tree(deep)
    assert list(tmp_path.iterdir()) == []


def test_removing_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "tree" / "link").symlink_to(tmp_path / "kept")
    remove_tree(tmp_path / "tree")
    assert (tmp_path / "kept" / "file").exists()


def test_a_private_workspace_is_gone_afterwards() -> None:
    with opened(None) as folder:
        (folder / "file").touch()
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()


def test_a_relative_workspace_is_where_the_caller_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    PythonSandbox().execute("pass")  # its worker has started somewhere else
    monkeypatch.chdir(tmp_path)
    result = PythonSandbox(workspace="work").execute("open('made', 'w')")
    assert (result.files_created, result.workspace_path) == (("made",), "work")
    assert (tmp_path / "work" / "made").exists()


def test_a_workspace_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SandboxError, match="is not a folder to work in"):
        PythonSandbox(workspace=tmp_path / "file").execute("pass")
