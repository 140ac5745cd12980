"""Clauses: a rule file as plain data, read and changed by path, e.g. `match.call.name[2]`."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Data: TypeAlias = "dict[str, Data] | list[Data] | str | int | float | bool | None"
Path: TypeAlias = tuple[str | int, ...]

_STEP = re.compile(r"\[(\d+)\]|\{([^}]*)\}|([^.\[\]{}]+)")
_PLAIN = re.compile(r"[\w|$-]+")


def spell(path: Path) -> str:
    """The path as authors write it; a key that is no plain word stands in braces."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"{{{step}}}"
    return text


def parse(text: str) -> Path:
    """The inverse of `spell`."""
    steps = _STEP.findall(text)
    return tuple(int(index) if index else braced or word for index, braced, word in steps)


def at(data: Data, path: Path) -> Data:
    """The value at a path; raises KeyError when there is none."""
    for step in path:
        if isinstance(step, int) and isinstance(data, list) and step < len(data):
            data = data[step]
        elif isinstance(data, dict) and not isinstance(step, int) and step in _by_text(data):
            data = _by_text(data)[step]
        else:
            raise KeyError(spell(path))
    return data


def _by_text(data: dict[str, Data]) -> dict[str, Data]:
    """Keys of YAML may be numbers (`args: {0: …}`); a path holds text."""
    return {str(key): value for key, value in data.items()}


def entries(value: Data) -> list[str]:
    """The texts of a list, or the one text that stands for a list of one."""
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def without(data: Data, path: Path) -> Data:
    """A copy of the data that lacks what is at the path."""
    copy, parent, step = _open(data, path)
    if isinstance(parent, list) and isinstance(step, int):
        del parent[step]
    elif isinstance(parent, dict):
        del parent[_key(parent, step)]
    return copy


def replaced(data: Data, path: Path, value: Data) -> Data:
    """A copy of the data that holds another value at the path, which may be new in a mapping."""
    copy, parent, step = _open(data, path)
    if isinstance(parent, list) and isinstance(step, int):
        parent[step] = value
    elif isinstance(parent, dict):
        parent[_key(parent, step)] = value
    return copy


def _open(data: Data, path: Path) -> tuple[Data, Data, str | int]:
    """What is on the way is copied; all else is shared, as nobody changes it."""
    copy = parent = _shallow(data)
    for step in path[:-1]:
        inner = _shallow(at(parent, (step,)))
        if isinstance(parent, list) and isinstance(step, int):
            parent[step] = inner
        elif isinstance(parent, dict):
            parent[_key(parent, step)] = inner
        parent = inner
    return copy, parent, path[-1]


def _shallow(data: Data) -> Data:
    if isinstance(data, dict):
        return {**data}
    return [*data] if isinstance(data, list) else data


def _key(parent: dict[str, Data], step: str | int) -> str:
    """The mapping's own key whose text is the step (YAML's 0 for "0")."""
    return next((key for key in parent if str(key) == str(step)), str(step))


def walk(data: Data, path: Path = ()) -> Iterator[tuple[Path, Data]]:
    """Every (path, value) of the data, outermost first."""
    yield path, data
    children: Sequence[tuple[str | int, Data]] = ()
    if isinstance(data, dict):
        children = [(str(key), value) for key, value in data.items()]
    elif isinstance(data, list):
        children = list(enumerate(data))
    for step, value in children:
        yield from walk(value, (*path, step))
