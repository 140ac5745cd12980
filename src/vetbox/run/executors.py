"""Where a program runs: boxed in WebAssembly, or in this very process for those who trust it."""

import builtins
import io
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeAlias, cast

from vetbox.run.guest.main import World, execute
from vetbox.run.guest.tags import TAGS
from vetbox.run.outcome import Outcome, outcome
from vetbox.run.pack_proxy import Caller
from vetbox.sandbox import ExecutionPolicy, GuestPackage, Limit, PythonSandbox, SandboxResult
from vetbox.sandbox.guest import bridge, wire
from vetbox.sandbox.limits import CANCELLED
from vetbox.sandbox.output import CappedOutput
from vetbox.sandbox.tools import Toolbox

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

FILENAME = "<code>"
BOXED = "sandbox"  # the isolation that has walls and limits

# Answers a program's question: (name of the tool, positional, keyword arguments) -> value.
Answer: TypeAlias = Callable[[str, list[object], dict[str, object]], object]

_GUEST_MODULES = (
    "vetbox.errors",
    "vetbox.toolkit",
    "vetbox.run.pack_proxy",
    "vetbox.run.guest.tags",
    "vetbox.run.guest.values",
    "vetbox.run.guest.capture",
    "vetbox.run.guest.loop",
    "vetbox.run.guest.main",
    "vetbox.run.guest.box",
)


@dataclass(frozen=True, slots=True)
class Execution:
    """How a program ended: its outcome, or None when something else ended it, which `error` says.

    `truncated` means that it printed more than is kept. Times are milliseconds.
    """

    outcome: Outcome | None
    stdout: str = ""
    stderr: str = ""
    limit: Limit | None = None
    error: str = ""
    fuel: int = 0
    duration_ms: float = 0.0
    truncated: bool = False


class Isolation(Protocol):
    """What a program runs in; every kind gives the same outcomes."""

    @property
    def name(self) -> str: ...

    @property
    def policy(self) -> ExecutionPolicy: ...

    def run(
        self, code: str, world: World, answer: Answer, *, cancel: threading.Event | None
    ) -> Execution: ...


@dataclass(frozen=True, slots=True)
class DirectExecutor:
    """The one path of every program, a single call or many lines: straight to its isolation."""

    isolation: Isolation
    name: str = "direct"

    def execute(
        self, code: str, world: World, answer: Answer, *, cancel: threading.Event | None = None
    ) -> Execution:
        return self.isolation.run(code, world, answer, cancel=cancel)


@dataclass(frozen=True, slots=True)
class SandboxIsolation:
    """A fresh interpreter in WebAssembly for every program."""

    policy: ExecutionPolicy = field(default_factory=ExecutionPolicy)
    workspace: Path | None = None
    name: str = BOXED

    def run(
        self, code: str, world: World, answer: Answer, *, cancel: threading.Event | None
    ) -> Execution:
        box = PythonSandbox(
            self.policy, self.workspace, tools={"call": answer}, tags=TAGS, guest=guest_package()
        )
        return _boxed(box.execute(code, filename=FILENAME, payload=world, cancel=cancel))


@cache
def guest_package() -> GuestPackage:
    """The code that executes programs, to be imported into the interpreter's snapshot."""
    sources = {module: _source(module) for module in _GUEST_MODULES}
    return GuestPackage(sources, "vetbox.run.guest.box:main")


def _source(module: str) -> str:
    package, _, name = module.rpartition(".")
    return files(package).joinpath(f"{name}.py").read_text(encoding="utf-8")


def _boxed(result: SandboxResult) -> Execution:
    said = outcome(result.value) if result.success else None
    return Execution(
        said,
        result.stdout,
        result.stderr,
        result.limit,
        result.error or ("" if said else f"The program ended with exit code {result.exit_code}."),
        result.fuel_consumed,
        result.duration_ms,
        result.stdout_truncated or result.stderr_truncated,
    )


@dataclass(frozen=True, slots=True)
class HostIsolation:
    """This process itself, one program at a time: no wall, no limits but those on its output."""

    policy: ExecutionPolicy = field(default_factory=ExecutionPolicy)
    name: str = "host"

    def run(
        self, code: str, world: World, answer: Answer, *, cancel: threading.Event | None
    ) -> Execution:
        with _turn(cancel) as ours:
            if not ours:
                return Execution(None, limit=Limit.CANCELLED, error=CANCELLED)
            return self._executed(code, world, answer)

    def _executed(self, code: str, world: World, answer: Answer) -> Execution:
        stdout = CappedOutput(self.policy.stdout_max_bytes, _Never())
        stderr = CappedOutput(self.policy.stderr_max_bytes, _Never())
        own = {"__file__": FILENAME, "__builtins__": builtins}
        namespace: dict[str, object] = {**vars(ModuleType("__main__")), **own}
        with redirect_stdout(_stream(stdout)), redirect_stderr(_stream(stderr)), _no_input():
            started = time.perf_counter()
            said = execute(code, FILENAME, namespace, world, _loopback(answer))
            duration_ms = (time.perf_counter() - started) * 1000
        return Execution(
            outcome(said),
            stdout.text(),
            stderr.text(),
            duration_ms=duration_ms,
            truncated=stdout.truncated or stderr.truncated,
        )


# sys.stdout belongs to the whole process.
_ONE_AT_A_TIME = threading.Lock()
_LOOK_S = 0.05  # how soon a program that waits for its turn hears that it is cancelled


@contextmanager
def _turn(cancel: threading.Event | None) -> Iterator[bool]:
    """The one turn of this process; false when the caller cancelled before it came."""
    while not _ONE_AT_A_TIME.acquire(timeout=_LOOK_S):
        if cancel is not None and cancel.is_set():
            yield False
            return
    try:
        yield True
    finally:
        _ONE_AT_A_TIME.release()


def _loopback(answer: Answer) -> Caller:
    """Calls tools as over the bridge, so that no value crosses here that could not cross there."""
    toolbox = Toolbox({"call": answer}, TAGS)

    def call(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        message = wire.dumps(["call", [name, list(args), kwargs], {}], TAGS)
        match wire.loads(toolbox.answer(message), TAGS):
            case ["ok", value]:
                return value
            case ["error", str(kind), str(text)]:
                raise bridge.error(kind, text)
        raise AssertionError("a toolbox answers ok or error")

    return call


class _Never:
    """Nobody is told: a program on the host has no limits but those on what is kept."""

    def stop(self, limit: Limit) -> None:
        pass


class _Sink(io.RawIOBase):
    """Bytes on their way to what is kept of them; closing it loses none."""

    def __init__(self, kept: CappedOutput) -> None:
        super().__init__()
        self._kept = kept

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        written = bytes(data)
        self._kept.take(written, len(written))
        return len(written)


def _stream(kept: CappedOutput) -> io.TextIOWrapper:
    """Like the interpreter's own stream: with a `buffer`, strict, in UTF-8."""
    return io.TextIOWrapper(
        cast(BinaryIO, _Sink(kept)), encoding="utf-8", newline="\n", write_through=True
    )


@contextmanager
def _no_input() -> Iterator[None]:
    """Standard input is the server's: a program finds its end at once."""
    ours, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = ours
