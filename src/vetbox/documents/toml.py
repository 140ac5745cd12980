"""TOML with the places of its keys."""

import re
import tomllib
from collections.abc import Iterator

from vetbox.documents.document import MAX_BYTES, Document, DocumentError, Key, Place, check_size

_PLACE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")
_TABLE = re.compile(r"\s*\[\[?([^\]]+)\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*([\w.\"'-]+)\s*=")


def read_toml(text: str, path: str, *, max_bytes: int = MAX_BYTES) -> Document:
    """Read a TOML document; raises DocumentError with the place of what is wrong."""
    check_size(text, path, max_bytes)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, column = _place(str(error), text)
        sentence = _PLACE.sub("", str(error)).rstrip()
        raise DocumentError(path, line, column, f"not TOML: {sentence}") from error
    except RecursionError as error:
        raise DocumentError(path, 1, 1, "nested too deeply; flatten it") from error
    places: dict[tuple[Key, ...], Place] = {}
    for keys, place in _keys(text):
        places.setdefault(keys, place)
    return Document(path, data, places, places)


def _place(message: str, text: str) -> Place:
    found = _PLACE.search(message)
    if found is None:
        return 1, 1
    if found[1] is None:  # where the document ends
        return text.count("\n") + 1, len(text) - text.rfind("\n")
    return int(found[1]), int(found[2])


def _keys(text: str) -> Iterator[tuple[tuple[Key, ...], Place]]:
    """The keys that stand at the start of a line: enough to point at a mistake."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := _TABLE.fullmatch(line):
            table = _path(heading[1])
            yield from ((table[: end + 1], (number, 1)) for end in range(len(table)))
        elif key := _KEY.match(line):
            yield (*table, *_path(key[1])), (number, key.start(1) + 1)


def _path(written: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in written.split("."))
