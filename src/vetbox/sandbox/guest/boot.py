"""What the interpreter does in a run: take the program, execute it, tell the host how it ended.

Imported while the snapshot is made, so that a run only has to call `run`.
"""

import atexit
import linecache
import os
import random
import sys
import time
import traceback
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vetbox.sandbox.guest import bridge, protocol, reserve, wire

SITE_PACKAGES = "/app/site-packages"
WORKSPACE = "/app"
OURS = "<vetbox"  # how the file names of the guest's own modules begin; never shown to the user
FAILED = 1


@dataclass(frozen=True)
class Program:
    """What is to be run: its text, the name tracebacks show, and what the host sent with it."""

    code: str
    filename: str
    payload: object
    namespace: dict[str, object]


Entry = Callable[[Program], object]


def execute(program: Program) -> None:
    """The entry of a bare program: execute it as a script."""
    exec(  # noqa: S102 - executing it is what the box is for
        compile(program.code, program.filename, "exec", dont_inherit=True), program.namespace
    )


class Boot:
    """The entry that the snapshot was made for, and what takes its place in a rehearsal."""

    entry: Entry = staticmethod(execute)
    rehearsal: Entry = staticmethod(execute)


def run() -> None:
    """Run the program the host has for us and report its exit code and value."""
    channel = bridge.connect()
    program = _prepared(_order(channel))
    channel.tell(protocol.START)
    code, value = _executed(Boot.entry, program)
    reserve.KEPT.clear()
    _finish(program)
    _tell(channel, _report(code, value))


def rehearse() -> None:
    """Do what every run does, without a word to the host and without a trace.

    A page of memory has to be copied when it is first written to. A rehearsal has that done before
    anybody waits for the run.
    """
    main, path = sys.modules["__main__"], sys.path[:]
    program = _prepared(wire.loads(_REHEARSED, bridge.TAGS))  # type: ignore[arg-type]
    code, value = _executed(Boot.rehearsal, program)
    program.namespace.clear()
    _flush_all()
    _report(code, value)
    del linecache.cache[program.filename]
    sys.modules["__main__"], sys.path[:] = main, path


_REHEARSED = wire.dumps(
    {
        "code": "1 + 1",
        "filename": "<rehearsal>",
        "inject_setup": True,
        "env": {},
        "payload": None,
    }
)


def _tell(channel: bridge.Channel, report: str) -> None:
    try:
        channel.tell(protocol.RESULT, report)
    except OSError:
        print(
            "ValueError: the result is too large to cross the bridge; return a part of it",
            file=_STREAMS[1],
            flush=True,
        )
        channel.tell(protocol.RESULT, f"{FAILED} null")


def _order(channel: bridge.Channel) -> Mapping[str, Any]:
    text = channel.ask(protocol.PROGRAM).decode("ascii")
    return wire.loads(text, bridge.TAGS)  # type: ignore[return-value]


def _prepared(order: Mapping[str, Any]) -> Program:
    random.seed()  # the snapshot's generator has the same state in every run
    _count_processor_time()
    for name, value in order["env"].items():
        os.environ[name] = value
    code, filename = order["code"], order["filename"]
    sys.argv = [filename]
    if order["inject_setup"]:
        sys.path[:0] = [SITE_PACKAGES, WORKSPACE]
    linecache.cache[filename] = _Text(code, filename)  # type: ignore[assignment]  # as four items
    main = types.ModuleType("__main__")
    main.__file__ = filename
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    return Program(code, filename, order["payload"], main.__dict__)


_formatted = warnings.formatwarning


def _without_our_places(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    """A warning as usual; of a place in the guest's own modules nobody wants to know."""
    if filename.startswith(OURS):
        return f"{category.__name__}: {message}\n"
    return _formatted(message, category, filename, lineno, line)


warnings.formatwarning = _without_our_places


def _count_processor_time() -> None:
    """Count the time of the run; what the interpreter makes of WASI's ticks is nonsense."""
    begun = time.perf_counter_ns()

    def process_time_ns() -> int:
        return time.perf_counter_ns() - begun

    def process_time() -> float:
        return process_time_ns() / 1e9

    def times() -> os.times_result:
        spent = process_time()
        return os.times_result((spent, 0.0, 0.0, 0.0, time.monotonic()))

    time.process_time_ns, time.process_time, os.times = process_time_ns, process_time, times


# What str.splitlines takes for the end of a line and Python does not.
_NO_LINE_END = dict.fromkeys(map(ord, "\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


class _Text:
    """A program's entry in linecache, its lines made when a traceback asks for them.

    A plain lazy entry gives way to a file of that name, which a program may have put in its place.
    """

    def __init__(self, code: str, filename: str) -> None:
        self._code, self._filename = code, filename

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> object:
        return [*self][index]

    def __iter__(self) -> Iterator[object]:
        lines = [f"{line}\n" for line in self._code.translate(_NO_LINE_END).splitlines()]
        return iter((len(self._code), None, lines, self._filename))


def _executed(entry: Entry, program: Program) -> tuple[int, object]:
    try:
        return 0, entry(program)
    except SystemExit as leaving:
        return _exit_code(leaving), None
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is its result
        reserve.KEPT.clear()
        _show(error)
        return FAILED, None


def _exit_code(leaving: SystemExit) -> int:
    match leaving.code:
        case None:
            return 0
        case int(code):
            return code & 0xFF
        case text:
            print(text, file=sys.stderr)
            return FAILED


def _show(error: BaseException) -> None:
    try:
        if reserve.is_unsaid(error):
            error = MemoryError().with_traceback(error.__traceback__)
        _hide_our_frames(error)
        traceback.print_exception(error)
    except BaseException:  # noqa: BLE001 - an exception may refuse even to be printed
        print(type(error).__name__, file=_STREAMS[1])


def _hide_our_frames(error: BaseException) -> None:
    """Take the guest's own frames out of the tracebacks of an exception and what led to it."""
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        current.__traceback__ = _user_frames(current.__traceback__)
        pending += [current.__cause__, current.__context__]


def _user_frames(frame: types.TracebackType | None) -> types.TracebackType | None:
    frames = []
    while frame is not None:
        if not frame.tb_frame.f_code.co_filename.startswith(OURS):
            frames.append(frame)
        frame = frame.tb_next
    for this, following in zip(frames, [*frames, None][1:], strict=True):
        this.tb_next = following
    return frames[0] if frames else None


def _finish(program: Program) -> None:
    """Run what the program registered for its end, and print what is still buffered."""
    try:
        sys.settrace(None)  # what traces would find its own names gone
        sys.setprofile(None)
        atexit._run_exitfuncs()
        program.namespace.clear()  # where objects have a `__del__`
    except BaseException as error:  # noqa: BLE001 - as above
        _show(error)
    _flush_all()


def _flush_all() -> None:
    for stream in (*_STREAMS, getattr(sys, "stdout", None), getattr(sys, "stderr", None)):
        _flush(stream)


_STREAMS = sys.stdout, sys.stderr  # a program may put others in their places, or none


def _flush(stream: object) -> None:
    try:
        stream.flush()  # type: ignore[attr-defined]
    except BaseException:  # noqa: BLE001 - the program may have closed or replaced it
        return


def _report(code: int, value: object) -> str:
    try:
        return f"{code} {wire.dumps(value, bridge.TAGS)}"
    except BaseException as error:  # noqa: BLE001 - a value may refuse to be written
        why = str(error) or "it takes too much"
        kind = type(error).__name__
        print(f"{kind}: the result cannot be handed over: {why}", file=_STREAMS[1], flush=True)
        return f"{code or FAILED} null"
