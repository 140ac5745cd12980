"""The pre-initialised interpreter: CPython started once, its memory kept as a module of its own.

Starting CPython takes tens of milliseconds, nearly all of it the same in every run. So it is done
once, up to a moment at which nothing is going on: the interpreter, given no script, asks for its
standard input. No Python frame exists then, and the only C frames are those of the prompt, which
will never be returned to. In that instance the modules a run needs are imported; then its linear
memory and its stack pointer are written into a new module. An instance of that module *is* the
interpreter, ready, and the operating system shares its unchanged pages between all runs.

Three things are added to the stock binary, none of which moves an existing index: quota guards
before the file system (quota.py), and two exports that let the host run a string and set the stack.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import cast

import wasmtime

from vetbox.sandbox.errors import SnapshotError
from vetbox.sandbox.guest_package import GuestPackage
from vetbox.sandbox.interpreters import Interpreter
from vetbox.sandbox.mounts import SLOTS
from vetbox.sandbox.names import (
    QUOTA_BYTES,
    QUOTA_FILES,
    RUN,
    RUN_STRING,
    STACK_POINTER,
    WASI,
)
from vetbox.sandbox.native import Exports
from vetbox.sandbox.quota import with_quotas
from vetbox.sandbox.wasm_binary import (
    FUNCTION_KIND,
    GLOBAL_KIND,
    SectionId,
    WasmModule,
    export,
    joined,
    read_unsigned,
    signed,
    sized,
    unsigned,
    vector,
)

LISTED, LISTED_BYTES = "objects", 10_000_000
LISTING = f"""
import vetbox.sandbox.guest.lasting as lasting
lasting.write_addresses("/app/{LISTED}")
del lasting
""".encode()
MANY = 1 << 20  # references to one object; the first bytes of what is no object are an address
PAGE = 65_536
BLOCK = 4096  # bytes; all-zero blocks are left out of the data section, memory starts as zeros
RED_ZONE = 1024  # bytes below the stack pointer that compiled C may be using

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A module to instantiate, and where in its memory the source of the stub is."""

    wasm: bytes
    stub: int
    slots: tuple[int, ...]


class _AtPrompt(Exception):
    """The interpreter has started and asks for its first line of input."""


def build_snapshot(
    wasm: bytes, interpreter: Interpreter, guest: GuestPackage, folder: Path, progress: Progress
) -> Snapshot:
    """Start the interpreter, import the guest package, and keep the memory as a module.

    The folder, an empty one, is all that the interpreter sees meanwhile.
    """
    progress("Preparing the interpreter: adding quotas to it")
    module = _opened(guarded(wasm), interpreter)
    progress("Preparing the interpreter: compiling it")
    with closing(_Instance(module.encode(), folder)) as instance:
        progress("Preparing the interpreter: starting it")
        instance.start()
        stub = instance.install(guest.source().encode())
        memory, stack = bytearray(instance.memory()), instance.stack()
        let_last(instance.objects(stub), memory, interpreter.for_ever)
    memory[stub : stub + len(RUN)] = RUN
    return Snapshot(_frozen(module, bytes(memory), stack).encode(), stub, _slots(memory))


def let_last(objects: Iterable[int], memory: bytearray, for_ever: int) -> None:
    """Take objects out of the counting of references; why is said in guest/lasting.py."""
    for address in objects:
        references = int.from_bytes(memory[address : address + 4], "little")
        if not (0 < references < MANY or references == for_ever):
            raise SnapshotError("The interpreter lists what is no object.")
        memory[address : address + 4] = for_ever.to_bytes(4, "little")


def guarded(wasm: bytes) -> WasmModule:
    """An interpreter, any one, with its quotas and without its debugging sections."""
    guards = files("vetbox.sandbox").joinpath("quota.wat").read_text()
    return with_quotas(
        WasmModule.parse(wasm).without(SectionId.CUSTOM),
        WasmModule.parse(bytes(wasmtime.wat2wasm(guards))),
    )


def _opened(module: WasmModule, interpreter: Interpreter) -> WasmModule:
    """The module with two more exports."""
    exports = vector(
        [
            export(RUN_STRING, FUNCTION_KIND, interpreter.run_string),
            export(STACK_POINTER, GLOBAL_KIND, interpreter.stack_pointer),
        ]
    )
    return module.replacing({SectionId.EXPORT: joined(module.payload(SectionId.EXPORT), exports)})


