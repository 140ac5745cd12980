"""Entries: elements and calls that a test asks about as if they were variables, `x.get("n")`."""

from collections.abc import Mapping

import libcst as cst

from vetbox.rules.taint.data.values import Value
from vetbox.rules.walk import written_name


def place_of(node: cst.CSTNode) -> str | None:
    """`x.y` of a chain of names, `x.y["name"]` of an element that is named in the program."""
    kind = type(node)
    if kind is not cst.Subscript and kind is not cst.Call:
        return written_name(node)
    match node:
        case (
            cst.Subscript(
                value=container,
                slice=[cst.SubscriptElement(slice=cst.Index(cst.SimpleString() as key))],
            )
            | cst.Call(
                func=cst.Attribute(value=container, attr=cst.Name("get")),
                args=[cst.Arg(cst.SimpleString() as key, keyword=None), *_],
            )
        ):
            path = written_name(container)
            return None if path is None else f"{path}[{key.raw_value!r}]"
    return None


def is_entry(path: str) -> bool:
    """Is it the place of an element?"""
    return path.endswith("]")


def container_of(entry: str) -> str:
    """`x` of `x["name"]`."""
    return entry[: entry.index("[")]


def without_entries(entries: Mapping[str, Value], path: str) -> dict[str, Value]:
    """What is left of them when a variable or attribute is given something else."""
    inside = (f"{path}[", f"{path}.")
    return {
        place: value
        for place, value in entries.items()
        if place != path and not place.startswith(inside)
    }
