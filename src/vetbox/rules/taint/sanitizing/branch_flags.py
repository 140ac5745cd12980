"""Branch flags: variables that record which branch ran, and the other variables' values then.

`ok = True` against `ok = False`, `error = None` against a text, a list of errors that is empty.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.data.keys import ANY_KEY, THE_KEYS
from vetbox.rules.taint.data.values import Value, added


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The values of paths where a flag was true and where false, and the joined ones now."""

    flag: Value
    sides: Mapping[bool, Mapping[str, tuple[Value, Value]]]
    is_none: bool
    """Is it None wherever it is not true?"""


Way: TypeAlias = tuple[Mapping[str, Value], Mapping[str, Split]]
"""The variables where a way ends, and the flags that it has."""


Texts: TypeAlias = Mapping[int, Value]
"""Texts that are surely not empty, by their identity."""


def new_splits(
    ways: tuple[Way, Way], texts: Texts, values: Mapping[str, Value]
) -> dict[str, Split]:
    """The variables whose truth tells which of two branches was taken."""
    (left, _), (right, _) = ways
    differing = [path for path, one in left.items() if right.get(path, one) is not one]
    found = ((flag, _split(flag, differing, ways, texts, values)) for flag in differing)
    return {flag: split for flag, split in found if split is not None}


def _split(
    flag: str,
    differing: list[str],
    ways: tuple[Way, Way],
    texts: Texts,
    values: Mapping[str, Value],
) -> Split | None:
    truths = [truth_of(held[flag], texts) for held, _ in ways]
    told = [_told(flag, way) for way in ways]
    sure = all(truth is not None or one for truth, one in zip(truths, told, strict=True))
    if truths[0] is truths[1] or not sure:
        return None
    paths = {*differing, *(path for one in told if one for path in one.sides[True])}
    sides = {
        says: dict(
            _side(
                (flag, says),
                paths,
                [way for way, truth in zip(ways, truths, strict=True) if truth in (says, None)],
                values,
            )
        )
        for says in (True, False)
    }
    is_none = all(
        truth or (held[flag].constant is None if one is None else one.is_none)
        for truth, one, (held, _) in zip(truths, told, ways, strict=True)
    )
    return Split(values[flag], sides, is_none)


def _side(
    told: tuple[str, bool], paths: set[str], ways: list[Way], values: Mapping[str, Value]
) -> Iterator[tuple[str, tuple[Value, Value]]]:
    """By path what is held after either way, and what where the flag came out so."""
    for path in sorted(paths):
        if path in values and all(path in held for held, _ in ways):
            yield path, (values[path], added([_came(told, path, way) for way in ways]))


def _came(told: tuple[str, bool], path: str, way: Way) -> Value:
    """What a path held on a way where the flag came out so."""
    flag, says = told
    held, split = way[0][path], _told(flag, way)
    if split is None or path not in split.sides[says]:
        return held
    joined, came = split.sides[says][path]
    return came if held is joined else held


def _told(flag: str, way: Way) -> Split | None:
    """What a way says of the flag by itself."""
    held, splits = way
    split = splits.get(flag)
    return split if split is not None and held[flag] is split.flag else None


def truth_of(value: Value, texts: Texts) -> bool | None:
    """The truth of a flag or of a list of errors; None if that is not certain."""
    if value.truth is not None or value.is_object:
        return value.truth
    if texts.get(id(value)) is value:
        return True
    if value.is_table and not value.is_open:
        known = any(key not in (ANY_KEY, THE_KEYS) for key in value.items or ())
        return True if known else None if value.items else False
    return bool(value.head) if value.is_sequence or value.head else None
