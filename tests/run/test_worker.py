"""Extension tools in processes of their own: what goes wrong there stays there."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.processes import alive
from tests.run.desk import Desk
from tests.waiting import until
from vetbox.run.command import CommandResult
from vetbox.run.dependencies import installed
from vetbox.run.extension import Extension
from vetbox.toolkit import ToolError

EXTENSION = """
import asyncio, os, signal, time
STATE = []

def pid(): return os.getpid()
def remember(x): STATE.append(x); return STATE
def crash(): os.kill(os.getpid(), signal.SIGSEGV)
def leave(): os._exit(0)
def hog(): return "A" * 10**9
def forever():
    while True: pass
def announce(path):
    with open(path + ".new", "w") as file: file.write(str(os.getpid()))
    os.rename(path + ".new", path)
    time.sleep(3600)
def garbage(): os.write(1, b"\\xff" * 100)
def own_type():
    class Own:
        def __str__(self): return "an own thing"
    return {"own": Own()}
def fail():
    class OwnError(Exception): pass
    raise OwnError("its own")
def forged(): return {"$": ["path", "/etc/passwd"]}
def secrets(): return [n for n in os.environ if "SECRET" in n]
def base(): raise asyncio.CancelledError("no longer wanted")
def exits(): raise SystemExit(3)
"""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Opens the project with one more extension, `odd`."""
    opened: list[Desk] = []

    def open_desk(text: str = EXTENSION, **sections: object) -> Desk:
        first = Desk(tmp_path)
        (first.root / ".onetool/tools/odd.py").write_text(text)
        opened.append(Desk(tmp_path, **sections))
        return opened[-1]

    yield open_desk
    for one in opened:
        one.close()


def test_each_extension_has_a_process_of_its_own(desk: Callable[..., Desk]) -> None:
    pids = {int(pid) for pid in desk().says("return [odd.pid(), odd.pid()]")[1:-1].split(",")}
    assert os.getpid() not in pids


def test_state_lives_as_long_as_the_process(desk: Callable[..., Desk]) -> None:
    one = desk()
    one.says("odd.remember(1)")
    assert one.says("odd.remember(2)") == "[1,2]"


@pytest.mark.parametrize("death", ["crash", "leave", "hog"])
def test_a_dying_worker_is_a_catchable_error(desk: Callable[..., Desk], death: str) -> None:
    one = desk()
    code = f"try:\n    odd.{death}()\nexcept Exception as e:\n    return str(e)"
    assert one.says(code).startswith(f"odd.{death} failed: The worker died")
    assert one.says("odd.remember(7)") == "[7]"


def test_a_tool_has_a_time_limit(desk: Callable[..., Desk]) -> None:
    one = desk(tools={"timeout": 1.0})
    assert "odd.forever did not answer within 1 s" in one.fails("odd.forever()")
    until(lambda: one.run("odd.remember(7)").result == "[7]")  # within that second, too


def test_cancelling_a_run_ends_its_tool(desk: Callable[..., Desk], tmp_path: Path) -> None:
    one, cancel, pid_file = desk(), threading.Event(), tmp_path / "pid"
    results = list[CommandResult]()
    code = f"odd.announce({str(pid_file)!r})"
    running = threading.Thread(target=lambda: results.append(one.runner.run(code, cancel=cancel)))
    running.start()
    until(pid_file.exists)
    cancel.set()
    running.join()
    assert (results[0].success, results[0].limit) == (False, "cancelled")
    until(lambda: not alive(int(pid_file.read_text())))


def test_killing_a_worker_ends_its_run_and_no_other(
    desk: Callable[..., Desk], tmp_path: Path
) -> None:
    one, pid_file = desk(), tmp_path / "pid"
    said: list[str] = []
    code = f"odd.announce({str(pid_file)!r})"
    running = threading.Thread(target=lambda: said.append(one.fails(code)))
    running.start()
    until(pid_file.exists)
    os.kill(int(pid_file.read_text()), signal.SIGKILL)
    running.join()
    assert "The worker died: signal SIGKILL" in said[0]
    assert one.says("odd.remember(7)") == "[7]"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("odd.garbage()", "None"),
        ("odd.own_type()", '{"own":"an own thing"}'),
        ("odd.forged()", '{"$":["path","/etc/passwd"]}'),
        ("odd.secrets()", "[]"),
    ],
)
def test_odd_answers_are_data(
    desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch, call: str, text: str
) -> None:
    monkeypatch.setenv("MY_SECRET", "x")
    assert desk().says(call) == text


