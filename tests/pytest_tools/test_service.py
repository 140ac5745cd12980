import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.processes import alive
from tests.waiting import PATIENCE_S, until
from vetbox.process import Cancelled, supervisor
from vetbox.pytest_tools import (
    DiscoverTestsParams,
    ExecutedTests,
    ExecuteTestsParams,
    discover_tests,
    execute_tests,
    executed_text,
)

LINUX = sys.platform == "linux"
confined = pytest.mark.skipif(
    not supervisor.can_confine(), reason="needs Landlock, Linux 6.2 or newer"
)

MIXED = """
import pytest

class TestSums:
    @pytest.mark.slow
    def test_adds(self): assert 1 + 1 == 2

def test_fails(): assert 1 == 2, "one is not two"

@pytest.mark.skip(reason="later")
def test_skipped(): pass

@pytest.fixture
def broken(): raise RuntimeError("no database")

def test_without_fixture(broken): pass

@pytest.mark.parametrize("word", ["a", "b"])
def test_words(word): print("said", word); assert word
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    (root / "tests" / "test_mixed.py").write_text(MIXED)
    return root


def run(project: Path, **given: object) -> ExecutedTests:
    params = ExecuteTestsParams.model_validate(given, context={"project": project})
    return execute_tests(params, project)


def alone(project: Path, source: str) -> Path:
    """The project with nothing but this test file."""
    (project / "tests" / "test_mixed.py").unlink()
    (project / "tests" / "test_h.py").write_text(source)
    return project


def outcomes(result: ExecutedTests) -> dict[str, str]:
    return {test.node_id.rpartition("::")[2]: test.outcome for test in result.tests}


def test_every_outcome_is_told_with_its_message(project: Path) -> None:
    result = run(project)
    assert outcomes(result) == {
        "test_adds": "passed",
        "test_fails": "failed",
        "test_skipped": "skipped",
        "test_without_fixture": "error",
        "test_words[a]": "passed",
        "test_words[b]": "passed",
    }
    failed = next(test for test in result.tests if test.outcome == "failed")
    assert failed.message.startswith("AssertionError: one is not two")
    assert "assert 1 == 2" in failed.traceback


def test_the_summary_adds_up_and_one_failure_is_a_result(project: Path) -> None:
    result = run(project)
    summary = result.summary
    assert (summary.total, summary.passed, summary.failed) == (6, 3, 1)
    assert (summary.skipped, summary.errors) == (1, 1)
    assert (result.exit_code, result.error_message) == (1, None)


def test_discovery_says_where_each_test_is(project: Path) -> None:
    found = discover_tests(DiscoverTestsParams(), project)
    first = found.tests[0].model_dump()
    assert first == {
        "node_id": "tests/test_mixed.py::TestSums::test_adds",
        "module": "test_mixed",
        "class": "TestSums",
        "function": "test_adds",
        "file": "tests/test_mixed.py",
        "line": 5,
    }
    assert found.count == 6


def test_a_file_that_cannot_be_collected_is_told_with_its_line(project: Path) -> None:
    (project / "tests" / "test_broken.py").write_text("import os\nimport no_such_module\n")
    (project / "tests" / "test_syntax.py").write_text("def (:\n")
    broken, syntax = discover_tests(DiscoverTestsParams(), project).collection_errors
    assert (broken.file, broken.error_type, broken.line) == (
        *("tests/test_broken.py", "ModuleNotFoundError"),
        2,
    )
    assert broken.message == "ModuleNotFoundError: No module named 'no_such_module'"
    assert (syntax.error_type, syntax.line) == ("SyntaxError", 1)


@pytest.mark.parametrize(
    ("given", "ran"),
    [
        ({"node_ids": ["tests/test_mixed.py::test_words[b]"]}, {"test_words[b]"}),
        ({"markers": "slow"}, {"test_adds"}),
        ({"keywords": "words and not a]"}, {"test_words[b]"}),
        ({"path": "tests", "pattern": "other_*.py"}, {"test_other"}),
        ({"failfast": True}, {"test_adds", "test_fails"}),
        ({"maxfail": 1}, {"test_adds", "test_fails"}),
    ],
)
def test_p11_every_choice_takes_effect(
    project: Path, given: dict[str, object], ran: set[str]
) -> None:
    (project / "tests" / "other_names.py").write_text("def test_other(): pass\n")
    assert set(outcomes(run(project, **given))) == ran


def test_p11_verbosity_and_capture_shape_the_text(project: Path) -> None:
    alone(project, "def test_x():\n    print('heard')\n    assert 0\n")
    assert "test_h.py::test_x FAILED" in run(project, verbosity=1).text_output
    assert "Captured stdout" in run(project).text_output
    assert "Captured stdout" not in run(project, show_capture="no").text_output


@pytest.mark.skipif(not LINUX, reason="needs a child subreaper")
def test_a_timeout_leaves_no_survivor(project: Path) -> None:
    pid_file = project / "pid"
    source = f"""
