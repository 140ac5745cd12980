"""Runs one program in one fresh instance of the interpreter.

Functions that WebAssembly calls find their run through a thread-local: a closure for each run would
keep the run's memory, since wasmtime-py never lets go of a function.
"""

import atexit
import threading
import time
from collections.abc import Callable
from contextlib import closing

import wasmtime

from vetbox.sandbox.channel import Answer, Channel
from vetbox.sandbox.errors import SandboxError
from vetbox.sandbox.image import ENGINE, FromScratch, Image, Snapshotted, Start
from vetbox.sandbox.job import Ending, Job
from vetbox.sandbox.limits import Limit
from vetbox.sandbox.models import MAXIMUM_MEMORY
from vetbox.sandbox.names import QUOTA_BYTES, QUOTA_FILES, REHEARSE, RUN, RUN_STRING, WASI
from vetbox.sandbox.native import (
    Exports,
    GuestMemory,
    HostFunction,
    ending_when,
    watch_epochs,
)
from vetbox.sandbox.output import CappedOutput
from vetbox.sandbox.syscalls import Syscalls
from vetbox.sandbox.watch import Ticker, Watch

REHEARSAL_TICKS = 1_000  # ten seconds; it takes two milliseconds
START_FUEL = 20_000_000_000  # for the boot, before the program's own budget begins
TABLE_ELEMENTS = 20_000  # the interpreter's own table has 5,200
STDOUT, STDERR = 1, 2
MILLISECONDS = 1_000


def engine() -> wasmtime.Engine:
    """An engine that compiles, and runs what was compiled, as `ENGINE` says."""
    config = wasmtime.Config()
    for name, value in ENGINE.items():
        setattr(config, name, value)
    return wasmtime.Engine(config)


def compiled(wasm: bytes) -> bytes:
    """The native code of a module, for `Host`."""
    return bytes(wasmtime.Module(engine(), wasm).serialize())


class Host:
    """An interpreter, loaded once, in which any number of threads may run programs."""

    def __init__(self, image: Image) -> None:
        self._engine = engine()
        self._image = image
        module = wasmtime.Module.deserialize_file(self._engine, str(image.code))
        self._linked = _linker(self._engine).instantiate_pre(module)
        atexit.register(self._linked.close)  # later, wasmtime's own functions are gone
        self._ticker = Ticker(self._engine.increment_epoch)

    def run(self, job: Job, answer: Answer, cancel: threading.Event | None = None) -> Ending:
        """Run a program to its end or limit; `answer` is asked for the host functions it calls."""
        with closing(self.instance(job.memory)) as instance:
            return instance.run(job, answer, cancel)

    def instance(self, memory: int = MAXIMUM_MEMORY) -> "Instance":
        """An interpreter for one program, its memory limited to some bytes; to be closed."""
        return Instance(self._engine, self._linked, self._image, self._ticker, memory)


class Instance:
    """An interpreter that runs one program."""

    def __init__(
        self,
        engine: wasmtime.Engine,
        linked: wasmtime.InstancePre,
        image: Image,
        ticker: Ticker,
        memory: int,
    ) -> None:
        self.image, self._ticker = image, ticker
        self.store = wasmtime.Store(engine)
        try:
            self.store.set_fuel(START_FUEL)
            self._limit(memory)
            self.store.set_wasi(wasmtime.WasiConfig())  # without any, wasmtime ends the process
            self.exports = Exports(linked.instantiate(self.store), self.store)
            self.memory = GuestMemory(self.exports.memory(), self.store)
        except wasmtime.WasmtimeError as error:
            self.store.close()
            raise _not_made(str(error).splitlines()[0]) from None

    def rehearse(self) -> None:
        """Let it do now what every run does: what it writes to is then its own memory already."""
        if not isinstance(self.image.start, Snapshotted):
            return
        self.store.set_epoch_deadline(REHEARSAL_TICKS)
        self.memory.write(self.image.start.stub, REHEARSE)
        try:
            self.exports.function(RUN_STRING)(self.store, self.image.start.stub, 0)
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            raise _not_made(str(error).splitlines()[0]) from None
        self.memory.write(self.image.start.stub, RUN)

    def run(self, job: Job, answer: Answer, cancel: threading.Event | None = None) -> Ending:
        """As `Host.run`, once."""
        outer = getattr(_current, "run", None)  # a host function may run a program of its own
        try:
            with self._ticker:
                self._furnish(job)
                _current.run = run = _Run(self, job, Watch(job.timeout, cancel), answer)
                return run.to_the_end()
        finally:
            _current.run = outer

    def close(self) -> None:
        """Give the memory back."""
        self.store.close()

    def _furnish(self, job: Job) -> None:
        """Let it have what the job may use."""
        if self.memory.size() > job.memory:
            raise _not_made(f"it takes {self.memory.size():,} bytes of memory")
        self._limit(job.memory)
        self.store.set_fuel(START_FUEL)
        watch_epochs(self.store, _END_WHEN_OVER)
        self.store.set_wasi(_world(job, self.image.start))
        self.exports.variable(QUOTA_BYTES).set_value(self.store, job.disk)
        self.exports.variable(QUOTA_FILES).set_value(self.store, job.files)

    def _limit(self, memory: int) -> None:
        self.store.set_limits(memory, TABLE_ELEMENTS, instances=1, tables=1, memories=1)


