"""Values that cross between guest and host: JSON, and a small closed set of tagged types.

A tagged value is an object of the one key `$` whose value is `[tag, content]`. Both sides run this
very file; nothing is ever unpickled or evaluated.
"""

import base64
import datetime
import json
import math
import pathlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MARK = "$"
NULL = "null"
MARKED = f'"{MARK}"'  # in every text that has a tagged value in it
MAX_DEPTH = 100  # levels of nesting; deeper values are refused rather than recursed into
MAX_SAME_HASH = 64
MAX_JSON_INTEGER = 1 << 62  # larger ones travel as hexadecimal text


class WireError(ValueError):
    """A value or text that cannot cross, and why."""


# Bound here, since a program may put something else into the module `json`.
_dumps, _read_json = json.JSONEncoder(allow_nan=False).encode, json.JSONDecoder().raw_decode


@dataclass(frozen=True)
class Tag:
    """How values of a type cross: `write` gives JSON-like content, `read` makes the value again."""

    type: type
    write: Callable[[object], object]
    read: Callable[[object], object]


def dumps(value: object, tags: Mapping[str, Tag] | None = None) -> str:
    """A value as text; `WireError` when some part of it has no place on the wire."""
    if value is None:
        return NULL  # most programs have no value, and this is a tenth of starting one
    return _dumps(_encoded(value, STANDARD if tags is None else tags, 0))


def loads(text: str, tags: Mapping[str, Tag] | None = None) -> object:
    """The value that a text stands for; `WireError` when it is not one `dumps` would write."""
    if text == NULL:
        return None
    try:
        value, end = _read_json(text)  # `loads` looks for white space, too, with expressions
        if end != len(text):
            raise ValueError("there is more behind its end")
        if MARKED in text:
            return _decoded(value, STANDARD if tags is None else tags)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not a message of the bridge: {error}") from None
    return value


_PLAIN = frozenset({str, bool, type(None)})
_TEXT = {str}


def _encoded(value: object, tags: Mapping[str, Tag], depth: int) -> object:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if depth > MAX_DEPTH:
        raise WireError(f"a value nested more than {MAX_DEPTH} levels deep cannot cross the bridge")
    return _ENCODERS.get(kind, _tagged)(value, tags, depth)


def _list(value: Iterable[Any], tags: Mapping[str, Tag], depth: int) -> list[object]:
    # What most are made of is told without a call: there are many, and it takes long in the box.
    return [
        v
        if (kind := type(v)) in _PLAIN or (kind is int and -MAX_JSON_INTEGER < v < MAX_JSON_INTEGER)
        else _encoded(v, tags, depth + 1)
        for v in value
    ]


def _dict(value: dict[object, object], tags: Mapping[str, Tag], depth: int) -> object:
    if not value:
        return value
    if MARK in value or {*map(type, value)} != _TEXT:
        return _tagged(value, tags, depth)
    return dict(zip(value, _list(value.values(), tags, depth), strict=True))


def _int(value: int, tags: Mapping[str, Tag], depth: int) -> object:
    small = -MAX_JSON_INTEGER < value < MAX_JSON_INTEGER
    return value if small else _tagged(value, tags, depth)


def _finite(value: float, tags: Mapping[str, Tag], depth: int) -> object:
    return value if math.isfinite(value) else _tagged(value, tags, depth)


# By the very type: what extends one of them is tagged.
_ENCODERS: Mapping[type, Callable[..., object]] = {
    list: _list,
    dict: _dict,
    int: _int,
    float: _finite,
}


def _tagged(value: object, tags: Mapping[str, Tag], depth: int) -> object:
    for name, tag in tags.items():
        if isinstance(value, tag.type):
            return {MARK: [name, _encoded(tag.write(value), tags, depth + 1)]}
    raise WireError(f"a value of type {type(value).__name__} cannot cross the bridge")


def _decoded(value: object, tags: Mapping[str, Tag]) -> object:
    if type(value) is list:
        return [_decoded(item, tags) for item in value]
    if type(value) is not dict:
        return value
    if MARK not in value:
        return {key: _decoded(item, tags) for key, item in value.items()}
    return _untagged(value, tags)


def _untagged(value: dict[str, object], tags: Mapping[str, Tag]) -> object:
    match value:
        case {"$": [str(name), content]} if len(value) == 1 and name in tags:
            return _read(tags[name], _decoded(content, tags))
    raise WireError("an object that has the key '$' is not a known tagged value")


def _read(tag: Tag, content: object) -> object:
    try:
        return tag.read(content)
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise WireError(f"content that is not a {tag.type.__name__}: {error}") from None


def _write_bytes(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _write_timedelta(value: datetime.timedelta) -> list[int]:
    return [value.days, value.seconds, value.microseconds]


def _write_set(value: frozenset[object]) -> list[object]:
    return sorted(value, key=lambda item: (type(item).__name__, repr(item)))


def _hashed(items: list[object]) -> list[object]:
    """The items, unless too many share a hash: putting those in a set takes for ever."""
    counts = Counter(map(hash, items))
    if counts and counts.most_common(1)[0][1] > MAX_SAME_HASH:
        raise ValueError("too many values have the same hash")
    return items


def _read_dict(pairs: list[list[object]]) -> dict[object, object]:
    _hashed([key for key, _ in pairs])
    return dict(pairs)  # type: ignore[arg-type]


def _float(text: str) -> float:
    if text not in {"nan", "inf", "-inf"}:
        raise ValueError(text)
    return float(text)


def _tag(kind: type, write: Callable[..., object], read: Callable[..., object]) -> Tag:
    return Tag(kind, write, read)


# The order decides where types overlap: a datetime is a date, too.
STANDARD: Mapping[str, Tag] = {
    "int": _tag(int, hex, lambda text: int(text, 16)),
    "float": _tag(float, repr, _float),
    "str": _tag(str, str.__str__, str),
    "bytes": _tag(bytes, _write_bytes, lambda text: base64.b64decode(text, validate=True)),
    "bytearray": _tag(
        bytearray, _write_bytes, lambda t: bytearray(base64.b64decode(t, validate=True))
    ),
    "datetime": _tag(
        datetime.datetime, datetime.datetime.isoformat, datetime.datetime.fromisoformat
    ),
    "date": _tag(datetime.date, datetime.date.isoformat, datetime.date.fromisoformat),
    "time": _tag(datetime.time, datetime.time.isoformat, datetime.time.fromisoformat),
    "timedelta": _tag(
        datetime.timedelta, _write_timedelta, lambda parts: datetime.timedelta(*parts)
    ),
    "path": _tag(pathlib.PurePath, pathlib.PurePath.as_posix, pathlib.PurePosixPath),
    "tuple": _tag(tuple, list, tuple),
    "set": _tag(set, _write_set, lambda items: set(_hashed(items))),
    "frozenset": _tag(frozenset, _write_set, lambda items: frozenset(_hashed(items))),
    "list": _tag(list, list, list),
    "dict": _tag(dict, lambda value: [[k, v] for k, v in value.items()], _read_dict),
}
