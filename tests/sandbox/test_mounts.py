"""Folders of the host that a program may read and nothing else."""

from pathlib import Path

import pytest

from vetbox.sandbox import ExecutionPolicy, PythonSandbox


def test_a_mount_is_read_only_and_where_it_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("42")
    policy = ExecutionPolicy(mounts=[{"host": str(tmp_path), "guest": "/srv/data"}])
    code = "print(open('/srv/data/data.txt').read())\nopen('/srv/data/new', 'w')"
    result = PythonSandbox(policy).execute(code)
    assert result.stdout == "42\n"
    assert "Operation not permitted: '/srv/data/new'" in result.stderr


def test_a_mount_may_lie_in_the_workspace_or_in_another(tmp_path: Path) -> None:
    for name in ("outer", "inner"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f").write_text(name)
    places = {"/app/data": "outer", "/srv": "outer", "/srv/inner": "inner"}
    mounts = [{"host": str(tmp_path / host), "guest": guest} for guest, host in places.items()]
    code = f"open('/app/own', 'w')\nfor place in {[*places]}: print(open(place + '/f').read())"
    result = PythonSandbox(ExecutionPolicy(mounts=mounts)).execute(code)
    assert (result.stdout, list(result.files_created)) == ("outer\nouter\ninner\n", ["own"])


@pytest.mark.parametrize(
    "trick",
    [
        "os.link('/data/f', '/app/l'); open('/app/l', 'w').write('changed')",
        "os.rename('/data/f', '/app/f')",
        "os.replace('/app/own', '/data/f')",
        "os.symlink('x', '/data/l')",
        "os.mkdir('/data/d')",
        "os.remove('/data/f')",
        "os.truncate('/data/f', 0)",
        "os.utime('/data/f', (0, 0))",
        "os.chmod('/data/f', 0)",
        "os.ftruncate(os.open('/data/f', os.O_RDONLY), 0)",
        "os.open('/data/f', os.O_RDONLY | os.O_TRUNC)",
        "open('/data/f', 'r+').write('x')",
        "os.open('/data/../app/../data/f', os.O_WRONLY)",
    ],
)
def test_a_mount_cannot_be_changed_in_any_way(tmp_path: Path, trick: str) -> None:
    file = tmp_path / "f"
    file.write_text("kept")
    before = file.stat()
    policy = ExecutionPolicy(mounts=[{"host": str(tmp_path), "guest": "/data"}])
    PythonSandbox(policy).execute(f"import os; open('/app/own', 'w').close(); {trick}")
    after = file.stat()
    assert (file.read_text(), list(tmp_path.iterdir())) == ("kept", [file])
    assert (after.st_mtime_ns, after.st_mode) == (before.st_mtime_ns, before.st_mode)


def test_links_do_not_lead_out_of_a_mount(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret")
    (tmp_path / "shown").mkdir()
    (tmp_path / "shown" / "up").symlink_to("../secret")
    (tmp_path / "shown" / "far").symlink_to(tmp_path / "secret")
    policy = ExecutionPolicy(mounts=[{"host": str(tmp_path / "shown"), "guest": "/data"}])
    for name in ("up", "far", "../secret", "up/", "far/."):
        result = PythonSandbox(policy).execute(f"print(open('/data/{name}').read())")
        assert (result.success, result.stdout) == (False, "")
