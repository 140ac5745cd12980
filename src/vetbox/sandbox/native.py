"""The parts of wasmtime that its Python package lacks, or wraps too slowly for a run of 1 ms."""

import ctypes
from collections.abc import Callable
from typing import Any, cast

import wasmtime
from wasmtime import _bindings as bindings
from wasmtime._extern import wrap_extern

from vetbox.sandbox.syscalls import FAULT, MemoryFault

U32 = 0xFFFF_FFFF


class Exports:
    """The exports of an instance, each by its kind; wasmtime-py's own mapping makes all at once."""

    def __init__(self, instance: wasmtime.Instance, store: wasmtime.Store) -> None:
        self._of = store._context(), ctypes.byref(instance._instance)
        self._store = store  # owns the context

    def function(self, name: str) -> wasmtime.Func:
        """A function."""
        return cast(wasmtime.Func, self._export(name))

    def variable(self, name: str) -> wasmtime.Global:
        """A global."""
        return cast(wasmtime.Global, self._export(name))

    def memory(self) -> wasmtime.Memory:
        """The linear memory."""
        return cast(wasmtime.Memory, self._export("memory"))

    def _export(self, name: str) -> object:
        item, word = bindings.wasmtime_extern_t(), name.encode()
        if not bindings.wasmtime_instance_export_get(
            *self._of, word, len(word), ctypes.byref(item)
        ):
            raise KeyError(name)
        return wrap_extern(item)


class GuestMemory:
    """The linear memory of the running instance, bounds checked."""

    def __init__(self, memory: wasmtime.Memory, store: wasmtime.Store) -> None:
        self._here = store._context(), ctypes.byref(memory._memory)
        self._store = store  # owns the context

    def size(self) -> int:
        """Bytes; a guest's memory never shrinks, so this is its peak."""
        size: int = bindings.wasmtime_memory_data_size(*self._here)
        return size

    def read(self, address: int, size: int) -> bytes:
        """A copy of some of it."""
        return ctypes.string_at(self._place(address, size), size)

    def write(self, address: int, data: bytes) -> None:
        """Change some of it."""
        ctypes.memmove(self._place(address, len(data)), data, len(data))

    def _place(self, address: int, size: int) -> int:
        if not 0 <= address <= self.size() - size:
            raise MemoryFault
        start = bindings.wasmtime_memory_data(*self._here)
        return ctypes.addressof(start.contents) + address


class HostFunction:
    """A function of 32-bit numbers that WebAssembly may import; it must not raise.

    wasmtime-py's own wrapping takes four times as long, and keeps an exception of a function in one
    variable of the whole process, where another thread's run may find it. Here what is raised all
    the same is an error number to the guest, and Python reports it as unraisable.
    """

    def __init__(self, arguments: int, function: Callable[..., int]) -> None:
        numbers = range(arguments)

        def call(_data: Any, _caller: Any, values: Any, _count: int) -> int:
            result = FAULT
            try:
                result = function(*[values[index].i32 & U32 for index in numbers])
            finally:
                values[0].i32 = result
            return _NO_TRAP

        self._arguments = arguments
        self._callback = bindings.wasmtime_func_unchecked_callback_t(call)

    def define(self, linker: wasmtime.Linker, module: str, name: str) -> None:
        """Let modules of a linker import it."""
        i32 = wasmtime.ValType.i32
        kind = wasmtime.FuncType([i32()] * self._arguments, [i32()])
        names = module.encode(), len(module), name.encode(), len(name)
        bindings.wasmtime_linker_define_func_unchecked(
            linker.ptr(), *names, kind.ptr(), self._callback, None, _NO_FINALIZER
        )


_NO_TRAP = 0
_NO_FINALIZER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)()
_EPOCH_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_size_t,
    ctypes.POINTER(bindings.wasmtime_context_t),
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.POINTER(bindings.wasmtime_update_deadline_kind_t),
)
_GO_ON, _CONTINUE = 0, 0


def ending_when(over: Callable[[], bool]) -> Any:
    """A callback for `watch_epochs` that ends the instance once something is true.

    It fails closed: when `over` raises, the instance ends.
    """

    def call(_context: Any, _data: Any, delta: Any, kind: Any) -> int:
        end = True
        try:
            end = over()
        finally:
            if end:
                return _error()  # noqa: B012 - an exception cannot pass through WebAssembly
        delta[0] = 1
        kind[0] = _CONTINUE
        return _GO_ON

    return _EPOCH_CALLBACK(call)


def watch_epochs(store: wasmtime.Store, callback: Any) -> None:
    """Call back at every epoch of the engine while the store's instance runs."""
    store.set_epoch_deadline(1)
    bindings.wasmtime_store_epoch_deadline_callback(store.ptr(), callback, None, _NO_FINALIZER)


def _error() -> int:
    error = bindings.wasmtime_error_new(b"stopped")
    return ctypes.cast(error, ctypes.c_void_p).value or 0
