"""Worker processes: killed and replaced; a death is one failed run."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S
from vetbox.sandbox import ExecutionPolicy, Limit, PythonSandbox, SandboxError, images
from vetbox.sandbox.box import WORKERS
from vetbox.sandbox.cache import locked
from vetbox.sandbox.guest_package import GuestPackage
from vetbox.sandbox.image import FromScratch, Image, Snapshotted
from vetbox.sandbox.worker import StandIn


def children() -> set[int]:
    tasks = Path("/proc/self/task").iterdir()
    found = [(task / "children").read_text().split() for task in tasks]
    return {int(pid) for pids in found for pid in pids}


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_the_death_of_a_worker_is_one_failed_run_and_the_next_works() -> None:
    before = children()
    policy = ExecutionPolicy(memory_bytes=500_000_000)  # a pool of its own

    def kill() -> None:
        for pid in children() - before:
            os.kill(pid, signal.SIGKILL)

    sandbox = PythonSandbox(policy, tools={"kill": kill})
    sandbox.prepare()
    result = sandbox.execute("import _vetbox_bridge as b; b.call('kill', [], {}); print('alive')")
    assert (result.success, result.stdout) == (False, "")
    assert "The worker died: signal SIGKILL" in str(result.error)
    assert sandbox.execute("print('again')").stdout == "again\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_warming_starts_the_workers() -> None:
    before = children()
    sandbox = PythonSandbox(ExecutionPolicy(memory_bytes=2_000_000_000))
    sandbox.warm()
    assert len(children() - before) == WORKERS


def test_many_runs_at_once_are_all_answered() -> None:
    sandbox = PythonSandbox()
    with ThreadPoolExecutor(64) as pool:
        results = list(pool.map(lambda n: sandbox.execute(f"print({n})").stdout, range(64)))
    assert results == [f"{n}\n" for n in range(64)]


def test_a_slow_run_does_not_hold_up_a_quick_one() -> None:
    asked, answered = threading.Event(), threading.Event()

    def answer() -> None:
        asked.set()
        answered.wait(PATIENCE_S)

    sandbox = PythonSandbox(ExecutionPolicy(timeout_seconds=2 * PATIENCE_S), tools={"f": answer})
    code = "import _vetbox_bridge as b; b.call('f', [], {}); print('slow')"
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(sandbox.execute, code)
        assert asked.wait(PATIENCE_S)
        assert sandbox.execute("print(1)").stdout == "1\n"
        answered.set()
        assert slow.result().stdout == "slow\n"


@pytest.mark.parametrize("in_process", [True, False])
def test_runs_in_threads_do_not_mix(in_process: bool) -> None:
    sandbox = PythonSandbox(tools={"echo": lambda x: x}, in_process=in_process)
    code = "import _vetbox_bridge as b\nfor _ in range(20): print(b.call('echo', ['{}'], {{}}))"
    names = [f"run-{n}" for n in range(12)]
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda name: sandbox.execute(code.format(name)).stdout, names))
    assert results == [f"{name}\n" * 20 for name in names]


def test_output_of_any_size_arrives_whole() -> None:
    policy = ExecutionPolicy(stdout_max_bytes=20_000_000, stderr_max_bytes=20_000_000)
    code = "import sys; print('\\x01' * 15_000_000); print('b' * 3_000_000, file=sys.stderr)"
    result = PythonSandbox(policy).execute(code)
    assert (result.stdout, result.stderr) == ("\x01" * 15_000_000 + "\n", "b" * 3_000_000 + "\n")


def test_cancelling_before_the_start_ends_at_once() -> None:
    cancel = threading.Event()
    cancel.set()
    for in_process in (True, False):
        result = PythonSandbox(in_process=in_process).execute("while True: pass", cancel=cancel)
        assert result.limit is Limit.CANCELLED


def test_a_mount_that_is_not_there_is_a_clear_error() -> None:
    policy = ExecutionPolicy(mounts=[{"host": "/nowhere/at/all", "guest": "/data"}])
    with pytest.raises(SandboxError, match="no folder /nowhere/at/all to mount at /data"):
        PythonSandbox(policy).execute("pass")


@pytest.mark.parametrize("start", [Snapshotted(5, (1, 2)), FromScratch("pass")])
def test_an_image_is_read_as_it_was_written(start: Snapshotted | FromScratch) -> None:
    image = Image(Path("/x/image.cwasm"), start, "ab" * 32, None)
    assert Image.from_json(Path("/x"), image.to_json()) == image


def test_who_needs_an_image_that_is_being_built_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    guest = GuestPackage({"other": "x = 1"})
    folder = images.cache_folder("images") / images._key("0" * 64, guest)
    found: list[Image] = []
    waiting = threading.Thread(
        target=lambda: found.append(images.image_of("0" * 64, guest, Path, print))
    )
    with locked(folder.with_suffix(".lock")):
        waiting.start()
        time.sleep(0.2)
        assert found == []
        image = Image(folder / "image.cwasm", FromScratch("pass"), "0" * 64, None)
        folder.mkdir()
        (folder / "image.cwasm").touch()
        (folder / "image.json").write_text(json.dumps(image.to_json()))
    waiting.join(PATIENCE_S)
    assert found == [image]


def test_images_that_were_not_used_for_long_are_removed(tmp_path: Path) -> None:
    for name, days in (("old", 31), ("used", 29)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "image.cwasm").touch()
        os.utime(tmp_path / name, (0, time.time() - days * 86_400))
    images._remove_unused(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["used"]


def test_importing_the_package_loads_no_webassembly() -> None:
    code = "import sys, vetbox.sandbox; print('wasmtime' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code]) == b"False\n"


CLOCKS = """
import os, time
from time import process_time
first, early = process_time(), time.process_time_ns()
sum(range(300_000))
spent = process_time() - first
print(0 <= first < 5, 0 < spent < 5, 0 < time.process_time_ns() - early < 5_000_000_000)
print(0 < os.times().user < 5)
"""


@pytest.mark.parametrize("in_process", [False, True])
def test_processor_time_is_counted_from_the_beginning(in_process: bool) -> None:
    result = PythonSandbox(in_process=in_process).execute(CLOCKS)
    assert (result.stdout, result.stderr) == ("True True True\nTrue\n", "")


def test_what_traces_a_program_ends_with_it() -> None:
    code = (
        "import sys\ndef follow(*_): return follow\nsys.settrace(follow); sys.setprofile(follow)\n"
    )
    result = PythonSandbox().execute(code + "class Last:\n def __del__(self): print(1)\nx = Last()")
    assert (result.stdout, result.stderr) == ("1\n", "")


# What a rehearsal might leave behind for the program.
TRACES = """
import __main__, atexit, linecache, os, random, sys
print(sys.path, sys.argv, sorted(linecache.cache), sorted(vars(__main__)), dict(os.environ))
print(sys.modules['__main__'] is __main__, os.listdir('/app'), atexit._ncallbacks())
"""


def test_a_rehearsal_leaves_no_trace() -> None:
    in_worker, in_process = PythonSandbox(), PythonSandbox(in_process=True)  # rehearsed or not
    assert in_worker.execute(TRACES).stdout == in_process.execute(TRACES).stdout


def test_no_run_gets_the_instance_of_another() -> None:
    sandbox = PythonSandbox()
    code = "import json, random; print(hasattr(json, 'mine'), random.random()); json.mine = 1"
    printed = {sandbox.execute(code).stdout for _ in range(10)}
    assert len(printed) == 10
    assert all(one.startswith("False ") for one in printed)


def test_a_rehearsed_instance_still_has_to_fit_the_memory_of_its_run() -> None:
    result = PythonSandbox(ExecutionPolicy(memory_bytes=20_000_000), guest=RESERVE).execute("pass")
    assert "No instance of the interpreter could be made: it takes" in str(result.error)


RESERVE = GuestPackage({"reserve": "kept = bytearray(b'x') * 8_000_000"})


class Exhausted:
    """A host that can make no instance."""

    def instance(self) -> None:
        raise SandboxError("No instance of the interpreter could be made: nothing is left.")


def test_what_cannot_be_made_in_advance_is_said_by_the_run_that_needs_it() -> None:
    stand_in = StandIn(Exhausted())  # type: ignore[arg-type]
    stand_in.renew()
    with pytest.raises(SandboxError, match="nothing is left"):
        stand_in.run(None, str)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "code",
    [
        "x = None\nwhile True: x = [x] * 10",
        "kept = {}\nwhile True: kept[len(kept)] = str(len(kept)) * 100",
        "def f():\n    kept = []\n    while True: kept.append([None] * 100)\nf()",
    ],
)
@pytest.mark.parametrize("memory", [20_000_000, 33_333_333])
def test_a_memory_full_of_small_things_leaves_room_to_say_so(code: str, memory: int) -> None:
    result = PythonSandbox(ExecutionPolicy(memory_bytes=memory)).execute(code)
    assert (result.exit_code, result.error) == (1, None)
    assert result.stderr.endswith("MemoryError\n")
    assert "vetbox" not in result.stderr
