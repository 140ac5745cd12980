"""The whole way of a command: trust, audit, limits, cancellation, many at once."""

import hashlib
import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.run.desk import Desk
from tests.waiting import PATIENCE_S, until
from vetbox.audit import AuditLog
from vetbox.config import Config
from vetbox.run.command import CommandResult
from vetbox.run.runner import Runner
from vetbox.sandbox import ExecutionPolicy
from vetbox.sandbox.models import MINIMUM_MEMORY


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """The sample project."""
    desk = Desk(tmp_path_factory.mktemp("runner"))
    yield desk
    desk.close()


def limited(root: Path, **limits: object) -> Runner:
    policy = ExecutionPolicy.model_validate(limits)
    return Runner(root, Config(), trusted=False, audit=AuditLog(root), policy=policy)


def audit(desk: Desk, run_id: str) -> list[dict[str, object]]:
    lines = (desk.root / ".onetool/log/audit.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    return [entry for entry in entries if entry["run_id"] == run_id]


def children() -> set[int]:
    """The worker processes of this one."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text().split()}


# Refusals


def test_a_refusal_says_every_line_why_and_what_instead(desk: Desk) -> None:
    result = desk.run("x = 1\neval('1')\n\nexec('2')")
    assert (result.error_type, result.line_number) == ("Refused", 2)
    assert "line 2: Dangerous call: eval() not allowed" in result.result
    assert "line 4: Dangerous call: exec() not allowed" in result.result
    assert "why: " in result.result
    assert "instead: " in result.result
    assert [finding.location.line for finding in result.findings] == [2, 4]


def test_a_syntax_error_is_told_with_its_line_once(desk: Desk) -> None:
    assert desk.fails("x = 1\n\nif x = 2:\n    pass").splitlines()[1:] == [
        "Syntax error at line 3: invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
        "  code: if x = 2:",
    ]
    assert desk.fails("\0").splitlines()[1] == (
        "Syntax error at line 1: source code cannot contain null bytes"
    )


@pytest.mark.parametrize(
    "command", ["Here it is:\n```python\n1\n```", "```python\n1\n```\n```python\n2\n```"]
)
def test_text_around_a_fence_is_told_from_code(desk: Desk, command: str) -> None:
    assert desk.fails(command).endswith(
        "instead: Send one block of code, without text or other blocks around it."
    )
    assert "instead" not in desk.fails("x = = 1")


def test_c75_what_a_snippet_renders_is_judged(tmp_path: Path) -> None:
    snippet = {"params": {"q": {"required": True}}, "body": "{{ q }}"}
    desk = Desk(tmp_path, snippets={"s": snippet})
    assert "eval() not allowed" in desk.fails('$s q=eval("1")')
    desk.close()


# Trust


def test_an_untrusted_project_has_only_the_internal_packs(desk: Desk) -> None:
    runner = desk.open(trusted=False)
    assert list(runner.catalogue.packs) == ["fs", "ot", "proj"]
    assert runner.run("ws('x')").error_type == "NameError"


def test_an_untrusted_project_never_runs_on_the_host(desk: Desk) -> None:
    config = Config.model_validate({"security": {"isolation": "host"}})
    runner = Runner(desk.root, config, trusted=False, audit=AuditLog(desk.root))
    assert runner.run("import sys; sys.platform").result == "wasi"


CHAINS = [
    "fs.write('.onetool/tools/evil.py', 'def f(): ...')",
    "fs.write('.onetool/onetool.yaml', 'security: {isolation: host}')",
    "fs.write('conftest.py', 'import os')",
    "fs.write('tests/test_x.py', 'def test(): ...')",
    "fs.write('notes/../conftest.py', 'x')",
    "fs.write('.git/hooks/pre-commit', '#!/bin/sh')",
    "fs.write('pyproject.toml', '[tool.pytest.ini_options]')",
    "fs.write('notes/new.md', 'x')",
    "open('/app/../.onetool/onetool.yaml', 'w')",
    "open('notes/new.md')",
    "import _vetbox_bridge as b; b.call('brave.search', ['x'], {})",
    "import _vetbox_bridge as b; b.call('call', ['brave.search', ['x'], {}], {})",
    "import _vetbox_bridge as b; b.call('call', ['os.system', ['id'], {}], {})",
    "import _vetbox_bridge as b; b.call('call', ['fs.read.__globals__', [], {}], {})",
    "import _vetbox_bridge as b; b.call('call', ['fs.read', ['/etc/passwd'], {}], {})",
    "import _vetbox_bridge as b; b.call('call', ['ot.config', [{'$': ['path', '/']}], {}], {})",
    "fs.read(path=proj.path, offset=1)",
    "ot.result(handle='../../onetool')",
]


@pytest.mark.parametrize("code", CHAINS)
def test_t6_no_chain_of_tools_leaves_the_box(desk: Desk, code: str) -> None:
    before = {path: path.read_bytes() for path in desk.root.rglob("*") if path.is_file()}
    runner = desk.open(trusted=False)
    runner._check_security = False
    assert not runner.run(code).success
    for path, content in before.items():
        assert path.name == "audit.jsonl" or path.read_bytes() == content
    assert not (desk.root / "conftest.py").exists()


# Audit


def test_h67_the_judged_code_is_the_executed_code(desk: Desk) -> None:
    result = desk.run("```python exec\n    x = 1\n    x\n```")
    [entry] = audit(desk, result.run_id)
    executed = hashlib.sha256(b"x = 1\nx\n").hexdigest()
    assert entry["validated_sha256"] == entry["executed_sha256"] == executed


def test_every_tool_call_is_logged_without_its_arguments(desk: Desk) -> None:
    code = "brave.search('hush-hush')\ntry:\n    brave.page('hush')\nexcept LookupError: ..."
    entries = audit(desk, desk.run(code).run_id)
    assert [(entry["tool"], entry["outcome"]) for entry in entries] == [
        ("brave.search", "ok"),
        ("brave.page", "LookupError"),
        ("run", "ok"),
    ]
    assert "hush" not in json.dumps(entries)


# Limits and ends


@pytest.mark.parametrize(
    ("limits", "code", "limit"),
    [
        ({"fuel_budget": 300_000_000}, "while True: pass", "fuel"),
        ({"timeout_seconds": 0.5}, "import time; time.sleep(60)", "time"),
        ({"max_tool_calls": 5}, "while True: ot.version()", "tool_calls"),
    ],
)
def test_a_limit_ends_a_run_and_says_which(
    tmp_path: Path, limits: dict[str, object], code: str, limit: str
) -> None:
    result = limited(tmp_path, **limits).run(code)
    assert (result.success, result.limit) == (False, limit)
    assert result.result


def test_much_text_before_an_error_is_kept_and_the_error_shown(desk: Desk) -> None:
    result = desk.run("print('x' * 100000)\n1 / 0")
    assert result.result == (
        "ZeroDivisionError: division by zero (line 2)\n"
        f"(what it printed is kept: ot.result(handle='{result.stored}', offset=1, limit=50))"
    )


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find workers")
def test_killing_a_worker_mid_run_is_an_error_and_the_next_run_works(tmp_path: Path) -> None:
    runner, begun, results = limited(tmp_path), threading.Event(), list[CommandResult]()

    def run() -> None:
        code = "ot.version()\nwhile True: pass"
        results.append(runner.run(code, progress=lambda *_: begun.set()))

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(PATIENCE_S)
    for pid in children():
        os.kill(pid, signal.SIGKILL)
    thread.join()
    assert (results[0].success, results[0].limit) == (False, None)
    assert "The worker died: signal SIGKILL" in results[0].result
    until(lambda: runner.run("1 + 1").result == "2")  # the idle workers were killed, too


def test_programs_run_side_by_side_without_mixing(desk: Desk) -> None:
    said: dict[int, str] = {}

    def run(number: int) -> None:
        said[number] = desk.says(f"print({number})\n[brave.search('{number}'), {number}]")

    threads = [threading.Thread(target=run, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == {n: f'{n}\n["brave: {n}",{n}]' for n in range(16)}


def test_nothing_of_a_run_is_left_for_the_next(desk: Desk) -> None:
    desk.says("import builtins, json\nbuiltins.leak = 1\njson.dumps = None\nbrave.search = None\n1")
    code = "import builtins, json\nhasattr(builtins, 'leak'), json.dumps(1), brave.search('x')"
    assert desk.says(code) == '[false,"1","brave: x"]'


def test_progress_names_the_tools(desk: Desk) -> None:
    seen: list[tuple[int, int, str]] = []
    desk.runner.run("brave.search('a')\nfs.glob()", progress=lambda *step: seen.append(step))
    assert seen == [(1, 0, "brave.search"), (2, 0, "fs.glob")]


# Explaining


def test_explain_shows_every_stage(desk: Desk) -> None:
    stages = {stage.name: stage.text for stage in desk.runner.explain("```\n  x = 1\n```")}
    assert stages == {
        "command": "```\n  x = 1\n```",
        "without fences": "  x = 1\n",
        "expanded": "  x = 1\n",
        "indented": "x = 1\n",
        "verdict": "valid",
    }


def test_explain_executes_nothing(desk: Desk) -> None:
    stages = desk.runner.explain("$wsq q1=1")
    assert (stages[-1].name, stages[-1].text) == ("refused", "$wsq needs q2: $wsq takes q1, q2, p.")


# What a hostile program says of itself

BOOT = "import sys, json\nboot = sys.modules['vetbox.sandbox.guest.boot']\n"


def forged(desk: Desk, outcome: str) -> CommandResult:
    """The result when a program reports an outcome of its own making."""
    code = f"{BOOT}said = '0 ' + json.dumps({outcome})\nboot._report = lambda *_, said=said: said"
    return Desk(desk.root.parent, check_security=False).run(code)


@pytest.mark.parametrize(
    "code",
    [
        r"'\ud800 lone'",
        r"print('x')" + "\n" + r"{'\ud800': 1}",
        r"raise ValueError('\udfff')",
        r"'\ud83d' * 100_000",
    ],
)
def test_every_result_can_be_sent(desk: Desk, code: str) -> None:
    assert desk.run(code).result.encode()


def test_half_a_surrogate_pair_is_shown_as_its_escape(desk: Desk) -> None:
    assert desk.says(r"'<\ud800> \U0001f600'") == "<\\ud800> \U0001f600"


def test_the_name_of_an_exceptions_class_is_one_short_line(desk: Desk) -> None:
    result = desk.run(r"raise type('x\n\x1b[2J' * 50_000, (Exception,), {})('why')")
    assert len(result.result) < 200
    assert result.result.startswith("x??[2Jx??[2J")
    assert result.result.endswith(": why (line 1)")
    assert str(result.error_type).isprintable()


def test_a_forged_error_is_cut_like_any_other(desk: Desk) -> None:
    frames = "[[3, 'f\\x1b' * 500]] * 1_000"
    kind, message = "'E\\ud800' * 1_000", "'m' * 100_000"
    error = f"{{'ok': False, 'type': {kind}, 'message': {message}, 'frames': {frames}}}"
    result = forged(desk, error)
    assert result.error_type == "E?" * 50
    assert 20_000 < len(result.result) < 50_000
    assert result.result.encode()
    assert "\x1b" not in result.result


def test_a_long_unknown_name_is_still_an_error_about_a_name(desk: Desk) -> None:
    assert "Available packs" in desk.fails("raise NameError('why', name='a' * 20_000_000)")


def test_a_long_line_on_the_way_to_an_error_is_cut(desk: Desk) -> None:
    code = f"def f(): return '{'x' * 60_000}' / 2\nf()"
    assert len(desk.fails(code)) < 2_000


def test_a_long_error_says_that_it_was_cut(desk: Desk) -> None:
    assert desk.fails("raise ValueError('x' * 50_000)").endswith(
        "x … (the text was cut here) (line 1)"
    )
    assert "cut here" not in desk.fails("raise ValueError('x' * 20_000)")


def test_a_pack_that_is_called_lists_its_functions(desk: Desk) -> None:
    said = desk.fails("ot(pattern='x')")
    assert said.startswith("TypeError: 'ot' is a pack, not a function. Available functions: ")
    assert "tools" in said


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_program_may_throw_its_streams_away(desk: Desk, stream: str) -> None:
    assert desk.says(f"import sys\nprint('x')\ndel sys.{stream}\n2") == "x\n2"
    broken = (
        f"import sys\ndel sys.{stream}\nclass A:\n    def __str__(self): return 'x' * 10**8\nA()"
    )
    assert "vetbox:" not in desk.fails(broken)


@pytest.mark.parametrize(
    "code",
    [
        "d = {}\ni = 0\nwhile True:\n    d[i] = str(i) * 100\n    i += 1",
        "x = 1\nd = {}\ni = 0\nwhile True:\n    d[i] = str(i) * 100\n    i += 1",
        "raise SystemError('error return without exception set')",
        "d = {}\ni = 0\nwhile True:\n    d[i] = str(i) * 10\n    i += 1",
        "x = None\nwhile True: x = [x] * 10",
        "kept = []\nwhile True: kept.append('x' * 10 + str(len(kept)))",
        "def f():\n    kept = {}\n    while True: kept[len(kept)] = str(kept.keys()) * 100\nf()",
    ],
)
def test_a_program_that_fills_the_memory_is_told_so(tmp_path: Path, code: str) -> None:
    result = limited(tmp_path, memory_bytes=134_217_728, timeout_seconds=20).run(code)
    assert result.result.startswith("MemoryError")
    assert "vetbox:" not in result.result


def test_a_cause_without_a_text_is_its_name(desk: Desk) -> None:
    assert desk.fails("raise ValueError('x') from KeyError()").startswith(
        "ValueError: x\ncaused by KeyError (line 1)"
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import ast\nast.parse('x\\n\\na b')", "invalid syntax (<unknown>, line 3) (line 2)"),
        ("x = 1\nraise SyntaxError", "(no message) (line 2)"),
        ("x = 1\nraise SyntaxError(5)", "5 (line 2)"),
        ("x = 1\nraise SyntaxError('bad', ('a.cfg', 7, 1, 'x'))", "bad (a.cfg, line 7) (line 2)"),
    ],
)
def test_a_syntax_error_of_another_text_has_the_programs_line(
    desk: Desk, code: str, said: str
) -> None:
    assert desk.fails(code) == f"SyntaxError: {said}"


def test_an_error_without_a_text_may_have_a_cause(desk: Desk) -> None:
    assert desk.fails("raise TimeoutError from KeyError('k')").startswith(
        "TimeoutError: (no message)\ncaused by KeyError: 'k' (line 1)"
    )


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (
            "class E(BaseException):\n    def __str__(self): raise E\nraise E",
            "E: (its text cannot be shown: E) (line 3)",
        ),
        (
            "class E(SystemExit):\n    code = property(lambda self: 1 / 0)\nraise E(3)",
            "E: 3 (line 3)",
        ),
        (
            "class C(str):\n    __eq__ = lambda *_: 1 / 0\n\nraise SystemExit(C('C'))",
            "SystemExit: C (line 4)",
        ),
        ("import sys\nsys.exit(0.0)", "SystemExit: 0.0 (line 2)"),
    ],
)
def test_an_exception_that_refuses_to_be_told_is_an_error_of_one_line(
    desk: Desk, code: str, error: str
) -> None:
    assert desk.fails(code).splitlines()[0] == error


@pytest.mark.parametrize("isolation", ["sandbox", "host"])
def test_a_forgotten_await_is_told_without_our_own_places(tmp_path: Path, isolation: str) -> None:
    desk = Desk(tmp_path, isolation)
    said = desk.says("async def main():\n    return 5\nmain()")
    told, value = said.splitlines()
    assert told.endswith("coroutine 'main' was never awaited: put `await` before its call")
    assert value.startswith("<coroutine object main at ")
    assert desk.says("async def main():\n    return 5\nimport sys\ndel sys.stderr\nmain()")
    assert desk.says("async def f(): return 5\nx = f()\nawait x") == "5"


def test_no_warning_names_a_place_of_ours(desk: Desk) -> None:
    said = desk.says("async def main():\n    return 5\nx = main()")
    assert said == "RuntimeWarning: coroutine 'main' was never awaited"


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("import numpy", "a program has Python's standard library and no other packages"),
        ("import numpy.linalg", "standard library and no other packages"),
        ("import ssl", "the box has no threads, processes, network or windows"),
        ("import concurrent.futures as c\nc.ThreadPoolExecutor()", "use asyncio, or call a tool"),
        ("import threading\nthreading.Thread(target=print).start()", "the box has no threads"),
        ("import socket\nsocket.create_connection(('x', 80))", "the box has no network"),
        (
            "import socket\nsocket.socket().connect(('127.0.0.1', 80))",
            "the box has no network and no",
        ),
        (
            "import asyncio\nasync def f(): pass\nawait f()\nasyncio.run(f())",
            "a program that awaits runs in an event loop already; write `await main()`",
        ),
        ("import os\nos.getuid()", "the box has no processes, users, signals or disks"),
        ("open('data.csv')", "fs.read(path) reads a file of the project"),
        ("open('/etc/passwd')", "a program sees one folder, its own /app"),
        ("open('../x', 'w')", "a program writes to one folder, its own /app"),
        ("input()", "a program has no standard input"),
        ("[0] * 10**9", "a program has 128,000,000 bytes of memory"),
        ("import zoneinfo\nzoneinfo.ZoneInfo('Europe/Paris')", "the box has no time zone data"),
        ("import os\nwhile True: os.mkdir('x'); os.chdir('x')", "at most 1,000 files and writes"),
    ],
)
def test_what_the_box_has_not_is_said_with_what_to_do(tmp_path: Path, code: str, hint: str) -> None:
    said = limited(tmp_path).run(code).result.splitlines()
    assert said[-1].startswith("  hint: ")
    assert said[-1].endswith(".")
    assert hint in said[-1]


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.nothing",
        "raise AttributeError('x')",
        "raise FileNotFoundError('x')",
        "raise RuntimeError('x')",
        "raise OSError(28, 'x')",
        "import math\nmath.getuid",
    ],
)
def test_what_is_the_programs_own_mistake_has_no_hint(desk: Desk, code: str) -> None:
    assert "hint:" not in desk.fails(code)


@pytest.mark.parametrize(
    ("code", "limits", "hint"),
    [
        ("while True: pass", {"timeout_seconds": 0.1}, "raise sandbox.timeout_seconds in"),
        ("while True: pass", {"fuel_budget": 1_000_000}, "raise sandbox.fuel_budget in a trusted"),
        ("ot.version()", {"max_tool_calls": 0}, "raise sandbox.max_tool_calls in a trusted"),
        ("while True: print('x' * 10**6)", {}, "print less, or return the value"),
    ],
)
def test_a_limit_is_said_with_what_to_do(
    tmp_path: Path, code: str, limits: dict[str, object], hint: str
) -> None:
    told = limited(tmp_path, **limits).run(code).result.split("\n  hint: ")[1]
    assert hint in told


def test_an_unknown_name_may_be_a_module(desk: Desk) -> None:
    said = desk.fails("json.dumps(1)")
    assert "not defined (line 1). If the module is meant, write `import json` first. " in said
    assert "Available packs: " in said
    assert "import" not in desk.fails("jsn.dumps(1)")


def test_a_file_is_read_by_the_lines_that_findings_name(desk: Desk) -> None:
    (desk.root / "lines.txt").write_bytes(
        b"\xef\xbb\xbfone\x0c\xe2\x80\xa8still\r\ntwo\rthree\nfour"
    )
    assert desk.says("fs.read('lines.txt', 2, 2)") == "two\rthree\n"
    assert desk.says("fs.grep('four', 'lines.txt')[0]['line']") == "4"


def test_a_program_fits_the_least_memory_that_may_be_set(tmp_path: Path) -> None:
    assert limited(tmp_path, memory_bytes=MINIMUM_MEMORY).run("len(str(2**1000))").result == "302"


@pytest.mark.parametrize("page", ["offset=float('nan')", "limit='5'", "limit=None"])
def test_a_page_is_counted_in_whole_numbers(desk: Desk, page: str) -> None:
    assert "offset begins at 1" in desk.fails(f"ot.result(handle='0' * 32, {page})")


def test_a_kept_result_is_found_by_its_handle_and_by_nothing_else(desk: Desk) -> None:
    stored = desk.run("'secret ' * 10_000").stored
    assert stored
    assert "secret" in desk.run(f"ot.result(handle={stored!r})").result
    found = "fs.glob('.onetool/tmp/*'), fs.glob('.onetool/**'), fs.grep('secret', '.onetool/**')"
    assert stored not in desk.run(found).result
    assert "kept for" in desk.fails(f"fs.read('.onetool/tmp/result-{stored}.txt')")
