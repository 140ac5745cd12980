"""The parts of the WebAssembly binary format that the snapshot builder reads and rewrites.

A module is a list of numbered sections, and every integer is LEB128. See
https://webassembly.github.io/spec/core/binary/ for all of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from vetbox.sandbox.errors import SnapshotError

MAGIC = b"\0asm\x01\0\0\0"
FUNCTION_KIND, GLOBAL_KIND = 0, 3
MORE = 0x80  # the bit that says that another byte of a LEB128 number follows


class SectionId(IntEnum):
    """The numbers of the sections."""

    CUSTOM = 0
    TYPE = 1
    IMPORT = 2
    FUNCTION = 3
    TABLE = 4
    MEMORY = 5
    GLOBAL = 6
    EXPORT = 7
    START = 8
    ELEMENT = 9
    CODE = 10
    DATA = 11
    DATA_COUNT = 12


@dataclass(frozen=True, slots=True)
class Import:
    """A function that the module asks its host for: its name and the index of its type."""

    name: str
    type_index: int


@dataclass(frozen=True, slots=True)
class WasmModule:
    """A module taken apart into its sections, in file order."""

    sections: tuple[tuple[int, bytes], ...]

    @classmethod
    def parse(cls, data: bytes) -> "WasmModule":
        """Split a binary into sections; the payloads stay as they are."""
        if not data.startswith(MAGIC):
            raise SnapshotError("The interpreter is not a WebAssembly module of version 1.")
        try:
            return cls(tuple(_split_sections(data)))
        except IndexError:
            raise SnapshotError("The interpreter's file ends in the middle of a number.") from None

    def encode(self) -> bytes:
        """The module as a binary."""
        return MAGIC + b"".join(
            bytes([number]) + sized(payload) for number, payload in self.sections
        )

    def payload(self, number: SectionId) -> bytes:
        """The content of a section, which must be there."""
        for found, payload in self.sections:
            if found == number:
                return payload
        raise SnapshotError(f"The interpreter has no {number.name.lower()} section.")

    def replacing(self, payloads: Mapping[SectionId, bytes]) -> "WasmModule":
        """A module with the content of some of its sections exchanged."""
        return WasmModule(tuple((n, payloads.get(SectionId(n), p)) for n, p in self.sections))

    def without(self, *numbers: SectionId) -> "WasmModule":
        """A module that lacks some kinds of sections."""
        return WasmModule(tuple((n, p) for n, p in self.sections if n not in numbers))

    def imports(self) -> tuple[Import, ...]:
        """The imported functions, in the order of their indices."""
        return tuple(_imports(self.payload(SectionId.IMPORT)))

    def exported_functions(self) -> Mapping[str, int]:
        """The index of every function the module exports, by its name."""
        return dict(_exported_functions(self.payload(SectionId.EXPORT)))

    def count(self, number: SectionId) -> int:
        """How many items a section holds."""
        return read_unsigned(self.payload(number), 0)[0]

    def function_types(self) -> tuple[int, ...]:
        """The type index of each of the module's own functions."""
        payload, types = self.payload(SectionId.FUNCTION), []
        count, at = read_unsigned(payload, 0)
        for _ in range(count):
            index, at = read_unsigned(payload, at)
            types.append(index)
        return tuple(types)

    def functions(self) -> Iterator[bytes]:
        """The bodies of the module's own functions: local declarations and code."""
        payload = self.payload(SectionId.CODE)
        count, at = read_unsigned(payload, 0)
        for _ in range(count):
            size, at = read_unsigned(payload, at)
            yield payload[at : at + size]
            at += size


def read_unsigned(data: bytes, at: int) -> tuple[int, int]:
    """The LEB128 number at an offset, and the offset behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & MORE:
            return value, at


def unsigned(number: int) -> bytes:
    """A number as unsigned LEB128."""
    encoded = bytearray()
    while number >= MORE:
        encoded.append(number & 0x7F | MORE)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def signed(number: int) -> bytes:
    """A number as signed LEB128."""
    encoded = bytearray()
    while not -0x40 <= number < 0x40:  # noqa: PLR2004 - what seven bits hold
        encoded.append(number & 0x7F | MORE)
        number >>= 7
    encoded.append(number & 0x7F)
    return bytes(encoded)


def sized(payload: bytes) -> bytes:
    """Bytes with their length before them."""
    return unsigned(len(payload)) + payload


def export(name: str, kind: int, index: int) -> bytes:
    """An entry of the export section."""
    return sized(name.encode()) + bytes([kind]) + unsigned(index)


def vector(items: Iterable[bytes]) -> bytes:
    """A vector: a count and its items."""
    encoded = tuple(items)
    return unsigned(len(encoded)) + b"".join(encoded)


def joined(first: bytes, second: bytes) -> bytes:
    """One vector of the items of two."""
    (count, at), (more, behind) = read_unsigned(first, 0), read_unsigned(second, 0)
    return unsigned(count + more) + first[at:] + second[behind:]


def _split_sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = len(MAGIC)
    while at < len(data):
        number = data[at]
        size, at = read_unsigned(data, at + 1)
        if at + size > len(data):
            raise SnapshotError("The interpreter's file ends in the middle of a section.")
        yield number, data[at : at + size]
        at += size


def _imports(payload: bytes) -> Iterator[Import]:
    count, at = read_unsigned(payload, 0)
    for _ in range(count):
        _, at = _name(payload, at)
        name, at = _name(payload, at)
        if payload[at] != FUNCTION_KIND:
            raise SnapshotError(f"The interpreter imports {name!r}, which is not a function.")
        type_index, at = read_unsigned(payload, at + 1)
        yield Import(name, type_index)


def _exported_functions(payload: bytes) -> Iterator[tuple[str, int]]:
    count, at = read_unsigned(payload, 0)
    for _ in range(count):
        name, at = _name(payload, at)
        kind = payload[at]
        index, at = read_unsigned(payload, at + 1)
        if kind == FUNCTION_KIND:
            yield name, index


def _name(payload: bytes, at: int) -> tuple[str, int]:
    size, at = read_unsigned(payload, at)
    return payload[at : at + size].decode(), at + size
