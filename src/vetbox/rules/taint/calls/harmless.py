"""Harmless calls: builtins and methods whose result cannot carry a payload."""

import libcst as cst

from vetbox.rules.walk import identifier

HARMLESS = frozenset(
    {"abs", "all", "any", "bool", "callable", "complex", "divmod", "float", "hasattr", "hash"}
    | {"id", "int", "isinstance", "issubclass", "len", "ord", "round", "type"}
)
"""Builtins whose result cannot carry a payload."""
HARMLESS_METHODS = frozenset(
    {name for name in dir(str) if name.startswith("is")}
    | {"startswith", "endswith", "count", "rfind", "rindex"}
)
"""Methods of texts that give a number or a truth value, and do so wherever else they are."""


def is_harmless_call(node: cst.Call) -> bool:
    """Does it give a number or a truth value, whatever it is given?"""
    return isinstance(node.func, cst.Name) and identifier(node.func) in HARMLESS
