"""What every call can count on: a clean wire, masked faults, progress, cancellation, an end."""

import errno
import os
import signal
import time
from pathlib import Path

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.server.services import FIXTURE, Pipes, environment, heard, over_stdio
from tests.waiting import PATIENCE_S, until
from vetbox.config import Config
from vetbox.server import failures
from vetbox.server.calls import MAX_WAITING, PROGRESS_INTERVAL_S
from vetbox.trust import TrustStore

ERAS = ("legacy", "auto")


def client(project: Path, user: Path, era: str) -> Client:
    program, *arguments = FIXTURE
    server = StdioServerParameters(
        command=program, args=[*arguments, str(project)], env=environment(user)
    )
    return Client(stdio_client(server), mode=era)


def test_prints_of_libraries_and_children_miss_the_wire(pipes: Pipes, user: Path) -> None:
    answer = pipes.call(1, "print_everywhere")
    assert answer["result"]["structuredContent"] == {"said": "''"}
    stderr = (user / "stderr").read_text()
    assert all(stray in stderr for stray in ("stray print", "stray write", "stray child"))


def test_a_fault_of_ours_is_a_number_to_the_client(pipes: Pipes, user: Path) -> None:
    result = pipes.call(1, "break_down")["result"]
    text = result["content"][0]["text"]
    assert result["isError"]
    assert "secret" not in text
    number = text.split()[2]
    assert f"error {number} in break_down" in (user / "stderr").read_text()


def test_who_closes_our_input_still_gets_its_answers(pipes: Pipes) -> None:
    call = {"name": "work", "arguments": {"seconds": 0.5}}
    pipes.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    pipes.process.stdin.write(b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}')  # and no line end
    pipes.process.stdin.close()
    answers = [pipes.receive(), pipes.receive()]
    assert {one["id"] for one in answers} == {1, 2}
    assert all("result" in one for one in answers)
    assert pipes.process.wait(PATIENCE_S) == 0


def test_a_client_that_no_longer_reads_ends_the_service_quietly(pipes: Pipes, user: Path) -> None:
    pipes.process.stdout.close()
    pipes.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert pipes.process.wait(PATIENCE_S) == 0
    assert "Traceback" not in (user / "stderr").read_text()


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOSPC, errno.ENOMEM])
def test_what_the_machine_runs_out_of_is_said(number: int) -> None:
    answer = failures.execution_error(OSError(number, os.strerror(number), "/secret"), "run")
    said = answer.content[0].text
    assert said.startswith(f"The server has not enough for run: {os.strerror(number)}; try again")
    assert "/secret" not in said
    other = failures.execution_error(OSError(errno.EPERM, "no", "/secret"), "run")
    assert other.content[0].text.startswith("Internal error ")


def test_a_cancelled_call_stops_and_says_nothing(pipes: Pipes, user: Path) -> None:
    params = {"name": "work", "arguments": {"seconds": 60.0}}
    pipes.send({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})
    heard(user, "work begun")
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
    pipes.send(note)
    heard(user, "work cancelled")
    pipes.send({"jsonrpc": "2.0", "id": 8, "method": "ping"})
    assert pipes.receive() == {"jsonrpc": "2.0", "id": 8, "result": {}}


@pytest.mark.parametrize("number", [7, "seven", 99])
def test_l036_cancelling_nothing_is_ignored(pipes: Pipes, number: object) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
    pipes.send(note)
    assert pipes.ask("ping", 1)["result"] == {}


def test_l013_sigterm_lets_short_calls_end_and_cancels_long_ones(pipes: Pipes, user: Path) -> None:
    for number, seconds in enumerate([0.2, 0.2, 3600.0, 3600.0], start=1):
        params = {"name": "work", "arguments": {"seconds": seconds}}
        pipes.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    heard(user, "work begun", times=4)
    pipes.process.send_signal(signal.SIGTERM)
    answers = {one["id"]: one["result"]["structuredContent"] for one in map(receive, [pipes] * 4)}
    assert pipes.process.wait(PATIENCE_S) == 0
    assert [answers[number]["said"] for number in (1, 2, 3, 4)] == ["done"] * 2 + ["cancelled"] * 2


def receive(pipes: Pipes) -> dict[str, object]:
    return pipes.receive()


