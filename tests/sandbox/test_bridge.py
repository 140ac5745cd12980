"""The bridge between programs and the host's functions."""

import threading
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import PurePosixPath

import pytest

from tests.waiting import until
from vetbox.sandbox import ExecutionPolicy, GuestPackage, Limit, PythonSandbox, SandboxResult

VALUES = [
    None, True, 0, -5, 1 << 80, 1.5, float("inf"), "text", "", "\ud800", b"\x00\xff", [1, [2]],
    (1, ("a",)), {"a": 1}, {1: "x", (2, 3): None}, {"$": ["int", "0xff"]}, {1, 2},
    frozenset({3, 4}),
    datetime(2026, 11, 21, 10, 30), date(2026, 1, 2), timedelta(days=1, microseconds=3),
    PurePosixPath("a/b"),
]  # fmt: skip


def call(code: str, tools: dict[str, Callable[..., object]], **limits: float) -> SandboxResult:
    sandbox = PythonSandbox(ExecutionPolicy(**limits), tools=tools)
    return sandbox.execute(f"from _vetbox_bridge import call, ToolError\n{code}")


def test_a_program_calls_a_function_of_the_host() -> None:
    result = call("print(call('math.add', [1], {'b': 2}))", {"math.add": lambda a, b: a + b})
    assert (result.stdout, result.stderr, result.tool_calls) == ("3\n", "", 1)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_cross_both_ways_as_they_are(value: object) -> None:
    seen: list[object] = []
    tools = {"give": lambda: value, "take": seen.append}
    result = call("call('take', [call('give', [], {})], {})", tools)
    assert (result.stderr, seen) == ("", [value])
    assert type(seen[0]) is type(value)


def test_a_value_without_a_place_on_the_wire_is_a_type_error_where_it_is_sent() -> None:
    result = call("call('take', [object()], {})", {"take": print})
    assert "WireError: a value of type object cannot cross the bridge" in result.stderr
    code = "try: call('give', [], {})\nexcept ValueError as e: print(e)"
    assert "type Thread cannot cross" in call(code, {"give": threading.Thread}).stdout


def test_an_exception_of_the_host_is_one_of_the_same_type_in_the_guest() -> None:
    def fails() -> None:
        raise KeyError("missing")

    result = call("try: call('f', [], {})\nexcept KeyError as e: print(repr(e))", {"f": fails})
    assert result.stdout == "KeyError('missing')\n"


def test_an_exception_of_an_unknown_type_keeps_its_name() -> None:
    class HttpError(Exception):
        pass

    def fails() -> None:
        raise HttpError("503")

    result = call("call('f', [], {})", {"f": fails})
    assert result.stderr.splitlines()[-1] == "HttpError: 503"
    assert "vetbox" not in result.stderr
    code = "try: call('f', [], {})\nexcept ToolError as e: print(e.type, e.message)"
    assert call(code, {"f": fails}).stdout == "HttpError 503\n"


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), StopIteration(5)])
def test_a_function_that_tries_to_end_the_host_fails_in_the_guest(error: BaseException) -> None:
    def fails() -> None:
        raise error

    result = call("call('f', [], {})", {"f": fails})
    assert result.success is False
    assert type(error).__name__ in result.stderr


def test_a_function_that_is_not_there_is_a_lookup_error() -> None:
    result = call("call('os.system', ['id'], {})", {})
    assert "LookupError: there is no tool named 'os.system'" in result.stderr


@pytest.mark.parametrize(
    "message",
    [b"", b"X", b"C", b"Cnull", b"C[1,2,3]", b'C["f",{},[]]', b"C" + b"[" * 100_000, b"C\xff",
     b"R", b"R0", b"R256 null", b"R-1 null", b"R 0 null", b"R0.0 null", b"R" + b"9" * 9_000],
)  # fmt: skip
def test_a_forged_message_is_refused_and_does_no_harm(message: bytes) -> None:
    called: list[object] = []
    code = f"""
from vetbox.sandbox.guest.bridge import connect
try: connect()._socket.send({message!r}); print(connect()._socket.recv(1000)[:8])
except OSError as e: print('refused')
"""
    result = call(code, {"f": called.append})
    assert (result.success, called) == (True, [])
    assert result.stdout in ("refused\n", "b'[\"error\"'\n")


def test_a_forged_start_gives_no_second_budget() -> None:
    code = """
from vetbox.sandbox.guest.bridge import connect
while True: connect().tell(b'S')
"""
    result = call(code, {}, fuel_budget=100_000_000)
    assert (result.limit, result.fuel_consumed) == (Limit.FUEL, 100_000_000)


