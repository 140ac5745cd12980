"""A document that was read: plain data with the place of every value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vetbox.errors import VetboxError

MAX_BYTES = 1_000_000
Key = str | int
Place = tuple[int, int]


class DocumentError(VetboxError):
    """A document that cannot be read; the text is `path:line:column: sentence`."""

    def __init__(self, path: str, line: int, column: int, sentence: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {sentence}")
        self.path, self.line, self.column, self.sentence = path, line, column, sentence


@dataclass(frozen=True, slots=True)
class Document:
    """`data` is of dict, list, str, int, float, bool and None; lines and columns are 1-based."""

    path: str
    data: Any
    values: Mapping[tuple[Key, ...], Place] = field(default_factory=dict, repr=False)
    keys: Mapping[tuple[Key, ...], Place] = field(default_factory=dict, repr=False)

    def position(self, *keys: Key) -> Place:
        """Where the value at a path of keys and indices starts, or the nearest one around it."""
        return _nearest(self.values, keys)

    def key_position(self, *keys: Key) -> Place:
        """Where the key itself is written."""
        return self.keys.get(keys) or self.position(*keys)

    def problem(self, keys: tuple[Key, ...], sentence: str) -> str:
        """A sentence about what stands at a path of keys, with its place."""
        line, column = self.position(*keys)
        return placed(self.path, line, column, keys, sentence)


def placed(path: str, line: int, column: int, keys: tuple[Key, ...], sentence: str) -> str:
    """A sentence about what stands at some keys, with its place."""
    return f"{path}:{line}:{column}: {'.'.join(map(str, keys)) or 'the file'}: {sentence}"


def check_size(text: str, path: str, max_bytes: int) -> None:
    """Raises DocumentError for a text that is larger."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise DocumentError(path, 1, 1, f"{size:,} bytes; at most {max_bytes:,} are read")


def _nearest(places: Mapping[tuple[Key, ...], Place], keys: tuple[Key, ...]) -> Place:
    for length in range(len(keys), -1, -1):
        if keys[:length] in places:
            return places[keys[:length]]
    return 1, 1