def test_sigterm_ends_even_work_that_never_stops(pipes: Pipes, user: Path) -> None:
    params = {"name": "ignore_everything", "arguments": {"seconds": 3600.0}}
    pipes.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    heard(user, "ignoring begun")
    pipes.process.send_signal(signal.SIGTERM)
    assert pipes.process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_l014_the_second_signal_does_not_wait(
    pipes: Pipes, user: Path, number: signal.Signals
) -> None:
    """One signal alone ends the service with 0, once the call has been given its time."""
    params = {"name": "work", "arguments": {"seconds": 3600.0}}
    pipes.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    heard(user, "work begun")
    pipes.process.send_signal(number)
    until(lambda: "error" in pipes.call("more", "work", seconds=0.0))  # it was heard
    pipes.process.send_signal(number)
    assert pipes.process.wait(PATIENCE_S) == 128 + number


def test_more_calls_than_threads_all_get_their_answer(pipes: Pipes) -> None:
    for number in range(1, 41):
        params = {"name": "work", "arguments": {"seconds": 0.1}}
        pipes.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    answers = [pipes.receive() for _ in range(40)]
    assert {one["id"] for one in answers} == set(range(1, 41))
    assert all(one["result"]["structuredContent"] == {"said": "done"} for one in answers)


def test_a_ping_is_answered_while_calls_are_in_progress(pipes: Pipes, user: Path) -> None:
    params = {"name": "ignore_everything", "arguments": {"seconds": 3600.0}}
    pipes.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    heard(user, "ignoring begun")
    assert pipes.ask("ping", 2)["result"] == {}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.anyio
async def test_a_client_of_either_era_is_served(project: Path, user: Path, era: str) -> None:
    steps = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        steps.append((done, total, message))

    async with client(project, user, era) as session:
        started = time.monotonic()
        result = await session.call_tool("work", {"seconds": 1.0}, progress_callback=on_progress)
        assert result.structured_content == {"said": "done"}
        assert 2 <= len(steps) <= (time.monotonic() - started) / PROGRESS_INTERVAL_S + 2
        with pytest.raises(MCPError) as caught:
            await session.call_tool("work", {"seconds": "1", "other": 1})
    assert caught.value.code == -32602
    assert caught.value.message.startswith("Invalid parameters: seconds: ")
    assert [one["field"] for one in caught.value.data["validation_errors"]] == ["seconds", "other"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.anyio
async def test_an_unknown_tool_is_an_error_that_lists_the_known(
    project: Path, user: Path, era: str
) -> None:
    async with client(project, user, era) as session:
        with pytest.raises(MCPError) as caught:
            await session.call_tool("nope", {})
    assert caught.value.code == -32602
    assert "work" in caught.value.data["available"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def test_an_old_client_gets_the_structure_as_text(project: Path, user: Path) -> None:
    with over_stdio(project, user) as pipes:
        params = {"protocolVersion": "2024-11-05", "capabilities": {}}
        pipes.ask("initialize", 0, **params, clientInfo={"name": "old", "version": "1"})
        pipes.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result = pipes.call(1, "work", seconds=0.0)["result"]
    assert [block["text"] for block in result["content"]] == ["done", '{"said": "done"}']


TOOL_STYLE = "server: {validation_errors: tool}\n"


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.anyio
async def test_a_trusted_project_may_have_invalid_arguments_as_results(
    project: Path, user: Path, era: str
) -> None:
    (project / ".onetool").mkdir()
    (project / ".onetool/onetool.yaml").write_text(TOOL_STYLE)
    TrustStore(user).trust(project)
    async with client(project, user, era) as session:
        answer = await session.call_tool("work", {"seconds": "1"})
    assert answer.is_error
    assert answer.content[0].text.startswith("Invalid parameters: seconds: ")
    assert answer.structured_content["data"]["validation_errors"][0]["field"] == "seconds"


@pytest.mark.anyio
async def test_an_untrusted_configuration_changes_nothing(project: Path, user: Path) -> None:
    (project / ".onetool").mkdir()
    (project / ".onetool/onetool.yaml").write_text(TOOL_STYLE)
    async with client(project, user, "auto") as session:
        with pytest.raises(MCPError) as caught:
            await session.call_tool("work", {"seconds": "1"})
    assert caught.value.code == -32602


def test_l003_more_calls_than_can_wait_are_told_so(pipes: Pipes) -> None:
    accepted = Config().server.max_calls + MAX_WAITING
    for number in range(accepted + 100):
        params = {"name": "work", "arguments": {"seconds": 3600.0}}
        pipes.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    busy = [pipes.receive()["error"] for _ in range(100)]
    assert all(one["code"] == -32000 and "try again" in one["message"] for one in busy)
    assert pipes.ask("ping", "still")["result"] == {}
