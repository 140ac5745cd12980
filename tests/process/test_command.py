"""Commands end when told to, with everything they started, and say what they said."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.timing import within
from vetbox.process import Cancelled, Completed, Limits, run, supervisor, surroundings

LINUX = sys.platform == "linux"


def shell(script: str, *, timeout_s: float = 5, **options: object) -> Completed:
    with surroundings() as place:
        command = ["/bin/sh", "-c", script]
        return run(command, cwd=place.home, env=place.environment, timeout_s=timeout_s, **options)


def alive(pid_file: Path) -> bool:
    try:
        os.kill(int(pid_file.read_text()), 0)
    except ProcessLookupError:
        return False
    return True


def test_output_input_and_exit_code_come_through() -> None:
    done = shell("cat; echo problem >&2; exit 3", stdin=b"hello")
    assert done == Completed(3, b"hello", b"problem\n", timed_out=False, truncated=False)


def test_the_environment_is_an_allow_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("PYTHONPATH", ".")
    seen = shell("env").stdout.decode()
    assert "API_TOKEN" not in seen
    assert "PYTHONPATH" not in seen


def test_a_missing_program_is_an_os_error() -> None:
    with surroundings() as place, pytest.raises(FileNotFoundError):
        run(["/no/such/program"], cwd=place.home, env={}, timeout_s=5)


def test_output_beyond_the_cap_is_dropped_and_said() -> None:
    done = shell("head -c 300000 /dev/zero", limits=Limits(stdout_bytes=1000))
    assert len(done.stdout) == 1000
    assert done.truncated


def test_a_timeout_ends_the_command_and_keeps_its_output() -> None:
    def attempt() -> None:
        done = shell("echo first; sleep 60", timeout_s=0.5)
        assert done.timed_out
        assert done.stdout == b"first\n"

    assert within(3, attempt)


@pytest.mark.skipif(not LINUX, reason="needs a child subreaper")
@pytest.mark.parametrize("end", ["sleep 60", "kill -9 $PPID; sleep 60", "exit 0"])
def test_no_descendant_survives_not_even_a_daemon(end: str, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    shell(f"(setsid sh -c 'echo $$ > {pid_file}; exec sleep 60' &); sleep 0.3; {end}", timeout_s=3)
    assert not alive(pid_file)


HOPPER = """
import os, time
end = time.time() + 20
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        while time.time() < end:  # a successor, then the end: its pid is never known in time
            if os.fork():
                os._exit(0)
        os._exit(0)
time.sleep(60)
"""


@pytest.mark.skipif(not LINUX, reason="needs a child subreaper")
def test_processes_that_hop_from_pid_to_pid_are_caught() -> None:
    def attempt() -> None:
        with surroundings() as place:
            command = [sys.executable, "-I", "-c", HOPPER]
            run(command, cwd=place.home, env=place.environment, timeout_s=0.5)

    assert within(4, attempt)


def test_killing_its_parent_does_not_reach_us() -> None:
    done = shell("kill -9 $PPID; sleep 60")
    assert done.returncode == -9


def test_cancel_ends_the_command_within_a_second(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"

    def attempt() -> None:
        cancel = threading.Event()

        def ask() -> None:
            while not (pid_file.exists() and pid_file.read_text()):
                time.sleep(0.01)
            cancel.set()

        pid_file.unlink(missing_ok=True)
        threading.Thread(target=ask, daemon=True).start()
        with pytest.raises(Cancelled):
            shell(f"echo $$ > {pid_file}; exec sleep 60", timeout_s=60, cancel=cancel)
        assert not alive(pid_file)

    assert within(1, attempt)


def test_the_channel_is_apart_from_the_output() -> None:
    told: list[bytes] = []
    tell = "import os; os.write(int(os.environ['VETBOX_CHANNEL']), b'private\\n'); print('loud')"
    done = shell(f'{sys.executable} -I -c "{tell}"', channel=told.append)
    assert done.stdout == b"loud\n"
    assert told == [b"private\n"]


@pytest.mark.skipif(not LINUX, reason="macOS ignores the limit")
def test_memory_is_limited() -> None:
    with surroundings() as place:
        greedy = [sys.executable, "-I", "-c", "bytearray(500_000_000)"]
        limits = Limits(memory_bytes=200_000_000)
        done = run(greedy, cwd=place.home, env=place.environment, timeout_s=20, limits=limits)
    assert b"MemoryError" in done.stderr


def test_surroundings_leave_nothing_behind() -> None:
    with surroundings() as place:
        (place.home / "left").write_text("over")
    assert not place.folder.exists()


@pytest.mark.skipif(not supervisor.can_confine(), reason="needs Landlock, Linux 6.2 or newer")
def test_a_confined_command_and_what_it_starts_write_only_where_they_may(tmp_path: Path) -> None:
    allowed, forbidden = tmp_path / "allowed", tmp_path / "forbidden"
    for folder in (allowed, forbidden):
        folder.mkdir()
        (folder / "old").write_text("old")
    script = f"""
        cd {allowed} && echo new > new && mkdir deep && mv old deep/moved && ln -s /etc link
        (echo x > /dev/null) && cat {forbidden}/old
        for order in "echo x > {forbidden}/new" "echo x >> {forbidden}/old" "rm {forbidden}/old" \\
            "mv {forbidden}/old ." "mkdir {forbidden}/deep" "ln {forbidden}/old hard" \\
            "mkfifo {forbidden}/pipe" "truncate -s 0 {forbidden}/old"
        do /bin/sh -c "$order" 2> /dev/null && echo "$order"
        done
        true
    """
    limits = Limits(writable=(allowed, Path("/dev"), tmp_path / "missing"))
    done = shell(script, limits=limits)
    assert (done.returncode, done.stdout) == (0, b"old")
    assert (allowed / "deep" / "moved").read_text() == "old"
    assert [(file.name, file.read_text()) for file in forbidden.iterdir()] == [("old", "old")]
