"""The pool keeps its promises against children that hang, crash, grow, chatter and breed."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.timing import within
from tests.waiting import until
from vetbox.workers import (
    JSON,
    WorkerCancelled,
    WorkerDied,
    WorkerFailed,
    WorkerPool,
    WorkerTimeout,
)

HERE = Path(__file__).parent
MEMORY_BYTES = 400_000_000


def pool_of(factory: str, *, size: int = 1, config: JSON = None) -> WorkerPool:
    return WorkerPool(
        f"entries:{factory}",
        size=size,
        memory_bytes=MEMORY_BYTES,
        config=config,
        import_from=[HERE],
    )


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with pool_of("acts") as pool:
        yield pool


def exists(pid: JSON) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone_soon(pid: JSON) -> bool:
    deadline = time.monotonic() + 30
    while exists(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not exists(pid)


def zombies() -> int:
    """Children of this process that nobody reaped; only Linux can tell."""
    stats = (_stat(path) for path in Path("/proc").glob("[0-9]*/stat"))
    return sum(state == "Z" and ppid == str(os.getpid()) for state, ppid, *_ in stats)


def _stat(path: Path) -> list[str]:
    try:
        return path.read_text().rpartition(")")[2].split()
    except OSError:  # it ended while we looked
        return ["", ""]


def open_fds() -> int:
    return len(os.listdir("/dev/fd"))


def test_an_answer_comes_from_another_process_built_with_the_config() -> None:
    with pool_of("echo", config={"a": 1}) as pool:
        answer = pool.call([1, "ü"], timeout_s=10)
    assert isinstance(answer, list)
    assert answer[:2] == [{"a": 1}, [1, "ü"]]
    assert answer[2] != os.getpid()


def test_calls_reuse_the_child(pool: WorkerPool) -> None:
    assert pool.call(["pid", None], timeout_s=10) == pool.call(["pid", None], timeout_s=10)


def test_what_the_handler_raises_is_told_and_costs_no_child(pool: WorkerPool) -> None:
    pid = pool.call(["pid", None], timeout_s=10)
    with pytest.raises(WorkerFailed, match="KeyError: 'lost'"):
        pool.call(["raise", "lost"], timeout_s=10)
    assert pool.call(["pid", None], timeout_s=10) == pid


def test_events_are_answered_by_the_caller(pool: WorkerPool) -> None:
    assert pool.call(["emit", 3], timeout_s=10, on_event=lambda n: [n, "seen"]) == [
        [0, "seen"],
        [1, "seen"],
        [2, "seen"],
    ]


def test_what_on_event_raises_passes_through_and_the_pool_lives(pool: WorkerPool) -> None:
    def refuse(event: JSON) -> JSON:
        raise LookupError("not this")

    with pytest.raises(LookupError, match="not this"):
        pool.call(["emit", 1], timeout_s=10, on_event=refuse)
    assert pool.call(["sleep", 0], timeout_s=10) == "slept"


def test_a_call_that_takes_too_long_is_killed(pool: WorkerPool) -> None:
    def attempt() -> None:
        with pytest.raises(WorkerTimeout, match=r"killed after 0\.2 s"):
            pool.call(["sleep", 30], timeout_s=0.2)

    pool.warm()
    assert within(0.6, attempt)
    assert pool.call(["sleep", 0], timeout_s=10) == "slept"


def test_a_cancelled_call_ends_within_a_fifth_of_a_second(pool: WorkerPool) -> None:
    def attempt() -> None:
        cancel = threading.Event()
        threading.Timer(0.3, cancel.set).start()
        with pytest.raises(WorkerCancelled):
            pool.call(["sleep", 30], timeout_s=30, cancel=cancel)

    pool.warm()
    assert within(0.3 + 0.2, attempt)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV"])
def test_a_child_that_dies_is_named_and_replaced(pool: WorkerPool, name: str) -> None:
    with pytest.raises(WorkerDied, match=f"signal {name}"):
        pool.call(["die", int(signal.Signals[name])], timeout_s=10)
    assert pool.call(["sleep", 0], timeout_s=10) == "slept"


def test_a_child_killed_while_idle_is_replaced_unnoticed(pool: WorkerPool) -> None:
    pid = pool.call(["pid", None], timeout_s=10)
    os.kill(int(str(pid)), signal.SIGKILL)
    until(lambda: not pool._idle[0].alive)  # a zombie's other threads may yet have to end
    assert pool.call(["pid", None], timeout_s=10) != pid


def test_a_memory_bomb_ends_itself_only(pool: WorkerPool) -> None:
    with pytest.raises(WorkerDied, match="memory limit"):
        pool.call(["grow", 5_000], timeout_s=30)
    assert pool.call(["sleep", 0], timeout_s=30) == "slept"


def test_a_message_over_the_limit_is_refused_both_ways(pool: WorkerPool) -> None:
    with pytest.raises(WorkerFailed, match="64,000,000"):
        pool.call(["long", 65_000_000], timeout_s=30)
    with pytest.raises(WorkerFailed, match="64,000,000"):
        pool.call(["sleep", "0" * 65_000_000], timeout_s=30)
    assert len(str(pool.call(["long", 10_000_000], timeout_s=30))) == 10_000_000


def test_a_child_shares_neither_stdin_nor_stdout(
    pool: WorkerPool, capfd: pytest.CaptureFixture[str]
) -> None:
    assert pool.call(["chatter", None], timeout_s=10) == ""
    assert capfd.readouterr().out == ""


def test_a_child_sees_no_secret_of_the_environment(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    seen = pool.call(["environment", None], timeout_s=10)
    assert isinstance(seen, list)
    assert "API_TOKEN" not in seen


def test_the_whole_session_dies_with_the_child(pool: WorkerPool) -> None:
    bred: list[JSON] = []
    with pytest.raises(WorkerTimeout):
        pool.call(["grandchild", None], timeout_s=1.5, on_event=bred.append)  # type: ignore[arg-type]
    assert gone_soon(bred[0])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who left a session")
@pytest.mark.parametrize("act", ["daemon", "orphan"])
def test_what_left_the_session_dies_with_the_child(pool: WorkerPool, act: str) -> None:
    pid = pool.call([act, None], timeout_s=30)
    assert exists(pid)
    pool.close()
    assert gone_soon(pid)


def test_a_handler_that_cannot_be_built_says_why_and_backs_off() -> None:
    with pool_of("broken", config="luck") as pool:
        with pytest.raises(WorkerDied, match="could not start: ValueError: no luck"):
            pool.call(None, timeout_s=10)

        def again() -> None:
            with pytest.raises(WorkerDied, match="no luck"):
                pool.call(None, timeout_s=10)

        assert within(0.02, again)


def test_close_ends_calls_under_way_and_refuses_new_ones() -> None:
    pool = pool_of("acts")
    pool.warm()
    threading.Timer(0.2, pool.close).start()
    with pytest.raises(WorkerDied):
        pool.call(["sleep", 60], timeout_s=60)
    with pytest.raises(WorkerDied, match="closed"):
        pool.call(["sleep", 0], timeout_s=1)


def test_many_threads_share_two_children() -> None:
    with pool_of("echo", size=2) as pool, ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda n: pool.call(n, timeout_s=20), range(500)))
    assert [answer[1] for answer in answers if isinstance(answer, list)] == list(range(500))
    assert len({str(answer[2]) for answer in answers if isinstance(answer, list)}) == 2


@pytest.mark.slow
def test_500_crashes_leave_no_descriptor_thread_or_zombie() -> None:
    before = zombies()  # of other tests
    with pool_of("acts", size=2) as pool:
        pool.warm()
        fds, threads = open_fds(), threading.active_count()
        for _ in range(500):
            with pytest.raises(WorkerDied):
                pool.call(["die", 9], timeout_s=10)
        pool.warm()
        assert (open_fds(), threading.active_count()) == (fds, threads)
    until = time.monotonic() + 30  # the last two are killed as the pool closes
    while zombies() > before and time.monotonic() < until:
        time.sleep(0.05)
    assert zombies() <= before


def test_a_thread_that_ends_does_not_take_its_child_along(pool: WorkerPool) -> None:
    pids: list[JSON] = []
    thread = threading.Thread(target=lambda: pids.append(pool.call(["pid", None], timeout_s=10)))
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert pool.call(["pid", None], timeout_s=10) == pids[0]


PARENT = """
import os, sys
from pathlib import Path
from vetbox.workers import WorkerPool
pool = WorkerPool("entries:acts", size=1, memory_bytes=None, import_from=[Path({here!r})])
print(pool.call([{act!r}, None], timeout_s=30), flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(
    "act",
    [
        "pid",
        pytest.param("daemon", marks=pytest.mark.skipif(sys.platform != "linux", reason="prctl")),
    ],
)
def test_a_child_and_its_copies_die_when_its_parent_is_killed(act: str) -> None:
    program = PARENT.format(here=str(HERE), act=act)
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=False)
    assert done.returncode == -9
    assert gone_soon(int(done.stdout))