class _Instance:
    """The interpreter while it is being prepared."""

    def __init__(self, wasm: bytes, folder: Path) -> None:
        config = wasmtime.Config()
        config.cranelift_opt_level = "none"  # it runs for a moment only
        engine = wasmtime.Engine(config)
        module = wasmtime.Module(engine, wasm)
        self._printed = bytearray()
        self._folder = folder
        self._store = wasmtime.Store(engine)
        self._store.set_wasi(self._world())
        linker = wasmtime.Linker(engine)
        linker.allow_shadowing = True
        linker.define_wasi()
        linker.define_func(WASI, "fd_read", _function_of(4), _prompted)
        linker.define_func(WASI, "sock_send", _function_of(5), self._print, access_caller=True)
        self._exports = Exports(linker.instantiate(self._store, module), self._store)

    def _world(self) -> wasmtime.WasiConfig:
        """What WASI shows; the descriptors of its folders must be the same in every later run."""
        world = wasmtime.WasiConfig()
        world.argv = ["python"]
        world.env = [("PYTHONDONTWRITEBYTECODE", "1")]
        world.preopen_dir(str(self._folder), "/app", True)
        for slot in SLOTS:
            world.preopen_dir(str(self._folder), slot, False)
        return world

    def start(self) -> None:
        """Run CPython's main until it prompts."""
        try:
            self._exports.function("_start")(self._store)
        except _AtPrompt:
            return
        raise SnapshotError("The interpreter ended instead of asking for its input.")

    def install(self, source: bytes) -> int:
        """Run the guest package's source; the address at which its text was."""
        stack = self._exports.variable(STACK_POINTER)
        stack.set_value(self._store, (stack.value(self._store) - RED_ZONE) & ~15)
        memory = self._exports.memory()
        at = memory.data_len(self._store)
        memory.grow(self._store, len(source) // PAGE + 1)
        self._run(source, at)
        memory.write(self._store, bytes(len(source)), at)
        return at

    def objects(self, at: int) -> Iterable[int]:
        """The addresses of all objects; finding them changes the memory."""
        self._exports.variable(QUOTA_BYTES).set_value(self._store, LISTED_BYTES)
        self._exports.variable(QUOTA_FILES).set_value(self._store, 1)
        self._run(LISTING, at)
        listing = (self._folder / LISTED).read_bytes()
        return [address for (address,) in struct.iter_unpack("<I", listing)]

    def _run(self, source: bytes, at: int) -> None:
        """Run a text in the module `__main__`, put at an address."""
        self._exports.memory().write(self._store, source + b"\0", at)
        if self._exports.function(RUN_STRING)(self._store, at, 0) != 0:
            raise SnapshotError(f"The guest package could not be imported: {self._last_line()}")

    def _print(
        self, caller: wasmtime.Caller, _fd: int, vectors: int, _count: int, _flags: int, done: int
    ) -> int:
        """Stand in for what the quota guards make of a print; the first part of it is enough."""
        memory = cast(wasmtime.Memory, caller["memory"])
        address, size = struct.unpack("<II", memory.read(caller, vectors, vectors + 8))
        self._printed += memory.read(caller, address, address + size)
        memory.write(caller, struct.pack("<I", size), done)
        return 0

    def _last_line(self) -> str:
        return self._printed.decode("utf-8", "replace").rstrip().rpartition("\n")[2]

    def memory(self) -> bytes:
        """The whole linear memory."""
        return bytes(self._exports.memory().read(self._store))

    def stack(self) -> int:
        """The stack pointer."""
        return int(self._exports.variable(STACK_POINTER).value(self._store))

    def close(self) -> None:
        """Give the memory back."""
        self._store.close()


def _function_of(arguments: int) -> wasmtime.FuncType:
    """A new one for every engine: wasmtime ends the process when two engines share a type."""
    i32 = wasmtime.ValType.i32()
    return wasmtime.FuncType([i32] * arguments, [i32])


def _prompted(descriptor: int, _vectors: int, _count: int, _read: int) -> int:
    """Stand in for reading: nothing but the prompt reads while the interpreter starts."""
    raise _AtPrompt


def _frozen(module: WasmModule, memory: bytes, stack: int) -> WasmModule:
    """The module whose memory starts as this one's ended."""
    size = unsigned(1) + b"\0" + unsigned(len(memory) // PAGE)
    segments = vector(_segment(start, memory[start:end]) for start, end in _used(memory))
    return module.without(SectionId.DATA_COUNT).replacing(
        {
            SectionId.MEMORY: size,
            SectionId.DATA: segments,
            SectionId.GLOBAL: _with_stack(module.payload(SectionId.GLOBAL), stack),
        }
    )


def _segment(start: int, content: bytes) -> bytes:
    return b"\0\x41" + signed(start) + b"\x0b" + sized(content)


def _used(memory: bytes) -> Iterator[tuple[int, int]]:
    """The spans of blocks that are not all zeros."""
    zeros, start = bytes(BLOCK), None
    for at in range(0, len(memory) + 1, BLOCK):
        used = at < len(memory) and memory[at : at + BLOCK] != zeros
        if used and start is None:
            start = at
        elif not used and start is not None:
            yield start, at
            start = None


def _with_stack(section: bytes, stack: int) -> bytes:
    """The global section with another initial value of its first, the stack pointer."""
    count, at = read_unsigned(section, 0)
    if section[at : at + 3] != b"\x7f\x01\x41":
        raise SnapshotError("The interpreter's first global is not a stack pointer.")
    end = section.index(b"\x0b", at + 3)
    return unsigned(count) + b"\x7f\x01\x41" + signed(stack) + section[end:]


def _slots(memory: bytearray) -> tuple[int, ...]:
    """Where libc keeps the name of each mount slot, to be overwritten with a mount's path."""
    return tuple(_place_of(slot, memory) for slot in SLOTS)


def _place_of(slot: str, memory: bytearray) -> int:
    name = slot.removeprefix("/").encode() + b"\0"
    if memory.count(name) != 1:
        raise SnapshotError("The interpreter keeps the names of its folders in an unknown way.")
    return memory.index(name)
