import os
import socket
import threading
import time
from pathlib import Path

import pytest

from vetbox.findings import FailureKind
from vetbox.staging import StagedFiles, opening, stage


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("eval(input())\n")
    (tmp_path / "secret.py").write_text("KEY = 'CANARY'\n")
    return root


def staged(project: Path, *targets: str) -> StagedFiles:
    folder = project.parent / "copies"
    folder.mkdir()
    return stage(project, targets or (".",), folder)


def paths(files: StagedFiles) -> list[str]:
    return [file.path for file in files.files]


def test_a_copy_stands_for_its_file(project: Path) -> None:
    files = staged(project)
    assert files.files[0].copy.name == "f000000.py"
    assert files.files[0].path == "src/a.py"
    assert files.files[0].data() == b"eval(input())\n"


@pytest.mark.parametrize(
    "name", ["-a.py", "@a.py", "a b.py", "$(id).py", "*.py", "日本.py", "a\nb.py"]
)
def test_odd_names_are_names(project: Path, name: str) -> None:
    (project / "src" / name).write_text("x = 1\n")
    assert f"src/{name}" in paths(staged(project, "src"))


def test_each_file_once_however_often_it_is_named(project: Path) -> None:
    assert paths(staged(project, "src", "./src/", "src/a.py", ".")) == ["src/a.py"]


def test_links_are_listed_and_not_followed(project: Path) -> None:
    (project / "src" / "out.py").symlink_to("../../secret.py")
    (project / "src" / "up").symlink_to("..")
    files = staged(project)
    assert paths(files) == ["src/a.py"]
    assert [skipped.path for skipped in files.skipped] == ["src/out.py", "src/up"]


def test_pipes_and_sockets_are_listed_and_hold_nobody_up(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(project / "src" / "p.py")
    monkeypatch.chdir(project / "src")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.py")
        files = staged(project)
    assert {skipped.path for skipped in files.skipped} == {"src/p.py", "src/s.py"}


def test_default_folders_are_skipped_with_a_count(project: Path) -> None:
    (project / "node_modules" / "deep").mkdir(parents=True)
    (project / "node_modules" / "deep" / "x.py").write_text("")
    (skipped,) = staged(project).skipped
    assert (skipped.path, skipped.reason, skipped.count) == (
        "node_modules",
        "excluded by default",
        1,
    )


def test_a_folder_cannot_declare_itself_excluded(project: Path) -> None:
    (project / "src" / "pyvenv.cfg").write_text("")
    (project / ".gitignore").write_text("*.py\n")
    assert paths(staged(project)) == ["src/a.py"]


def test_a_named_target_is_analysed_even_in_an_excluded_folder(project: Path) -> None:
    (project / ".venv").mkdir()
    (project / ".venv" / "x.py").write_text("")
    assert paths(staged(project, ".venv/x.py")) == [".venv/x.py"]


def test_a_file_over_the_limit_is_a_failure_not_silence(project: Path) -> None:
    (project / "src" / "big.py").write_bytes(b"#" * 1_000_001)
    (failure,) = staged(project).failures
    assert (failure.path, failure.kind) == ("src/big.py", FailureKind.TOO_LARGE)


def test_too_many_files_are_one_failure_that_counts_them(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vetbox.staging.MAX_FILES", 2)
    for number in range(5):
        (project / "src" / f"m{number}.py").write_text("")
    files = staged(project)
    assert paths(files) == ["src/a.py", "src/m0.py"]
    assert [(failure.path, failure.kind) for failure in files.failures] == [
        ("src/m1.py", FailureKind.TOO_LARGE)
    ]
    assert files.failures[0].message.startswith("4 files from here on")


def test_a_target_that_leads_out_is_a_failure(project: Path) -> None:
    (project / "link.py").symlink_to("../secret.py")
    files = staged(project, "link.py", "../secret.py")
    assert files.files == ()
    assert {failure.kind for failure in files.failures} == {FailureKind.UNREADABLE}


def test_a_name_that_is_not_text_is_reported_as_text(project: Path) -> None:
    (Path(os.fsdecode(os.fsencode(project) + b"/src/\xff.py"))).write_text("")
    assert "src/\\xff.py" in paths(staged(project))


@pytest.mark.parametrize("kernel", [True, False])
def test_a_race_on_the_parent_folder_leaks_nothing(
    project: Path, kernel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "has_openat2", lambda: kernel)
    (project / "sub").mkdir()
    (project / "sub" / "secret.py").write_text("x = 1\n")
    stop = threading.Event()
    racer = threading.Thread(target=flip, args=(project / "sub", stop))
    racer.start()
    try:
        for attempt in range(150):
            folder = project.parent / f"copies{attempt}"
            folder.mkdir()
            for file in stage(project, ["sub/secret.py", "sub"], folder).files:
                assert b"CANARY" not in file.data()
    finally:
        stop.set()
        racer.join()


def flip(folder: Path, stop: threading.Event) -> None:
    """Replace a folder by a link out of the project and back, again and again."""
    aside, link = folder.with_name("aside"), folder.with_name("link")
    while not stop.is_set():
        link.symlink_to("..")
        folder.rename(aside)
        link.rename(folder)
        time.sleep(0.0004)
        folder.unlink()
        aside.rename(folder)


def test_the_fallback_opens_what_the_kernel_opens(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "has_openat2", lambda: False)
    assert paths(staged(project, "src/a.py")) == ["src/a.py"]