def test_nobody_waits_for_what_a_worker_does_after_its_answer() -> None:
    with pool_of("tidies") as pool:
        pool.warm()
        started = time.monotonic()
        assert pool.call("one", timeout_s=30) == []
        assert time.monotonic() - started < 1
        assert pool.call("two", timeout_s=30) == ["one"]  # it is done before the next request


def test_a_worker_that_fails_after_its_answer_is_replaced() -> None:
    with pool_of("tidies") as pool:
        assert pool.call("fail", timeout_s=30) == []
        until(lambda: not pool._idle[0].alive)
        assert pool.call("next", timeout_s=30) == []


class Hesitant:
    """Answers at once until asked the question 1; the answer to that comes when it is let go."""

    def __init__(self) -> None:
        self.asked, self.let_go, self.left = threading.Event(), threading.Event(), threading.Event()

    def answer(self, question: JSON) -> JSON:
        if question == 1:
            self.asked.set()
            self.let_go.wait()
            self.left.set()
        return "slow"

    def over(self) -> bool:
        return self.asked.is_set()

    def instead(self, question: JSON) -> JSON:
        return f"instead of {question}"


def test_a_listener_that_is_left_alone_is_not_heard_again(pool: WorkerPool) -> None:
    hesitant = Hesitant()
    answers = pool.call(["emit", 4], timeout_s=30, on_event=hesitant)
    assert answers == ["slow", "instead of 1", "instead of 2", "instead of 3"]
    before = pool.call(["pid", None], timeout_s=30)
    hesitant.let_go.set()
    assert hesitant.left.wait(30)
    assert pool.call(["emit", 2], timeout_s=30, on_event=lambda n: n) == [0, 1]
    assert pool.call(["pid", None], timeout_s=30) == before


class Rude(Hesitant):
    def answer(self, question: JSON) -> JSON:
        raise LookupError(f"no {question}")


def test_what_a_listener_raises_reaches_the_caller(pool: WorkerPool) -> None:
    with pytest.raises(LookupError, match="no 0"):
        pool.call(["emit", 1], timeout_s=30, on_event=Rude())
    assert pool.call(["emit", 1], timeout_s=30, on_event=lambda n: n) == [0]
