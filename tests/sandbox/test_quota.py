"""Guards put before a module's imports, and the small binary format they need."""

import contextlib

import pytest
import wasmtime
from hypothesis import given
from hypothesis import strategies as st

from vetbox.sandbox import runtime
from vetbox.sandbox.errors import SnapshotError
from vetbox.sandbox.quota import with_quotas
from vetbox.sandbox.snapshot import guarded
from vetbox.sandbox.wasm_binary import (
    WasmModule,
    read_unsigned,
    signed,
    unsigned,
)
from vetbox.sandbox.wasm_code import CALL, instructions

GUARDED = {
    "fd_write", "fd_pwrite", "fd_filestat_set_size", "fd_allocate", "fd_close", "path_open",
    "path_create_directory", "path_remove_directory", "path_unlink_file", "path_symlink",
    "path_link",
}  # fmt: skip
HOST = """(import "wasi" "spend" (func $spend (param i32) (result i32)))"""
PROGRAM = f"""(module {HOST}
  (global i32 (i32.const 0))
  (func $twice (param i32) (result i32)
    (block (br_table 0 0 (i32.const 0)))
    (i32.add (call $spend (local.get 0)) (call $spend (i32.const 300))))
  (export "twice" (func $twice)))"""
GUARD = f"""(module {HOST}
  (global $left (mut i64) (i64.const 0))
  (global $unused (mut i64) (i64.const 0))
  (func $cost (param i32) (result i64) (i64.extend_i32_u (local.get 0)))
  (func (export "spend") (param i32) (result i32)
    (if (i64.gt_u (call $cost (local.get 0)) (global.get $left)) (then (return (i32.const -1))))
    (global.set $left (i64.sub (global.get $left) (call $cost (local.get 0))))
    (call $spend (local.get 0))))"""


def module(text: str) -> WasmModule:
    return WasmModule.parse(bytes(wasmtime.wat2wasm(text)))


def run(budget: int, argument: int) -> tuple[int, list[int], int]:
    spent: list[int] = []
    store = wasmtime.Store()
    made = wasmtime.Module(store.engine, with_quotas(module(PROGRAM), module(GUARD)).encode())
    host = wasmtime.Func(
        store,
        wasmtime.FuncType([wasmtime.ValType.i32()], [wasmtime.ValType.i32()]),
        lambda n: spent.append(n) or n,
    )
    exports = wasmtime.Instance(store, made, [host]).exports(store)
    exports["quota_bytes"].set_value(store, budget)
    return exports["twice"](store, argument), spent, exports["quota_bytes"].value(store)


def test_a_guarded_call_is_paid_for() -> None:
    assert run(1_000, 200) == (500, [200, 300], 500)


def test_a_call_over_the_budget_does_not_reach_the_host() -> None:
    assert run(299, 200) == (199, [200], 99)


def test_no_call_of_the_interpreter_passes_a_guard_by() -> None:
    made = guarded(runtime.install(print).path.read_bytes())
    names = [found.name for found in made.imports()]
    watched = {index for index, name in enumerate(names) if name in GUARDED}
    callers = [
        number
        for number, body in enumerate(made.functions())
        for opcode, start, _ in instructions(body)
        if opcode == CALL and read_unsigned(body, start)[0] in watched
    ]
    assert callers
    assert min(callers) >= 11_448  # the functions of the interpreter itself


@given(st.integers(min_value=0, max_value=1 << 64))
def test_unsigned_numbers_are_read_as_written(number: int) -> None:
    assert read_unsigned(unsigned(number), 0) == (number, len(unsigned(number)))


@pytest.mark.parametrize(
    ("number", "encoded"),
    [(0, "00"), (63, "3f"), (64, "c000"), (-1, "7f"), (-64, "40"), (-65, "bf7f"), (8192, "80c000")],
)
def test_signed_numbers_are_as_the_specification_has_them(number: int, encoded: str) -> None:
    assert signed(number).hex() == encoded


def test_a_module_is_written_as_it_was_read() -> None:
    data = bytes(wasmtime.wat2wasm(PROGRAM))
    assert WasmModule.parse(data).encode() == data


def test_a_module_that_lacks_what_is_guarded_is_refused() -> None:
    other = PROGRAM.replace('"spend"', '"waste"')
    with pytest.raises(SnapshotError, match=r"does not import spend\."):
        with_quotas(module(other), module(GUARD))


def test_a_module_without_functions_is_refused() -> None:
    with pytest.raises(SnapshotError, match=r"has no \w+ section"):
        guarded(bytes(wasmtime.wat2wasm("(module)")))


def test_a_file_that_ends_early_is_refused() -> None:
    data = bytes(wasmtime.wat2wasm(PROGRAM))
    for size in range(9, len(data)):
        with contextlib.suppress(SnapshotError):  # a cut between sections is no error here
            assert WasmModule.parse(data[:size]).encode() == data[:size]


@pytest.mark.parametrize("data", [b"", b"\0asm", b"ELF", b"\0asm\x02\0\0\0"])
def test_what_is_no_module_is_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError, match="not a WebAssembly module"):
        WasmModule.parse(data)
