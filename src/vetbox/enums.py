"""Enums that every Python pickles by their value: 3.11.2 writes a getattr, which nothing reads."""

from enum import IntEnum, StrEnum
from typing import Any


class TextEnum(StrEnum):
    """Words."""

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return type(self), (self.value,)


class LevelEnum(IntEnum):
    """Numbers that are compared."""

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return type(self), (self.value,)