def test_r22_the_tools_own_exception_type_is_kept(desk: Callable[..., Desk]) -> None:
    assert desk().fails("odd.fail()") == "OwnError: its own (line 1)"
    assert "3" in desk().fails("odd.exits()")
    assert desk().fails("odd.base()") == "CancelledError: no longer wanted (line 1)"


def test_a_pep_723_dependency_is_installed_once(desk: Callable[..., Desk]) -> None:
    script = (
        '# /// script\n# requires-python = ">=3.11"\n# dependencies = ["six==1.17.0"]\n# ///\n'
        "def version():\n    import six\n    return six.__version__\n"
    )
    assert desk(script).says("odd.version()") == "1.17.0"


def test_python_that_is_too_old_for_an_extension_is_said(desk: Callable[..., Desk]) -> None:
    script = '# /// script\n# requires-python = ">=3.99"\n# ///\ndef f(): ...\n'
    assert "needs Python >=3.99" in desk(script).fails("odd.f()")


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        (">=3.11", True),
        (">=3.8, <4", True),
        (">3.11", sys.version_info[:3] > (3, 11, 0)),
        ("<=3.10", False),
        (">=3.99", False),
        ("==3.*", True),
        ("==2.*", False),
        ("!=3.9", True),
        ("~=3.11", True),
        (">=3.11rc1", True),
        ("~=3.11.0", sys.version_info[:2] == (3, 11)),
        ("", True),
    ],
)
def test_python_is_asked_for_as_by_every_other_tool(wanted: str, holds: bool) -> None:
    text = f'# /// script\n# requires-python = "{wanted}"\n# ///\n'
    extension = Extension.read(text.encode(), "odd.py")
    if holds:
        assert installed(extension) is None
    else:
        with pytest.raises(ToolError, match="needs Python"):
            installed(extension)


@pytest.mark.parametrize("wanted", ["3.12", "banana", ">=3.11 and more", ">=", "3.*"])
def test_what_is_no_version_of_python_is_said(wanted: str) -> None:
    text = f'# /// script\n# requires-python = "{wanted}"\n# ///\n'
    with pytest.raises(ToolError, match=r"requires-python is a version like >=3\.11, not "):
        installed(Extension.read(text.encode(), "odd.py"))


def test_a_dependency_is_never_an_option(desk: Callable[..., Desk]) -> None:
    script = '# /// script\n# dependencies = ["--index-url=http://x"]\n# ///\ndef f(): ...\n'
    assert "never an option" in desk(script).fails("odd.f()")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('pack = "ot"\ndef f(): ...', "odd.py: there is an internal pack 'ot' already"),
        ('pack = "brave"\ndef f(): ...', "odd.py: there is an extension pack 'brave' already"),
        ('pack = "class"\ndef f(): ...', "odd.py: 'class' is a word of Python"),
        ('pack = "print"\ndef f(): ...', "odd.py: 'print' is a builtin of Python"),
        ("def f(:", "odd.py:1: "),
        ("x = " + "(" * 5000, "odd.py:"),
    ],
)
def test_a_refused_extension_takes_no_other_with_it(
    desk: Callable[..., Desk], text: str, problem: str
) -> None:
    one = desk(text)
    [said] = one.runner.catalogue.problems
    assert problem in said
    assert one.says("brave.search('x')") == "brave: x"


def test_nothing_of_an_extension_runs_before_it_is_called(
    desk: Callable[..., Desk], tmp_path: Path
) -> None:
    one = desk(f"open({str(tmp_path / 'ran')!r}, 'w')\ndef f(): ...")
    assert "odd.f" in one.says("[t['name'] for t in ot.tools()]")
    assert not (tmp_path / "ran").exists()