def test_a_forged_end_does_not_make_a_crash_a_success() -> None:
    code = """
import os
from vetbox.sandbox.guest.bridge import connect
connect().tell(b'R', '0 1'); os._exit(3)
"""
    result = call(code, {})
    assert (result.success, result.value, result.exit_code) == (False, None, None)


def test_messages_are_capped_both_ways() -> None:
    tools = {"give": lambda: "x" * 100_000, "take": lambda _: None}
    code = "try: call('take', ['x' * 100_000], {})\nexcept OSError: print('too long')"
    assert call(code, tools, max_message_bytes=10_000).stdout == "too long\n"
    result = call("call('give', [], {})", tools, max_message_bytes=10_000)
    assert "ValueError: the tool's answer has 100,010 bytes, too many" in result.stderr


def test_a_large_message_arrives_whole() -> None:
    for size in (262_143 - 8, 262_144 - 8, 262_145 - 8, 1_000_000):
        result = call("print(len(call('give', [], {})))", {"give": lambda n=size: "x" * n})
        assert result.stdout == f"{size}\n"


def test_calls_are_counted_and_limited() -> None:
    called: list[int] = []
    code = "i = 0\nwhile True:\n  try: i += 1; call('f', [i], {})\n  except Exception: pass"
    result = call(code, {"f": called.append}, max_tool_calls=10)
    assert (result.limit, called) == (Limit.TOOL_CALLS, list(range(1, 11)))


@pytest.mark.parametrize("in_process", [True, False])
def test_a_function_that_hangs_ends_the_run_and_keeps_what_was_printed(in_process: bool) -> None:
    release = threading.Event()
    sandbox = PythonSandbox(
        ExecutionPolicy(timeout_seconds=0.5), tools={"f": release.wait}, in_process=in_process
    )
    code = "import _vetbox_bridge as b; print('before', flush=True); b.call('f', [], {})"
    result = sandbox.execute(code)
    assert (result.limit, result.stdout) == (Limit.TIME, "before\n")
    release.set()
    until(lambda: "vetbox-tools" not in [thread.name for thread in threading.enumerate()])


def test_no_function_is_called_once_the_time_is_over() -> None:
    called: list[int] = []
    over = threading.Event()

    def slow(number: int) -> None:
        called.append(number)
        over.wait()

    code = "for i in range(9):\n  try: call('f', [i], {})\n  except TimeoutError: pass"
    assert call(code, {"f": slow}, timeout_seconds=1).limit is Limit.TIME
    over.set()
    until(lambda: "vetbox-tools" not in [thread.name for thread in threading.enumerate()])
    assert called == [0]


def test_a_function_may_run_a_program_of_its_own() -> None:
    inner = PythonSandbox(in_process=True)
    tools = {"inner": lambda code: inner.execute(code).stdout}
    sandbox = PythonSandbox(tools=tools, in_process=True)
    result = sandbox.execute("import _vetbox_bridge as b\nprint(b.call('inner', ['print(7)'], {}))")
    assert result.stdout == "7\n\n"


GUEST = GuestPackage(
    {
        "tests_guest.text": "def shout(text): return text.upper()",
        "tests_guest.main": (
            "from tests_guest.text import shout\n"
            "def main(program):\n"
            "    exec(compile(program.code, program.filename, 'exec'), program.namespace)\n"
            "    return {'said': shout(program.payload), 'x': program.namespace.get('x')}\n"
        ),
    },
    entry="tests_guest.main:main",
)


def test_a_guest_package_has_the_programs_value_and_payload() -> None:
    sandbox = PythonSandbox(guest=GUEST)
    result = sandbox.execute("x = (1, b'2')\nprint('{\"said\": \"forged\"}')", payload="hello")
    assert (result.value, result.success) == ({"said": "HELLO", "x": (1, b"2")}, True)


def test_a_guest_packages_frames_are_not_the_users() -> None:
    result = PythonSandbox(guest=GUEST).execute("\n\n1 / 0", filename="<code>", payload="")
    assert result.stderr.splitlines()[1] == '  File "<code>", line 3, in <module>'
    assert "tests_guest" not in result.stderr


def test_a_value_that_cannot_cross_is_an_error() -> None:
    result = PythonSandbox(guest=GUEST).execute("x = print", payload="")
    assert (result.success, result.exit_code, result.value) == (False, 1, None)
    assert "cannot cross the bridge" in result.stderr


def test_a_value_that_is_too_large_is_an_error() -> None:
    policy = ExecutionPolicy(max_message_bytes=10_000)
    result = PythonSandbox(policy, guest=GUEST).execute("x = 'x' * 20_000", payload="")
    assert (result.success, result.value) == (False, None)
    assert "the result is too large to cross the bridge" in result.stderr