import os, subprocess, time
def test_first(): pass
def test_daemon():
    subprocess.Popen(
        ["setsid", "sh", "-c", "echo $$ > {pid_file}.new; mv {pid_file}.new {pid_file}; sleep 3600"]
    )
    time.sleep(3600)
"""
    alone(project, source)
    for seconds in (2, 8, 32, 128):  # until it is enough for the second test to begin
        result = run(project, timeout=seconds)
        assert result.error_message is not None
        assert result.error_message.startswith(f"The tests did not end within {seconds} s")
        if pid_file.exists():
            break
    assert outcomes(result) == {"test_first": "passed"}
    assert not alive(int(pid_file.read_text()))


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("import os, signal\ndef test_x(): os.kill(os.getppid(), signal.SIGKILL)\n", "signal 9"),
        ("import os\ndef test_x(): os._exit(0)\n", "pytest left with exit code 0 before it ended"),
        ("import os\ndef test_x(): os._exit(3)\n", "pytest left with exit code 3 before it ended"),
        ("import os\nos._exit(5)\n", "pytest left with exit code 5 before it ended"),
        ("import os\ndef test_x(): os.closerange(3, 99)\n", "or closed the files of the process"),
        ("import sys\nsys.exit(4)\n", "pytest"),
    ],
)
def test_a_hostile_end_is_an_error_and_not_ours(project: Path, source: str, error: str) -> None:
    result = run(alone(project, source), timeout=PATIENCE_S)
    assert result.error_message is not None
    assert error in result.error_message


@pytest.mark.parametrize(
    ("conftest", "error"),
    [
        ("def pytest_configure(config): 1 / 0\n", "ZeroDivisionError: division by zero"),
        ("def pytest_addoption(parser): parser.addoption('-q')\n", "ValueError: "),
    ],
)
def test_a_hostile_conftest_is_one_sentence(project: Path, conftest: str, error: str) -> None:
    (project / "tests" / "conftest.py").write_text(conftest)
    message = run(project, path="tests").error_message
    assert message is not None
    assert message.partition(": ")[2].startswith(error)


def test_a_missing_fixture_is_named(project: Path) -> None:
    result = run(alone(project, "def test_x(nowhere): pass\n"))
    assert [test.message for test in result.tests] == ["fixture 'nowhere' not found"]


@confined
@pytest.mark.parametrize(
    ("place", "source"),
    [
        ("conftest.py", "open({target!r}, 'w')\n"),
        ("evil.py", "open({target!r}, 'w')\n"),
        ("test_h.py", "def test_x(): open({target!r}, 'w')\n"),
        ("test_h.py", "import os\ndef test_x(): os.system('echo x > {target}')\n"),
    ],
)
def test_the_tests_write_nothing_outside_the_project(
    project: Path, tmp_path: Path, place: str, source: str
) -> None:
    target = tmp_path / "outside" / "file"
    target.parent.mkdir()
    alone(project, "def test_x(): pass\n")
    (project / "tests" / place).write_text(source.format(target=str(target)))
    (project / "pytest.ini").write_text("[pytest]\npythonpath = tests\n")
    if place == "evil.py":
        (project / "pytest.ini").write_text("[pytest]\naddopts = -p evil\npythonpath = tests\n")
    run(project)
    assert list(target.parent.iterdir()) == []


def test_the_tests_write_where_they_always_could(project: Path, tmp_path: Path) -> None:
    source = """
        import multiprocessing, os, pathlib, tempfile
        def test_x(tmp_path):
            (tmp_path / "a").write_text("a")
            tempfile.NamedTemporaryFile().write(b"b")
            pathlib.Path.home().joinpath("c").write_text("c")
            pathlib.Path("data").mkdir()
            pathlib.Path("data", "d").write_text("d")
            os.rename("data/d", "moved")
            os.link("moved", "data/linked")
            open(os.devnull, "w").write("e")
            multiprocessing.get_context("fork").Lock()
    """
    alone(project, textwrap.dedent(source))
    assert outcomes(run(project)) == {"test_x": "passed"}


@confined
def test_a_configuration_adds_folders_for_tests(project: Path, tmp_path: Path) -> None:
    target = tmp_path / "data" / "file"
    target.parent.mkdir()
    alone(project, f"def test_x(): open({str(target)!r}, 'w')\n")
    params = ExecuteTestsParams.model_validate({}, context={"project": project})
    refused = execute_tests(params, project)
    assert "Permission denied" in str(refused.tests[0].message)
    allowed = execute_tests(params, project, folders=[target.parent])
    assert outcomes(allowed) == {"test_x": "passed"}


def test_a_test_that_forks_tells_once(project: Path) -> None:
    source = "import os\ndef test_x():\n    if os.fork() == 0: assert 0\n    os.wait()\n"
    assert outcomes(run(alone(project, source))) == {"test_x": "passed"}


def test_a_project_without_pytest_is_told_so(project: Path) -> None:
    import venv

    venv.create(project / ".venv")
    message = run(project).error_message
    assert message is not None
    assert message.startswith("pytest could not start: pytest is not installed for ")


def test_tests_read_an_empty_stdin(project: Path) -> None:
    alone(project, "import sys\ndef test_x(): assert sys.__stdin__.read() == ''\n")
    assert outcomes(run(project)) == {"test_x": "passed"}


def test_endless_output_of_a_test_meets_the_limit_on_files(project: Path) -> None:
    """Pytest keeps what a test prints in a file."""
    alone(project, "def test_x():\n    while True: print('A' * 65536)\n")
    result = run(project, timeout=PATIENCE_S)
    assert (result.error_message, result.exit_code) == (None, 1)
    assert outcomes(result) == {"test_x": "failed"}
    assert "File too large" in result.tests[0].message
    assert len(result.model_dump_json()) < 1_000_000


def test_endless_output_of_pytest_is_cut_and_ends_with_the_time(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\naddopts = --capture=no\n")
    alone(project, "def test_x():\n    while True: print('A' * 65536)\n")
    result = run(project, timeout=3)
    assert result.error_message is not None
    assert result.error_message.startswith("The tests did not end within 3 s")
    assert outcomes(result) == {}
    assert len(result.model_dump_json()) < 1_000_000


def test_characters_that_reorder_text_are_escaped(project: Path) -> None:
    result = run(alone(project, "def test_x(): assert 0, 'a\u202eb'\n"))
    assert "a\\u202eb" in result.tests[0].message
    assert "\u202e" not in result.model_dump_json() + executed_text(result)


def test_the_environment_of_the_server_stays_its_own(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    source = "import os\ndef test_x(): assert not {'API_TOKEN', 'VETBOX_CHANNEL'} & {*os.environ}\n"
    assert outcomes(run(alone(project, source))) == {"test_x": "passed"}


def test_nothing_is_written_beside_the_tests(project: Path) -> None:
    before = sorted(project.rglob("*"))
    run(project)
    assert sorted(project.rglob("*")) == before


def test_a_planted_bytecode_file_does_not_run(project: Path) -> None:
    """An unchecked-hash .pyc is taken for its source by a plain interpreter."""
    import importlib.util
    import py_compile

    alone(project, "import helper\ndef test_x(): assert helper.WORD == 'source'\n")
    helper = project / "tests" / "helper.py"
    helper.write_text("WORD = 'planted'\n")
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(
        str(helper), importlib.util.cache_from_source(str(helper)), invalidation_mode=mode
    )
    helper.write_text("WORD = 'source'\n")
    assert outcomes(run(project)) == {"test_x": "passed"}


def test_configuration_above_the_project_is_not_read(project: Path) -> None:
    (project / "pytest.ini").unlink()
    (project.parent / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (project.parent / "conftest.py").write_text("raise SystemExit(9)\n")
    alone(project, "def test_x(): pass\n")
    assert outcomes(run(project)) == {"test_x": "passed"}


def test_what_a_test_forges_into_the_channel_is_dropped(project: Path) -> None:
    forgery = (
        'b\'\\n{"event": "report"}\\nnonsense\\n[1]\\n{"event": "collected", "count": "x"}\\n\''
    )
    source = f"""
import os
def test_x():
    for fd in range(3, 64):
        try: os.write(fd, {forgery})
        except OSError: pass
"""
    assert outcomes(run(alone(project, source))) == {"test_x": "passed"}


def test_progress_comes_test_by_test(project: Path) -> None:
    told: list[tuple[int, int]] = []
    execute_tests(
        ExecuteTestsParams(), project, progress=lambda done, total, _: told.append((done, total))
    )
    assert told == [(number, 6) for number in range(1, 7)]


def test_cancel_frees_the_processor(project: Path) -> None:
    pid_file, cancel = project / "pid", threading.Event()
    source = f"""
import os, pathlib
def test_x():
    pathlib.Path("{pid_file}.new").write_text(str(os.getpid()))
    os.rename("{pid_file}.new", "{pid_file}")
    while True: pass
"""
    alone(project, source)
    with ThreadPoolExecutor(1) as pool:
        ending = pool.submit(execute_tests, ExecuteTestsParams(), project, cancel=cancel)
        until(lambda: pid_file.exists() or ending.done())
        cancel.set()
        with pytest.raises(Cancelled):
            ending.result()
    assert not alive(int(pid_file.read_text()))
