"""Sealed values: kept as bytes until they are looked at, and read without trusting the bytes."""

import io
import pickle
from collections.abc import Hashable
from functools import lru_cache
from typing import Any

_PLAIN = frozenset(
    {("builtins", "frozenset"), ("builtins", "set")}
    | {("vetbox.rules.language.taint", "shared_place")}
)
_MODULES = ("vetbox.rules.", "vetbox.findings")


class Sealed:
    """Our own frozen value as the bytes it was written to; equal bytes are equal values."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data

    @classmethod
    def of(cls, value: Hashable) -> "Sealed":
        return cls(pickle.dumps(value, protocol=5))

    def open(self) -> Any:
        """The value, read once."""
        return _opened(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and other.data == self.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __reduce__(self) -> tuple[object, ...]:
        return Sealed, (self.data,)


def read(data: bytes) -> Any:
    """The value in the bytes; raises UnpicklingError for anything that is not ours."""
    return _Reader(io.BytesIO(data)).load()


@lru_cache(maxsize=10_000)
def _opened(data: bytes) -> Any:
    return read(data)


class _Reader(pickle.Unpickler):
    """Builds our own frozen values and nothing else, whatever the bytes say."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN or (module.startswith(_MODULES) and name[0].isupper()):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a rule")
