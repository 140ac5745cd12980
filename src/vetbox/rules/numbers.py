"""Number formats: the fields of a formatted text that can only be numbers."""

import re
from collections.abc import Iterator, Sequence

import libcst as cst

_CONVERSION = re.compile(r"%(?:\(\w*\))?[#0 +-]*(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([a-zA-Z%])")
_NUMERIC = frozenset("diouxXeEfFgG")
_NUMERIC_SPEC = re.compile(r"(?s:.?[<>=^])?[ +-]?z?#?0?\d*[,_]?(?:\.\d+)?[bdoxXeEfFgGn%]")


def only_number(spec: Sequence[cst.BaseFormattedStringContent] | None) -> bool:
    """Does `{x:SPEC}` take nothing but numbers?"""
    match spec:
        case [cst.FormattedStringText(value=value)]:
            return _NUMERIC_SPEC.fullmatch(value) is not None
    return False


def numeric_places(text: object) -> list[bool]:
    """For each value that `text % values` takes, in order: is it a number?"""
    return [*_places(text)] if isinstance(text, str) else []


def _places(text: str) -> Iterator[bool]:
    for found in _CONVERSION.finditer(text):
        width, precision, kind = found.groups()
        if kind != "%":
            yield from (True for star in (width, precision) if star == "*")
            yield kind in _NUMERIC
