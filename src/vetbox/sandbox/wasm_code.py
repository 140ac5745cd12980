"""Function bodies in WebAssembly: walked instruction by instruction, given new indices."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vetbox.sandbox.wasm_binary import MORE, read_unsigned, unsigned

CALL, CALL_INDIRECT, BRANCH_TABLE, GLOBAL_GET, GLOBAL_SET = 0x10, 0x11, 0x0E, 0x23, 0x24


@dataclass(frozen=True, slots=True)
class Relocation:
    """New indices for the functions a body calls and the globals it uses."""

    calls: Mapping[int, int]
    globals: Mapping[int, int]


def relocated(body: bytes, relocation: Relocation) -> bytes:
    """A function body in which calls and globals point to their new indices."""
    edits = _edits(body, relocation)
    out, done = bytearray(), 0
    for start, end, index in edits:
        out += body[done:start] + unsigned(index)
        done = end
    return bytes(out + body[done:])


def _edits(body: bytes, relocation: Relocation) -> list[tuple[int, int, int]]:
    tables = {
        CALL: relocation.calls,
        GLOBAL_GET: relocation.globals,
        GLOBAL_SET: relocation.globals,
    }
    edits = []
    for opcode, at, end in instructions(body):
        if opcode in tables:
            index, _ = read_unsigned(body, at)
            if index in tables[opcode]:
                edits.append((at, end, tables[opcode][index]))
    return edits


def instructions(body: bytes) -> Iterator[tuple[int, int, int]]:
    """Opcode, start and end of the immediates of each instruction."""
    at = _after_locals(body)
    while at < len(body):
        opcode, start = body[at], at + 1
        at = _after_immediates(body, opcode, start)
        yield opcode, start, at


def _after_locals(body: bytes) -> int:
    groups, at = read_unsigned(body, 0)
    for _ in range(groups):
        at = _after_numbers(body, at, 1) + 1
    return at


# How many LEB128 numbers follow an opcode; what is not listed has none.
_NUMBERS = (
    dict.fromkeys((0x02, 0x03, 0x04, 0x0C, 0x0D, CALL, 0x41, 0x42), 1)
    | dict.fromkeys(range(0x20, 0x27), 1)
    | dict.fromkeys(range(0x28, 0x3F), 2)
    | {CALL_INDIRECT: 2, 0x3F: 1, 0x40: 1}
)
_FIXED_BYTES = {0x43: 4, 0x44: 8}
_PREFIXED = 0xFC
_PREFIXED_NUMBERS = dict.fromkeys(range(8), 0) | {8: 2, 9: 1, 10: 2, 11: 1}


def _after_immediates(body: bytes, opcode: int, at: int) -> int:
    if opcode in _FIXED_BYTES:
        return at + _FIXED_BYTES[opcode]
    if opcode == BRANCH_TABLE:
        labels, at = read_unsigned(body, at)
        return _after_numbers(body, at, labels + 1)
    if opcode == _PREFIXED:
        operation, at = read_unsigned(body, at)
        return _after_numbers(body, at, _PREFIXED_NUMBERS[operation])
    return _after_numbers(body, at, _NUMBERS.get(opcode, 0))


def _after_numbers(body: bytes, at: int, count: int) -> int:
    for _ in range(count):
        while body[at] & MORE:
            at += 1
        at += 1
    return at
