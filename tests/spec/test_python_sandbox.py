"""The Python runtime's scenarios, S-1 to S-31, each on the real interpreter."""

import logging
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from vetbox.sandbox import (
    BaseSandbox,
    ExecutionPolicy,
    Limit,
    PythonSandbox,
    SandboxLogger,
    SandboxResult,
    host,
    python,
    runtime,
)


class Recorder(SandboxLogger):
    """A logger that remembers what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[str, object]] = []

    def log_execution_start(self, runtime: str, policy: ExecutionPolicy) -> None:
        self.events.append(("start", (runtime, policy)))

    def log_execution_complete(self, result: SandboxResult) -> None:
        self.events.append(("complete", result))

    def log_security_event(self, event_type: str, details: object) -> None:
        self.events.append((event_type, details))


class EchoSandbox(BaseSandbox):
    """The least that a sandbox can be."""

    def execute(self, code: str) -> SandboxResult:
        return SandboxResult(success=True, stdout=code)

    def validate_code(self, code: str) -> bool:
        return bool(code)


@pytest.fixture
def sandbox(tmp_path: Path) -> PythonSandbox:
    return PythonSandbox(workspace=tmp_path)


def limited(tmp_path: Path, **limits: float) -> PythonSandbox:
    return PythonSandbox(ExecutionPolicy(**limits), tmp_path)


def test_s1_execute_is_abstract_and_returns_a_sandbox_result() -> None:
    assert "execute" in BaseSandbox.__abstractmethods__
    with pytest.raises(TypeError, match="abstract"):
        BaseSandbox()  # type: ignore[abstract]
    assert EchoSandbox().execute("x").stdout == "x"


def test_s2_validate_code_is_abstract() -> None:
    assert "validate_code" in BaseSandbox.__abstractmethods__
    assert EchoSandbox().validate_code("x") is True


def test_s3_initialization_keeps_what_it_is_given(tmp_path: Path) -> None:
    policy, logger = ExecutionPolicy(fuel_budget=5), Recorder()
    sandbox = EchoSandbox(policy, tmp_path, logger)
    assert (sandbox.policy, sandbox.workspace, sandbox.logger) == (policy, tmp_path, logger)


def test_s3_initialization_has_defaults() -> None:
    sandbox = EchoSandbox()
    assert sandbox.policy == ExecutionPolicy()
    assert type(sandbox.logger) is SandboxLogger


def test_s4_log_helper_hands_the_result_to_the_logger() -> None:
    sandbox, result = EchoSandbox(logger=(logger := Recorder())), SandboxResult(success=True)
    sandbox._log_execution_metrics(result)
    assert logger.events == [("complete", result)]


def test_s5_a_program_runs(sandbox: PythonSandbox) -> None:
    result = sandbox.execute("print('Hello')")
    assert (result.success, result.stdout) == (True, "Hello\n")
    assert result.fuel_consumed > 0


def test_s6_a_wheel_in_site_packages_can_be_imported(
    sandbox: PythonSandbox, tmp_path: Path
) -> None:
    target = tmp_path / "site-packages"
    pip = [sys.executable, "-I", "-m", "pip", "install", "-q", "--no-deps", "--no-compile"]
    subprocess.run([*pip, "--target", str(target), "urllib3==2.5.0"], check=True)
    result = sandbox.execute("import urllib3; print('OK')")
    assert (result.stdout, result.stderr) == ("OK\n", "")
    assert result.files_created == ()


def test_s6_injected_setup_puts_site_packages_first(sandbox: PythonSandbox) -> None:
    result = sandbox.execute("import sys; print(sys.path[0])")
    assert result.stdout == "/app/site-packages\n"


def test_s7_without_setup_the_path_is_the_interpreters_own(sandbox: PythonSandbox) -> None:
    result = sandbox.execute("import sys; print(*sys.path)", inject_setup=False)
    base = "/usr/local/lib"
    assert result.stdout.split() == [
        f"{base}/python312.zip",
        f"{base}/python3.12",
        f"{base}/python3.12/lib-dynload",
    ]


def test_s8_an_exception_is_a_result(sandbox: PythonSandbox) -> None:
    result = sandbox.execute("x = 1\nraise ValueError('test')")
    assert result.success is False
    assert "ValueError: test" in result.stderr
    assert 'File "user_code.py", line 2, in <module>' in result.stderr


def test_s8_a_traceback_shows_the_line_of_the_program(sandbox: PythonSandbox) -> None:
    result = sandbox.execute("\x0c\ntext = '\u2028'\n\nraise KeyError(text)  # here")
    assert "line 4, in <module>\n    raise KeyError(text)  # here\n" in result.stderr


def test_s8_a_traceback_shows_no_file_of_the_programs_name(
    sandbox: PythonSandbox, tmp_path: Path
) -> None:
    (tmp_path / "user_code.py").write_text("x = 1\nforged = 2\n")
    result = sandbox.execute("x = 1\nraise ValueError('test')")
    assert "line 2, in <module>\n    raise ValueError('test')\n" in result.stderr
    assert "forged" not in result.stderr


@pytest.mark.parametrize("code", ["x = 1 +", "def f(:", "\0", "\ud800", "return 1"])
def test_s8_what_is_no_python_is_a_result(sandbox: PythonSandbox, code: str) -> None:
    result = sandbox.execute(code)
    assert (result.success, result.exit_code) == (False, 1)
    assert "Error: " in result.stderr
    assert "vetbox" not in result.stderr


def test_s9_execute_delegates_to_run_untrusted_python(
    sandbox: PythonSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = SandboxResult(success=True, stdout="delegated")
    monkeypatch.setattr(python, "run_untrusted_python", lambda *_, **__: answer)
    assert sandbox.execute("pass") is answer


def test_s10_correct_code_is_valid() -> None:
    assert PythonSandbox().validate_code("x = 1 + 2") is True


@pytest.mark.parametrize("code", ["x = 1 +", "\0", "(" * 10_000, "x = '\ud800'"])
def test_s11_incorrect_code_is_invalid(code: str) -> None:
    assert PythonSandbox().validate_code(code) is False


def test_s12_validation_executes_nothing(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    code = f"import os; os.system('touch {witness}'); open({str(witness)!r}, 'w')"
    assert PythonSandbox().validate_code(code) is True
    assert not witness.exists()


def test_s13_validation_compiles_as_sandbox_exec(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[object, ...]] = []
    monkeypatch.setattr(python, "compile", lambda *a, **_: seen.append(a), raising=False)
    assert PythonSandbox().validate_code("x = 1") is True
    assert seen == [("x = 1", "<sandbox>", "exec")]


def test_s14_a_created_file_is_listed(sandbox: PythonSandbox) -> None:
    result = sandbox.execute("open('/app/output.txt', 'w').write('data')")
    assert result.files_created == ("output.txt",)


def test_s15_a_changed_file_is_listed(sandbox: PythonSandbox, tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text("some")
    result = sandbox.execute("with open('/app/input.txt', 'a') as f: f.write('more')")
    assert (result.files_created, result.files_modified) == ((), ("input.txt",))
    assert (tmp_path / "input.txt").read_text() == "somemore"


def test_s16_user_code_is_never_listed(sandbox: PythonSandbox) -> None:
    result = sandbox.execute("open('/app/user_code.py', 'w').write('x'); open('/app/a', 'w')")
    assert result.files_created == ("a",)


def test_s17_paths_are_relative_to_the_workspace(sandbox: PythonSandbox) -> None:
    result = sandbox.execute("import os; os.mkdir('subdir'); open('/app/subdir/file.txt', 'w')")
    assert result.files_created == ("subdir/file.txt",)


def test_s18_duration_is_the_programs_own(sandbox: PythonSandbox) -> None:
    sandbox.execute("pass")
    started = time.perf_counter()
    result = sandbox.execute("import time; time.sleep(0.1)")
    whole_ms = (time.perf_counter() - started) * 1000
    assert 99 <= result.duration_ms < result.duration_ms + result.startup_ms < whole_ms
    assert result.startup_ms > 0


def test_s18_duration_is_measured_with_perf_counter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Fast:
        """The module `time`, whose perf_counter runs a thousand times too fast."""

        perf_counter = staticmethod(lambda: time.perf_counter() * 1000)

        def __getattr__(self, name: str) -> object:
            return getattr(time, name)

    monkeypatch.setattr(host, "time", Fast())
    sandbox = PythonSandbox(workspace=tmp_path, in_process=True)
    assert sandbox.execute("import time; time.sleep(0.1)").duration_ms > 90_000


def test_s19_fuel_is_the_programs_own(tmp_path: Path) -> None:
    sandbox = limited(tmp_path, fuel_budget=2_000_000_000)
    idle, once, twice = (
        sandbox.execute(f"for _ in range({loops}): pass").fuel_consumed
        for loops in (0, 5_000, 10_000)
    )
    assert 5_000_000 < once - idle < 20_000_000
    assert (twice - idle) / (once - idle) == pytest.approx(2, rel=0.1)


def test_s20_memory_used_covers_what_was_allocated(sandbox: PythonSandbox) -> None:
    idle = sandbox.execute("pass").memory_used_bytes
    used = sandbox.execute("x = bytearray(10_000_000)").memory_used_bytes
    assert used >= 10_000_000
    assert used - idle >= 9_000_000


def test_s21_the_workspace_is_in_the_result(sandbox: PythonSandbox, tmp_path: Path) -> None:
    assert sandbox.execute("pass").workspace_path == str(tmp_path)


@pytest.mark.parametrize("path", ["/etc/passwd", "/app/../etc/passwd", "../etc/passwd"])
def test_s22_only_the_workspace_can_be_read(sandbox: PythonSandbox, path: str) -> None:
    result = sandbox.execute(f"print(open({path!r}).read())")
    assert (result.success, result.stdout) == (False, "")
    assert "FileNotFoundError" in result.stderr or "PermissionError" in result.stderr


def test_s23_fuel_ends_an_endless_loop(tmp_path: Path) -> None:
    result = limited(tmp_path, fuel_budget=100_000).execute("while True: pass")
    assert (result.success, result.limit) == (False, Limit.FUEL)
    assert "OutOfFuel" in result.stderr
    assert result.fuel_consumed == 100_000


def test_s24_memory_is_limited(tmp_path: Path) -> None:
    sandbox = limited(tmp_path, memory_bytes=64_000_000)
    result = sandbox.execute("x = 'a' * 100_000_000")
    assert (result.success, result.exit_code) == (False, 1)
    assert "MemoryError" in result.stderr
    assert sandbox.execute("print(1)").stdout == "1\n"


def test_s25_output_is_capped_in_bytes(tmp_path: Path) -> None:
    result = limited(tmp_path, stdout_max_bytes=1000).execute("print('é' * 5_000)")
    assert len(result.stdout.encode()) == 1000
    assert (result.stdout_truncated, result.success) == (True, True)


def test_s26_the_start_is_logged_before_anything_runs(tmp_path: Path) -> None:
    class Watching(Recorder):
        def log_execution_start(self, runtime: str, policy: ExecutionPolicy) -> None:
            super().log_execution_start(runtime, policy)
            self.events.append(("written", (tmp_path / "trace").exists()))

    logger, policy = Watching(), ExecutionPolicy(fuel_budget=1_000_000_000)
    PythonSandbox(policy, tmp_path, logger).execute("open('/app/trace', 'w').close()")
    assert logger.events[:2] == [("start", ("python", policy)), ("written", False)]
    assert (tmp_path / "trace").exists()


def test_s26_the_start_event_says_runtime_and_limits(
    sandbox: PythonSandbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "vetbox.sandbox")
    sandbox.execute("pass")
    start = next(record for record in caplog.records if record.event == "execution.start")
    assert start.fields["runtime"] == "python"
    assert start.fields["fuel_budget"] == sandbox.policy.fuel_budget
    assert start.fields["memory_bytes"] == sandbox.policy.memory_bytes


def test_s27_the_end_is_logged_with_what_it_took(
    sandbox: PythonSandbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "vetbox.sandbox")
    result = sandbox.execute("pass")
    end = caplog.records[-1]
    assert end.event == "execution.complete"
    assert end.fields["success"] is True
    assert end.fields["fuel_consumed"] == result.fuel_consumed
    assert end.fields["duration_ms"] == round(result.duration_ms, 3)


def test_s28_using_up_the_fuel_is_a_security_event(tmp_path: Path) -> None:
    logger = Recorder()
    PythonSandbox(ExecutionPolicy(fuel_budget=1000), tmp_path, logger).execute("while True: pass")
    assert [name for name, _ in logger.events] == ["start", "fuel_exhaustion", "complete"]


class Breaking(logging.Handler):
    """A handler that lets its errors out, which the standard ones do not."""

    def emit(self, record: logging.LogRecord) -> None:
        raise RuntimeError(f"no room for {record.event}")


@pytest.mark.parametrize("own", [True, False])
def test_s27_a_log_that_fails_loses_no_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own: bool
) -> None:
    class Failing(SandboxLogger):
        def log_execution_start(self, runtime: str, policy: ExecutionPolicy) -> None:
            raise RuntimeError("no room for execution.start")

        def log_execution_complete(self, result: SandboxResult) -> None:
            raise KeyError("complete")

        def log_security_event(self, event_type: str, details: object) -> None:
            raise OSError(28, "no room")

    log = logging.getLogger("breaking")
    log.setLevel(logging.INFO)
    log.handlers = [Breaking()]
    policy = ExecutionPolicy(fuel_budget=500_000_000)
    logger = Failing() if own else SandboxLogger(log)
    sandbox = PythonSandbox(policy, tmp_path, logger)
    assert sandbox.execute("print(1)").stdout == "1\n"
    stopped = sandbox.execute("while True: pass")
    assert (stopped.success, stopped.limit) == (False, "fuel")
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "vetbox: the log failed: RuntimeError: no room for execution.start"
    assert len(said) == 5


def test_s29_the_default_interpreter_is_bin_python_wasm() -> None:
    assert PythonSandbox().wasm_binary_path == "bin/python.wasm"


def test_s30_another_interpreter_is_used_when_named(tmp_path: Path) -> None:
    other = tmp_path / "python-3.12.wasm"
    shutil.copy(runtime.install(print).path, other)
    sandbox = PythonSandbox(wasm_binary_path=other)
    assert sandbox.execute("import sys; print(sys.version[:6])").stdout == "3.12.0\n"
    assert str(sandbox.wasm_binary_path) == str(other)


def test_s31_a_missing_interpreter_is_a_clear_error() -> None:
    sandbox = PythonSandbox(wasm_binary_path="nowhere/python.wasm")
    with pytest.raises(FileNotFoundError, match=r"nowhere/python\.wasm.*vetbox runtime install"):
        sandbox.execute("pass")


def test_s30_an_unknown_interpreter_is_started_anew_and_says_so(tmp_path: Path) -> None:
    other = tmp_path / "python.wasm"
    known = runtime.install(print).path.read_bytes()
    other.write_bytes(known + b"\0\x03\x02xy")  # a custom section more: the same but for its hash
    sandbox = PythonSandbox(wasm_binary_path=other)
    result = sandbox.execute("import sys; print(sys.version[:6])")
    assert (result.stdout, result.metadata["start"]) == ("3.12.0\n", "plain")
    assert sandbox.execute("raise SystemExit(3)").exit_code == 3
