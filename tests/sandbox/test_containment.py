"""What hostile programs try, each in a fresh box; the name says what must hold."""

import os
import tempfile
import threading
import time
from pathlib import Path

import pytest

from vetbox.sandbox import ExecutionPolicy, Limit, PythonSandbox, SandboxResult

FAR_LESS_THAN_ASKED_S = 60  # what asks to wait, asks for an hour or for ever


def run(code: str, workspace: Path | None = None, **limits: object) -> SandboxResult:
    limits = {"timeout_seconds": 100, **limits}
    return PythonSandbox(ExecutionPolicy(**limits), workspace).execute(code)


def test_a_relative_link_out_of_the_workspace_leads_nowhere(tmp_path: Path) -> None:
    result = run("import os; os.symlink('../../../../etc/passwd', 'l'); print(open('l').read())")
    assert (result.success, result.stdout) == (False, "")


def test_an_absolute_link_cannot_be_made() -> None:
    assert "PermissionError" in run("import os; os.symlink('/etc/passwd', 'l')").stderr


def test_a_link_the_host_made_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret")
    workspace = tmp_path / "work"
    workspace.mkdir()
    (workspace / "link").symlink_to("../secret")
    result = run("print(open('link').read())", workspace)
    assert (result.success, result.stdout) == (False, "")


def test_the_host_lists_a_link_and_does_not_follow_it(tmp_path: Path) -> None:
    result = run("import os; os.symlink('../../etc', 'l')", tmp_path)
    assert result.files_created == ("l",)


def test_a_hard_link_counts_as_a_file() -> None:
    code = "import os; open('a', 'w'); [os.link('a', f'b{i}') for i in range(9)]"
    result = run(code, max_files=5)
    assert "No space left on device: 'a' -> 'b4'" in result.stderr


def test_the_file_quota_is_exact(tmp_path: Path) -> None:
    code = "import os\nfor i in range(99):\n  open(f'{i}', 'w').close(); os.mkdir(f'd{i}')"
    result = run(code, tmp_path, max_files=11)
    assert "OSError: [Errno 51] No space left on device" in result.stderr
    assert len(os.listdir(tmp_path)) == 11


def test_reopening_a_file_costs_no_quota() -> None:
    assert run("for _ in range(50): open('a', 'a').write('x')", max_files=1).success


def test_a_removed_file_may_be_made_again() -> None:
    code = "import os\nfor _ in range(50): open('a', 'w').close(); os.remove('a')"
    assert run(code, max_files=1).success


def test_the_byte_quota_is_exact(tmp_path: Path) -> None:
    code = "f = open('a', 'wb', buffering=0)\nwhile True: f.write(b'x' * 1000)"
    result = run(code, tmp_path, max_disk_bytes=12_345)
    assert "No space left on device" in result.stderr
    assert (tmp_path / "a").stat().st_size == 12_000


@pytest.mark.parametrize(
    "write",
    [
        "os.pwrite(fd, b'x' * 100_000, 0)",
        "os.ftruncate(fd, 100_000)",
        "os.posix_fallocate(fd, 0, 100_000)",
        "os.writev(fd, [b'x' * 60_000, b'x' * 60_000])",
        "os.lseek(fd, 1 << 40, 0); os.write(fd, b'x')",
    ],
)
def test_no_way_of_writing_escapes_the_byte_quota(tmp_path: Path, write: str) -> None:
    code = f"import os; fd = os.open('a', os.O_CREAT | os.O_RDWR); {write}"
    result = run(code, tmp_path, max_disk_bytes=50_000)
    assert result.success is False
    assert (tmp_path / "a").stat().st_size == 0


def test_a_file_that_takes_the_number_of_stdout_is_not_written_for_free(tmp_path: Path) -> None:
    code = "import os; os.close(1); os.close(2); print(open('a', 'w').fileno() > 2)"
    assert run(code, tmp_path).stdout == "True\n"


def test_open_files_are_limited() -> None:
    result = run("open('a', 'w').close(); kept = [open('a') for _ in range(10_000)]")
    assert "Too many open files" in result.stderr or "No file descriptors" in result.stderr


@pytest.mark.parametrize("text", ["print('x' * 65_536)", "import os; os.write(1, b'x' * 65_536)"])
def test_a_flood_of_output_is_stopped(text: str) -> None:
    result = run(f"while True: {text}", stdout_max_bytes=1_000_000)
    assert result.limit is Limit.OUTPUT
    assert len(result.stdout) == 1_000_000


def test_swallowing_errors_does_not_outlive_a_flood() -> None:
    code = "while True:\n  try: print('x' * 65_536)\n  except BaseException: pass"
    assert run(code).limit is Limit.OUTPUT


@pytest.mark.parametrize(
    "wait",
    [
        "import time; time.sleep(3600)",
        "import time\nwhile True: time.sleep(0.01)",
        "import select; select.select([], [], [], 3600)",
        "import select; p = select.poll(); p.poll(3_600_000)",
        "while True: pass",
        "import atexit; atexit.register(lambda: [0 for _ in iter(int, 1)])",
        "class A:\n  def __del__(s):\n    while True: pass\nA()",
        "try:\n  while True: pass\nfinally:\n  while True: pass",
    ],
)
def test_the_wall_clock_ends_every_wait(wait: str) -> None:
    started = time.monotonic()
    result = run(wait, timeout_seconds=0.5)
    assert (result.limit, result.success) == (Limit.TIME, False)
    assert time.monotonic() - started < FAR_LESS_THAN_ASKED_S