class _Run:
    """A program in an instance from its start to its end."""

    def __init__(self, instance: Instance, job: Job, watch: Watch, answer: Answer) -> None:
        self._store, self._exports, self._image = instance.store, instance.exports, instance.image
        self.memory = instance.memory
        self._job = job
        self.watch = watch
        self._out = CappedOutput(job.stdout_max, watch)
        self._err = CappedOutput(job.stderr_max, watch)
        self._channel = Channel(job.program, answer, self._begin, job.tool_calls, watch)
        self.syscalls = Syscalls(
            self._channel, {STDOUT: self._out, STDERR: self._err}, watch, job.message_max
        )
        self._born = self._begun = time.perf_counter()

    def to_the_end(self) -> Ending:
        """Run the program, and say how it ended."""
        return self._ending(self._started(self._image.start))

    def _started(self, start: Start) -> str | None:
        """Start the program; a sentence when the instance did not come to its end."""
        match start:
            case Snapshotted(stub, slots):
                self._name_mounts(slots)
                function = self._exports.function(RUN_STRING)
                return self._called(lambda: function(self._store, stub, 0))
            case FromScratch():
                return self._called(self._main)

    def _main(self) -> None:
        """The interpreter's own main, which ends by exiting even when all is well."""
        try:
            self._exports.function("_start")(self._store)
        except wasmtime.ExitTrap as leaving:
            if leaving.code != 0 or self._channel.result is None:
                raise

    def _name_mounts(self, slots: tuple[int, ...]) -> None:
        """Write the guest paths over the names that libc has for the mount slots."""
        for (_, guest), address in zip(self._job.mounts, slots, strict=False):
            self.memory.write(address, guest.removeprefix("/").encode() + b"\0")

    def _called(self, function: Callable[[], object]) -> str | None:
        try:
            function()
        except wasmtime.ExitTrap as leaving:
            return f"The program left the interpreter at once, with exit code {leaving.code}."
        except wasmtime.Trap as trap:
            return _trap_sentence(trap, self.watch)
        except wasmtime.WasmtimeError:
            return "The program left the interpreter at once."
        return None

    def _begin(self) -> None:
        """The program's own fuel and time start now."""
        self._begun = time.perf_counter()
        self.watch.begin()
        self._store.set_fuel(self._job.fuel)

    def _ending(self, error: str | None) -> Ending:
        code, value = self._channel.result or (None, None)
        limit = self.watch.reason
        done = error is None and limit is None and code is not None
        now = time.perf_counter()
        return Ending(
            exit_code=code if done else None,
            value=value if done else None,
            limit=limit,
            error=None if done else error or "The program ended without a result.",
            stdout=self._out.text(),
            stderr=self._err.text(),
            stdout_truncated=self._out.truncated,
            stderr_truncated=self._err.truncated,
            fuel=self._job.fuel - self._store.get_fuel() if self._channel.started else 0,
            memory=self.memory.size(),
            startup_ms=(self._begun - self._born) * MILLISECONDS,
            duration_ms=(now - self._begun) * MILLISECONDS,
            tool_calls=self._channel.calls,
            metadata=self._image.metadata,
        )


def _world(job: Job, start: Start) -> wasmtime.WasiConfig:
    """What a program sees of the host."""
    world = wasmtime.WasiConfig()
    if isinstance(start, FromScratch):
        world.argv = ["python", "-I", "-B", "-c", start.source]
    world.preopen_dir(job.workspace, "/app", True)
    for host, guest in job.mounts:
        world.preopen_dir(host, guest, False)
    return world


def _not_made(reason: str) -> SandboxError:
    return SandboxError(f"No instance of the interpreter could be made: {reason}.")


def _trap_sentence(trap: wasmtime.Trap, watch: Watch) -> str:
    match trap.trap_code:
        case wasmtime.TrapCode.OUT_OF_FUEL:
            watch.stop(Limit.FUEL)
            return "OutOfFuel: the program used up its fuel."
        case wasmtime.TrapCode.MEMORY_OUT_OF_BOUNDS | wasmtime.TrapCode.STACK_OVERFLOW:
            return "The interpreter's stack overflowed."
        case wasmtime.TrapCode.UNREACHABLE:
            return "The interpreter aborted."
        case code:
            return f"The interpreter crashed ({code.name.lower() if code else 'unknown trap'})."


_current = threading.local()


def _run() -> _Run:
    run: _Run = _current.run
    return run


def _over() -> bool:
    return _run().watch.over()


def _send(fd: int, vectors: int, count: int, _flags: int, written: int) -> int:
    run = _run()
    return run.syscalls.send(run.memory, fd, vectors, count, written)


def _receive(fd: int, vectors: int, _count: int, _flags: int, read: int, flags: int) -> int:
    run = _run()
    return run.syscalls.receive(run.memory, fd, vectors, read, flags)


def _poll(wanted: int, happened: int, count: int, events: int) -> int:
    run = _run()
    return run.syscalls.poll(run.memory, wanted, happened, count, events)


_END_WHEN_OVER = ending_when(_over)
_ANSWERED_HERE = {
    "sock_send": HostFunction(5, _send),
    "sock_recv": HostFunction(6, _receive),
    "poll_oneoff": HostFunction(4, _poll),
}


def _linker(engine: wasmtime.Engine) -> wasmtime.Linker:
    linker = wasmtime.Linker(engine)
    linker.allow_shadowing = True
    linker.define_wasi()
    for name, function in _ANSWERED_HERE.items():
        function.define(linker, WASI, name)
    return linker
