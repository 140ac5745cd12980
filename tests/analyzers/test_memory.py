import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.analyzers.workshop import analyzed, places
from vetbox.analyzers.bandit import Bandit, BanditOptions
from vetbox.analyzers.base import Reading
from vetbox.analyzers.memory import Desk, Memory, Turns
from vetbox.findings import Failure, FailureKind
from vetbox.process import Cancelled
from vetbox.staging import StagedFile


def file(path: str, content: bytes) -> StagedFile:
    return StagedFile(path, Path(path), len(content), content)


def asked(memory: Memory, question: str, *files: StagedFile) -> list[str]:
    """The paths that were not remembered."""
    fresh: list[str] = []

    def ask(unknown: Sequence[StagedFile]) -> Reading:
        fresh.extend(each.path for each in unknown)
        return Reading(
            failures=tuple(
                Failure(each.path, FailureKind(each.digest.decode()), "no") for each in unknown
            )
        )

    Desk(Turns(1), memory).answer(question, files, ask, threading.Event())
    return fresh


def test_only_what_changed_is_asked_about_again() -> None:
    memory = Memory()
    a, b, changed = (file("a", b"syntax-error"), file("b", b"too-deep"), file("b", b"too-large"))
    assert asked(memory, "ruff", a, b) == ["a", "b"]
    assert asked(memory, "ruff", a, b) == []
    assert asked(memory, "ruff", a, changed) == ["b"]
    assert asked(memory, "bandit", a) == ["a"]


def test_a_timeout_is_not_remembered() -> None:
    memory = Memory()
    slow = file("a", b"timeout")
    assert asked(memory, "ruff", slow) == asked(memory, "ruff", slow) == ["a"]


def test_the_least_used_are_forgotten() -> None:
    memory = Memory(max_files=2)
    one, two, three = (file(name, b"syntax-error") for name in "123")
    asked(memory, "ruff", one, two)
    asked(memory, "ruff", one)
    asked(memory, "ruff", three)
    assert asked(memory, "ruff", one, two, three) == ["2"]


def test_an_edit_and_other_options_are_always_seen(tmp_path: Path) -> None:
    assert places(analyzed(Bandit(), tmp_path, {"a.py": "eval(x)\n"})) == ["a.py:1:1 B307"]
    assert places(analyzed(Bandit(), tmp_path, {"a.py": "\neval(x)\n"})) == ["a.py:2:1 B307"]
    skipping = Bandit(BanditOptions(skips=("B307",)))
    assert places(analyzed(skipping, tmp_path, {"a.py": "\neval(x)\n"})) == []


def test_calls_that_ask_the_same_wait_for_one_answer() -> None:
    desk, asked_of = Desk(Turns(1)), []

    def ask(files: Sequence[StagedFile]) -> Reading:
        asked_of.append(len(files))
        time.sleep(0.1)
        return Reading()

    def call() -> None:
        desk.answer("ruff", [file("a", b"x"), file("b", b"y")], ask, threading.Event())

    threads = [threading.Thread(target=call) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert asked_of == [2]


def test_who_waits_can_be_called_off() -> None:
    turns, cancel = Turns(1), threading.Event()
    with turns.turn(cancel):
        cancel.set()
        with pytest.raises(Cancelled), turns.turn(cancel):
            pass
