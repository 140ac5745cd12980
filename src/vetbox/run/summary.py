"""One sentence about a text too long to show: what kind of thing it is, and how much of it."""

import json
import re
from collections import Counter
from collections.abc import Mapping

from vetbox.counting import counted

# What grep, ripgrep and linters print: path:line:text.
_MATCH = re.compile(r"^(?!\d+:)(?P<path>[^\s:][^:\n]*):(?P<line>\d+)[:-]", re.MULTILINE)
_PATH_KEYS = ("path", "file", "file_path", "filename")
MOSTLY = 0.8  # of the lines: then the text is a list of matches
MAX_KEYS = 6  # named before "…"


def summarised(text: str) -> str:
    """`847 matches in 42 files`, `1,200 items, each with id, name`, `3,456 lines of text`."""
    content = _json(text)
    match content:
        case list():
            return _of_list(content)
        case dict():
            return _of_object(content)
        case _:
            return _of_text(text)


def _json(text: str) -> object:
    if not text.startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_list(items: list[object]) -> str:
    records = [item for item in items if isinstance(item, dict)]
    if not records:
        return counted(len(items), "item")
    if (key := _path_key(records[0])) is not None:
        return _matches(len(items), len({str(record.get(key)) for record in records}))
    return f"{counted(len(items), 'item')}, each with {_named(records[0])}"


def _of_object(content: Mapping[str, object]) -> str:
    lists = {name: value for name, value in content.items() if isinstance(value, list)}
    longest = max(lists, key=lambda name: len(lists[name]), default=None)
    keys = f"an object of {counted(len(content), 'key')}: {_named(content)}"
    return keys if longest is None else f"{longest}: {_of_list(lists[longest])}; {keys}"


def _of_text(text: str) -> str:
    lines = text.splitlines()
    found = Counter(match["path"] for match in _MATCH.finditer(text))
    if found.total() and found.total() >= MOSTLY * len(lines):
        return _matches(found.total(), len(found))
    return f"{counted(len(lines), 'line')} of text, {len(text):,} characters"


def _path_key(record: Mapping[str, object]) -> str | None:
    return next((key for key in _PATH_KEYS if isinstance(record.get(key), str)), None)


def _matches(count: int, files: int) -> str:
    number = "1 match" if count == 1 else f"{count:,} matches"
    return f"{number} in {counted(files, 'file')}"


def _named(record: Mapping[str, object]) -> str:
    keys = list(record)
    return ", ".join(keys[:MAX_KEYS]) + (", …" if len(keys) > MAX_KEYS else "")
