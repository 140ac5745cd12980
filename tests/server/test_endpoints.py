"""The real endpoints through the real server: what they need, what they leave behind."""

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.processes import descendants
from tests.server.services import Pipes
from tests.waiting import PATIENCE_S, until
from vetbox.app import App, Call
from vetbox.trust import TrustStore

FILES = 300
SOURCE = "import subprocess\n\n\ndef run(command):\n    subprocess.run(command, shell=True)\n"


@pytest.fixture
def large(project: Path) -> Path:
    for number in range(FILES):
        (project / f"m{number}.py").write_text(SOURCE * 20)
    return project


def start(pipes: Pipes, number: int, name: str, **arguments: object) -> None:
    params = {"name": name, "arguments": arguments, "_meta": {"progressToken": number}}
    pipes.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})


def test_a10_static_analysis_answers_in_structure_and_words(pipes: Pipes) -> None:
    result = pipes.call(1, "run_static_analysis", target_paths=["a.py"], tools=["bandit"])["result"]
    assert result["structuredContent"]["status"] == "completed_with_issues"
    assert result["structuredContent"]["error_message"] is None
    assert "a.py:1:1: warning B307" in result["content"][0]["text"]
    assert result["isError"] is False


def test_p18_invalid_arguments_start_no_process(pipes: Pipes) -> None:
    before = descendants(pipes.process.pid)
    answer = pipes.call(1, "run_static_analysis", target_paths=["../a.py"], toolz=1)
    fields = {one["field"] for one in answer["error"]["data"]["validation_errors"]}
    assert fields == {"target_paths.0", "toolz"}
    assert "Path traversal not allowed" in answer["error"]["message"]
    assert descendants(pipes.process.pid) == before


@pytest.mark.parametrize("name", ["discover_tests", "execute_tests"])
def test_an_untrusted_projects_tests_are_not_run(pipes: Pipes, project: Path, name: str) -> None:
    (project / "test_a.py").write_text("open('PWNED', 'w')\n")
    result = pipes.call(1, name)["result"]
    assert result["isError"]
    assert f"`vetbox trust {project}`" in result["content"][0]["text"]
    assert not (project / "PWNED").exists()


def test_trust_is_asked_for_again_after_a_change(pipes: Pipes, project: Path, user: Path) -> None:
    (project / "test_a.py").write_text("def test_ok():\n    pass\n")
    TrustStore(user).trust(project)
    result = pipes.call(1, "execute_tests")["result"]
    assert result["structuredContent"]["summary"]["passed"] == 1
    (project / "test_a.py").write_text("open('PWNED', 'w')\n")
    assert "test_a.py changed" in pipes.call(2, "execute_tests")["result"]["content"][0]["text"]
    assert not (project / "PWNED").exists()


@pytest.mark.parametrize("name", ["discover_tests", "execute_tests"])
@pytest.mark.parametrize(
    ("place", "chosen"),
    [
        ("tool.py", {"path": "tool.py"}),
        ("tool.py", {"path": "./tool.py"}),
        ("src/tool.py", {"node_ids": ["test_a.py", "src/tool.py::test_ok"]}),
        ("src/tool.py", {"pattern": "*.py"}),
        ("src/tool.py", {"path": "src", "pattern": "to*.py"}),
        ("link.py", {"path": "link.py"}),
        (".venv/x/test_b.py", {"path": ".venv/x"}),
        (".venv/x/test_b.py", {"path": ".venv/x/test_b.py"}),
    ],
)
def test_what_only_the_request_calls_a_test_is_not_run(
    project: Path, user: Path, name: str, place: str, chosen: dict[str, object]
) -> None:
    if name == "discover_tests" and "node_ids" in chosen:
        chosen = {"path": place}
    (project / "a.py").unlink()
    (project / "src").mkdir()
    (project / "test_a.py").write_text("def test_ok():\n    pass\n")
    (project / ".venv/x").mkdir(parents=True)
    target = project / ("src/tool.py" if place == "link.py" else place)
    target.write_text("open('PWNED', 'w')\ndef test_ok():\n    pass\n")
    if place == "link.py":
        (project / place).symlink_to(target)
    app = App.open(project, trust_folder=user)
    app.trust.trust(project)
    endpoint = app.endpoints[name]
    params = endpoint.params.model_validate(chosen, context={"project": project})
    result = endpoint.answer(params, Call())
    assert endpoint.failed(result)
    assert result.error_message.startswith(f"{place} was not trusted with the project's tests")
    assert not (project / "PWNED").exists()


