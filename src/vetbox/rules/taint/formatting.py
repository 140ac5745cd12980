"""Formatting: the parts of a formatted text that can only be numbers."""

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from vetbox.rules.taint.values import Value, mixed

_CONVERSION = re.compile(r"%(?:\(\w*\))?[#0 +-]*(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([a-zA-Z%])")
_NUMERIC = frozenset("diouxXeEfFgG")
_NUMERIC_SPEC = re.compile(r"(?s:.?[<>=^])?[ +-]?z?#?0?\d*[,_]?(?:\.\d+)?[bdoxXeEfFgGn%]")


def only_number(spec: Sequence[cst.BaseFormattedStringContent] | None) -> bool:
    """Does `{x:SPEC}` take nothing but numbers?"""
    match spec:
        case [cst.FormattedStringText(value=value)]:
            return _NUMERIC_SPEC.fullmatch(value) is not None
    return False


def after_percent(text: object, given: Value) -> Value:
    """What `text % given` holds of what is given: nothing of what stands for a number."""
    if not isinstance(text, str) or "%" not in text:
        return given
    numeric = [*_numeric(text)]
    if numeric and all(numeric):
        return Value()
    exact = given.items is not None and given.is_sequence and len(given.items) == len(numeric)
    if not exact:
        return given
    parts = [given.item(place) for place, number in enumerate(numeric) if not number]
    return mixed([Value(given.taints), *parts])


def _numeric(text: str) -> Iterator[bool]:
    """For each value that a text takes, in order: is it a number?"""
    for found in _CONVERSION.finditer(text):
        width, precision, kind = found.groups()
        if kind == "%":
            continue
        yield from (True for star in (width, precision) if star == "*")
        yield kind in _NUMERIC
