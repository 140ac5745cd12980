"""Mappings: receivers whose `get` and `items` are those of a dict, whatever the file defines."""

import libcst as cst

from vetbox.rules.taint.reading.environment import path_of

_MAPPINGS = frozenset(
    {
        "environ",
        "env",
        "headers",
        "args",
        "form",
        "cookies",
        "params",
        "kwargs",
        "get",
        "post",
        "meta",
        "metadata",
        "config",
        "conf",
        "cfg",
        "settings",
        "options",
        "opts",
        "data",
        "payload",
        "dict",
        "mapping",
    }
)
"""The last words of names that mappings go by."""
_OF_MAPPINGS = frozenset({"get", "items", "keys", "values", "pop", "setdefault", "update", "copy"})
"""Methods that are the mapping's own, whatever class of the file has one of that name."""


def is_of_mapping(receiver: cst.BaseExpression, name: str) -> bool:
    """Is a method called that the mapping of such a name has itself?"""
    return name in _OF_MAPPINGS and _last_word(receiver) in _MAPPINGS


def _last_word(receiver: cst.BaseExpression) -> str:
    """Of the name that something goes by, or of the key that it is kept under."""
    match receiver:
        case cst.Subscript(
            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
        ):
            named = str(key.evaluated_value)
        case _:
            named = (path_of(receiver) or "").rpartition(".")[2]
    return named.rpartition("_")[2].lower()