@pytest.mark.parametrize(
    "chosen",
    [
        {"path": "test_a.py"},
        {"path": "src/tests/helper.py"},
        {"node_ids": ["./src/check_b.py::test_ok"]},
        {"pattern": "check_*.py"},
        {"path": "src", "pattern": "c*.py"},
        {"path": "lib", "pattern": "*"},
        {"path": "link/check_b.py"},
    ],
)
def test_what_trust_covers_may_be_named(
    project: Path, user: Path, chosen: dict[str, object]
) -> None:
    for name in ("test_a.py", "src/tests/helper.py", "src/check_b.py", "lib/data.txt"):
        (project / name).parent.mkdir(exist_ok=True, parents=True)
        (project / name).write_text("def test_ok():\n    pass\n")
    (project / "pytest.ini").write_text("[pytest]\npython_files = test_*.py check_*.py\n")
    (project / "link").symlink_to("src")
    app = App.open(project, trust_folder=user)
    app.trust.trust(project)
    endpoint = app.endpoints["execute_tests"]
    params = endpoint.params.model_validate(chosen, context={"project": project})
    result = endpoint.answer(params, Call())
    assert (result.error_message, result.summary.failed) == (None, 0)
    assert (result.summary.passed > 0) is (chosen.get("path") != "lib")


def test_a_cancelled_scan_frees_the_machine(pipes: Pipes, large: Path) -> None:
    start(pipes, 1, "run_static_analysis", target_paths=["."], tools=["ruff", "bandit"])
    wait_for(pipes, "bandit")
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    pipes.send(note)
    until(lambda: descendants(pipes.process.pid) == set())
    assert pipes.ask("ping", 2)["result"] == {}


def test_a_client_that_dies_in_a_scan_leaves_no_files_or_processes(
    pipes: Pipes, large: Path, user: Path
) -> None:
    start(pipes, 1, "run_static_analysis", target_paths=["."], tools=["ruff", "bandit"])
    left = {wait_for(pipes, "bandit"), *descendants(pipes.process.pid)}
    pipes.process.stdin.close()
    assert pipes.process.wait(PATIENCE_S) == 0
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))
    until(lambda: not any((user / "temporary").iterdir()))


def test_l008_a_killed_tool_is_asked_again_and_the_others_complete(
    pipes: Pipes, large: Path
) -> None:
    start(pipes, 1, "run_static_analysis", target_paths=["."], tools=["ruff", "bandit"])
    os.kill(wait_for(pipes, "bandit"), signal.SIGKILL)
    report = pipes.answer(1)["result"]["structuredContent"]
    ruff, bandit = report["tool_results"]
    assert ruff["issue_count"] == FILES * 20 + 1
    assert bandit["failures"] == []
    assert bandit["issue_count"] == FILES * 40 + 1


def wait_for(pipes: Pipes, tool: str) -> int:
    """The process that runs the tool, not the one that watches over it."""
    found: list[int] = []

    def look() -> bool:
        for number in sorted(descendants(pipes.process.pid), reverse=True):
            with suppress(OSError):  # it may have ended meanwhile
                if tool.encode() in Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0"):
                    found.append(number)
        return bool(found)

    until(look)
    return found[0]


def test_calls_leave_no_files_descriptors_or_processes(pipes: Pipes, tmp_path: Path) -> None:
    def ask(number: int) -> None:
        targets = ["."] if number % 2 else ["nowhere"]
        pipes.call(number, "run_static_analysis", target_paths=targets, tools=["ruff", "bandit"])

    def state() -> tuple[int, set[int], list[str]]:
        fds = len(list(Path(f"/proc/{pipes.process.pid}/fd").iterdir()))
        return fds, descendants(pipes.process.pid), sorted(map(str, tmp_path.rglob("*")))

    for number in range(4):
        ask(number)
    before = state()
    for number in range(4, 16):
        ask(number)
    until(lambda: state() == before)


def test_a_long_scan_reports_its_progress(pipes: Pipes, project: Path) -> None:
    for number in range(FILES):
        (project / f"m{number}.py").write_text(SOURCE)
    start(pipes, 1, "run_static_analysis", target_paths=["."], tools=["rules"])
    steps = []
    while (message := pipes.receive()).get("method") == "notifications/progress":
        steps.append(message["params"]["progress"])
    assert message["result"]["structuredContent"]["files_analyzed"] == FILES + 1
    assert steps == sorted(set(steps))
    assert steps[-1] == FILES + 1


def end_input(process: subprocess.Popen[bytes]) -> None:
    process.stdin.close()


@pytest.mark.parametrize("end", [end_input, subprocess.Popen.terminate])
def test_a_client_that_takes_no_answers_does_not_keep_the_service(
    pipes: Pipes, end: Callable[[subprocess.Popen[bytes]], None]
) -> None:
    """More answers than a pipe holds."""
    pipes.send(*({"jsonrpc": "2.0", "id": one, "method": "tools/list"} for one in range(1, 100)))
    end(pipes.process)
    assert pipes.process.wait(PATIENCE_S) == 0
