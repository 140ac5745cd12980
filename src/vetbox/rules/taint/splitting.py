"""Splitting: flags that tell later which of two ways was taken, and what variables held there.

`ok = True` against `ok = False`, `error = None` against a text, a list of errors that is empty.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.values import Value, added


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """What paths held where a flag was true, and where false; what they and it hold together."""

    flag: Value
    sides: Mapping[bool, Mapping[str, tuple[Value, Value]]]
    is_none: bool
    """Is it None wherever it is not true?"""


Way: TypeAlias = tuple[Mapping[str, Value], Mapping[str, Split]]
"""The variables where a way ends, and the flags that it has."""


def new_splits(left: Way, right: Way, values: Mapping[str, Value]) -> dict[str, Split]:
    """The flags that tell which of two ways was taken, by what holds after either."""
    differing = [path for path, one in left[0].items() if right[0].get(path, one) is not one]
    found = ((flag, _split(flag, differing, (left, right), values)) for flag in differing)
    return {flag: split for flag, split in found if split is not None}


def _split(
    flag: str, differing: list[str], ways: tuple[Way, Way], values: Mapping[str, Value]
) -> Split | None:
    truths = [_truth(held[flag]) for held, _ in ways]
    told = [_told(flag, way) for way in ways]
    sure = all(truth is not None or one for truth, one in zip(truths, told, strict=True))
    if truths[0] is truths[1] or not sure:
        return None
    paths = {*differing, *(path for one in told if one for path in one.sides[True])}
    sides = {truth: dict(_side(flag, truth, paths, ways, values)) for truth in (True, False)}
    is_none = all(
        truth or (held[flag].constant is None if one is None else one.is_none)
        for truth, one, (held, _) in zip(truths, told, ways, strict=True)
    )
    return Split(values[flag], sides, is_none)


def _side(
    flag: str,
    truth: bool,
    paths: set[str],
    ways: tuple[Way, Way],
    values: Mapping[str, Value],
) -> Iterator[tuple[str, tuple[Value, Value]]]:
    """By path what is held after either way, and what where the flag came out so."""
    open_ = [way for way in ways if _truth(way[0][flag]) in (truth, None)]
    for path in sorted(paths):
        if path in values and all(path in held for held, _ in open_):
            yield path, (values[path], added([_came(flag, truth, path, way) for way in open_]))


def _came(flag: str, truth: bool, path: str, way: Way) -> Value:
    """What a path held on a way where the flag came out so."""
    held, told = way[0][path], _told(flag, way)
    if told is None or path not in told.sides[truth]:
        return held
    joined, came = told.sides[truth][path]
    return came if held is joined else held


def _told(flag: str, way: Way) -> Split | None:
    """What a way says of the flag by itself."""
    held, splits = way
    split = splits.get(flag)
    return split if split is not None and held[flag] is split.flag else None


def _truth(value: Value) -> bool | None:
    """Is a flag true, or a list that errors are put into not empty? None if that is not sure."""
    if value.truth is not None or value.is_object:
        return value.truth
    return bool(value.head) if value.is_sequence or value.head else None
