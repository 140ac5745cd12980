"""A command that is told to end leaves nothing behind of the programs it runs."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import descendants
from tests.waiting import until

ENDLESS = "while True: pass"
STARTED_S = 60.0


@pytest.mark.parametrize("cache", ["", "fresh"], ids=["prepared", "preparing"])
@pytest.mark.parametrize("command", ["run", "sandbox"])
def test_no_folder_is_left_of_a_program_that_was_ended(
    command: str, cache: str, tmp_path: Path
) -> None:
    program, scratch = tmp_path / "endless.py", tmp_path / "scratch"
    program.write_text(ENDLESS)
    scratch.mkdir()
    new = {"XDG_CACHE_HOME": str(tmp_path / cache)} if cache else {}
    running = subprocess.Popen(
        [sys.executable, "-m", "vetbox", command, str(program)],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(scratch), **new},
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + STARTED_S
    # A folder: before that, tempfile tries for a moment whether it can write a file there.
    while not any(path.is_dir() for path in scratch.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    running.send_signal(signal.SIGTERM)
    assert running.wait(STARTED_S) == 128 + signal.SIGTERM
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_a_gate_that_is_killed_leaves_no_process_behind() -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "vetbox", "rules", "test", "--jobs", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: len(descendants(running.pid)) >= 2)
    workers = descendants(running.pid)
    time.sleep(0.5)  # until they have asked to end with it
    running.kill()
    running.wait()
    until(lambda: not any(map(is_running, workers)))


def is_running(pid: int) -> bool:
    """Whether there is such a process that is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


ENDED_WHILE_OTHERS_LOOK = """
import os, signal, tempfile
from vetbox.static_analysis import opinions

def end(*_, **options):
    with tempfile.TemporaryDirectory():
        os.kill(os.getpid(), signal.SIGTERM)

opinions.with_opinions = end
from vetbox.__main__ import main
main()
"""


def test_no_copy_is_left_of_files_that_other_tools_were_shown(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (tmp_path / "app.py").write_text("x = 1\n")
    done = subprocess.run(
        [sys.executable, "-c", ENDED_WHILE_OTHERS_LOOK, "check", "--tools", "ruff", "app.py"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(scratch)},
        check=False,
        timeout=STARTED_S,
    )
    assert done.returncode == 128 + signal.SIGTERM
    assert list(scratch.iterdir()) == []
