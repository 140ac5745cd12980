"""A cancelled run says so, whatever it was doing when its caller lost interest."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.run.desk import Desk
from tests.waiting import until
from vetbox.progress import Progress, no_progress
from vetbox.run.command import CommandResult

# The first line of each announces itself, and what follows ends only when it is made to.
STARTING = """
import pathlib, time
pathlib.Path({begun!r}).touch()
time.sleep(3600)
def call(): ...
"""
CALLED = """
import pathlib, time
def call():
    pathlib.Path({begun!r}).touch()
    time.sleep(3600)
"""


class Expiring(threading.Event):
    """Set by the n-th look at it, so that every step of a run once is the first to see it."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._left = looks
        self._counting = threading.Lock()

    def is_set(self) -> bool:
        with self._counting:
            self._left -= 1
            if self._left <= 0:
                self.set()
        return super().is_set()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Opens the project with one more extension, `odd`, which knows the file `begun`."""
    opened: list[Desk] = []

    def open_desk(text: str = CALLED, isolation: str = "sandbox") -> Desk:
        first = Desk(tmp_path)
        begun = str(tmp_path / "begun")
        (first.root / ".onetool/tools/odd.py").write_text(text.format(begun=begun))
        opened.append(Desk(tmp_path, isolation))
        return opened[-1]

    yield open_desk
    for one in opened:
        one.close()


def cancelled_when(
    happened: Callable[[], object], one: Desk, command: str, progress: Progress = no_progress
) -> CommandResult:
    """How a command ends whose caller cancels it once something has happened."""
    cancel, results = threading.Event(), list[CommandResult]()
    running = threading.Thread(
        target=lambda: results.append(one.runner.run(command, cancel=cancel, progress=progress))
    )
    running.start()
    try:
        until(lambda: happened() or not running.is_alive())
    finally:
        cancel.set()
        running.join()
    return results[0]


def check(result: CommandResult) -> None:
    assert (result.limit, result.success) == ("cancelled", False), result
    assert (result.error_type, result.stored) == ("Stopped", None)
    assert "Cancelled: the run was cancelled." in result.result


@pytest.mark.parametrize("isolation", ["sandbox", "host"])
def test_before_the_run_nothing_is_done(desk: Callable[..., Desk], isolation: str) -> None:
    one, cancel = desk(isolation=isolation), threading.Event()
    cancel.set()
    check(one.runner.run("fs.write('notes/new.md', 'x')", cancel=cancel))
    check(one.runner.run("eval('refused, too')", cancel=cancel))
    assert not (one.root / "notes/new.md").exists()


@pytest.mark.parametrize("text", [STARTING, CALLED], ids=["worker starts", "tool works"])
@pytest.mark.parametrize("isolation", ["sandbox", "host"])
def test_while_a_tool_has_the_turn(
    desk: Callable[..., Desk], tmp_path: Path, text: str, isolation: str
) -> None:
    one = desk(text, isolation)
    check(cancelled_when((tmp_path / "begun").exists, one, "odd.call()"))


def test_a_program_that_swallows_it_is_cancelled_all_the_same(
    desk: Callable[..., Desk], tmp_path: Path
) -> None:
    code = "try:\n    odd.call()\nexcept BaseException:\n    pass\n'well'"
    check(cancelled_when((tmp_path / "begun").exists, desk(isolation="host"), code))
    (tmp_path / "begun").unlink()
    check(cancelled_when((tmp_path / "begun").exists, desk(), code))


def test_while_the_program_itself_works(desk: Callable[..., Desk]) -> None:
    called = threading.Event()
    code = "ot.version()\nwhile True: pass"
    check(cancelled_when(called.is_set, desk(), code, progress=lambda *_: called.set()))


def test_while_it_waits_for_the_turn_of_another(desk: Callable[..., Desk], tmp_path: Path) -> None:
    one, cancel = desk(isolation="host"), threading.Event()
    first = threading.Thread(target=one.runner.run, args=("odd.call()",), kwargs={"cancel": cancel})
    first.start()
    until((tmp_path / "begun").exists)
    check(one.runner.run("1 + 1", cancel=Expiring(2)))
    cancel.set()
    first.join()


@pytest.mark.parametrize("isolation", ["sandbox", "host"])
def test_whichever_step_sees_it_first(desk: Callable[..., Desk], isolation: str) -> None:
    one = desk(isolation=isolation)
    for looks in range(1, 30):
        cancel = Expiring(looks)
        result = one.runner.run("print(fs.glob())\n'x' * 100_000", cancel=cancel)
        if not threading.Event.is_set(cancel):
            assert result.success  # it was over before so many had looked
            assert looks > 2  # the first step and the last one always do
            return
        check(result)