@pytest.mark.parametrize(
    "bomb",
    [
        "bytearray(1 << 40)",
        "[0] * 10**10",
        "x = []\nwhile True: x.append(bytearray(1_000_000))",
        "x = 'a'\nwhile True: x += x",
        "'%10000000000d' % 1",
    ],
)
def test_a_memory_bomb_is_the_programs_own_error(bomb: str) -> None:
    result = run(bomb, memory_bytes=64_000_000)
    assert (result.success, result.exit_code) == (False, 1)
    assert result.memory_used_bytes <= 64_000_000


def test_leaving_by_the_back_door_is_an_error_even_with_code_0() -> None:
    result = run("import os; print('x', flush=True); os._exit(0)")
    assert (result.success, result.exit_code, result.stdout) == (False, None, "x\n")
    assert result.error == "The program left the interpreter at once, with exit code 0."


@pytest.mark.parametrize(
    ("leave", "code"),
    [("exit()", 0), ("raise SystemExit(3)", 3), ("import sys; sys.exit(True)", 1),
     ("raise SystemExit(-1)", 255), ("raise SystemExit('bye')", 1), ("raise SystemExit(None)", 0)],
)  # fmt: skip
def test_the_exit_code_is_the_programs(leave: str, code: int) -> None:
    result = run(leave)
    assert (result.exit_code, result.success) == (code, code == 0)


@pytest.mark.parametrize("leave", ["os._exit(200)", "os.abort()", "os._exit(3)"])
def test_a_crash_is_an_error_and_the_next_run_works(leave: str) -> None:
    assert run(f"import os; {leave}").success is False
    assert run("print(1)").stdout == "1\n"


def test_overflowing_the_c_stack_is_an_error() -> None:
    code = (
        "import sys; sys.setrecursionlimit(10**6)\n"
        "class A:\n  def __getattr__(s, n): return getattr(s, n + 'a')\nA().x"
    )
    result = run(code)
    assert (result.success, result.exit_code) == (False, None)


def test_the_environment_is_empty() -> None:
    assert run("import os; print(dict(os.environ))").stdout == "{}\n"


def test_the_environment_is_what_the_policy_says() -> None:
    assert run("import os; print(dict(os.environ))", env={"A": "b"}).stdout == "{'A': 'b'}\n"


@pytest.mark.parametrize(
    "code",
    ["os.system('id')", "os.fork()", "subprocess.run(['id'])", "threading.Thread().start()",
     "socket.create_connection(('127.0.0.1', 22))", "socket.gethostbyname('localhost')",
     "os.kill(1, 9)", "ctypes.CDLL(None)"],
)  # fmt: skip
def test_there_are_no_processes_threads_or_sockets(code: str) -> None:
    module = code.partition(".")[0]
    assert run(f"import {module}; {code}").success is False


def test_nothing_is_left_for_the_next_run() -> None:
    run("import builtins, sys; builtins.leak = 1; sys.modules['json'] = None; open('f', 'w')")
    result = run("import builtins, json, os; print(hasattr(builtins, 'leak'), os.listdir('/app'))")
    assert result.stdout == "False []\n"


def test_randomness_differs_from_run_to_run() -> None:
    code = (
        "import random, os, uuid, secrets, tempfile; print(random.random(), os.urandom(4).hex(), "
    )
    code += "uuid.uuid4(), secrets.token_hex(4), random.Random().random(), tempfile.mktemp())"
    runs = [run(code).stdout.split() for _ in range(2)]
    assert [one for one, other in zip(*runs, strict=True) if one == other] == []


def test_the_clock_is_the_hosts() -> None:
    now = float(run("import time; print(time.time())").stdout)
    assert abs(now - time.time()) < 5


def test_names_that_would_harm_a_terminal_are_listed_as_they_are() -> None:
    code = "for n in ('-rf', 'a\\nb', '\\x1b[2J', '..x', 'a' * 255): open(n, 'w')"
    assert run(code).files_created == ("\x1b[2J", "-rf", "..x", "a\nb", "a" * 255)


def test_a_deep_tree_is_cleaned_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = "import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')"
    run(code, max_files=5_000)
    assert list(tmp_path.iterdir()) == []


def test_tampering_with_the_interpreter_does_not_hide_the_end() -> None:
    for code in (
        "import sys; sys.stdout = sys.stderr = None",
        "import sys; sys.stdout.close(); sys.stderr.close()",
        "import json; json.dumps = json.loads = None",
        "import builtins; builtins.print = builtins.open = None",
        "import sys; sys.modules.clear()",
        "import atexit; atexit._run_exitfuncs = None",
    ):
        assert (run(code).exit_code, code) == (0, code)


def test_an_exception_that_refuses_to_be_shown_is_still_an_error() -> None:
    code = "class E(Exception):\n  def __str__(s): raise s\n  __traceback__ = 5\nraise E"
    result = run(code)
    assert (result.success, result.exit_code) == (False, 1)
    assert "E" in result.stderr


def test_objects_are_deleted_at_the_end() -> None:
    assert run("class A:\n  def __del__(s): print('deleted')\na = A()").stdout == "deleted\n"


def test_cancelling_ends_a_run() -> None:
    code = "import _vetbox_bridge as b\ntry: b.call('cancel', [], {})\nfinally:\n  while True: pass"
    for in_process in (True, False):
        cancel = threading.Event()
        sandbox = PythonSandbox(tools={"cancel": cancel.set}, in_process=in_process)
        result = sandbox.execute(code, cancel=cancel)
        assert (result.limit, result.success) == (Limit.CANCELLED, False)


def test_a_fifo_in_the_workspace_cannot_hold_the_host(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    started = time.monotonic()
    result = run("print(open('fifo').read())", tmp_path, timeout_seconds=1)
    assert time.monotonic() - started < FAR_LESS_THAN_ASKED_S
    assert run("print(1)").stdout == "1\n", result
