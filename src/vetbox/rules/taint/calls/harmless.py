"""Harmless builtins: those whose result cannot carry a payload."""

import libcst as cst

from vetbox.rules.walk import identifier

HARMLESS = frozenset(
    {"abs", "all", "any", "bool", "callable", "complex", "divmod", "float", "hasattr", "hash"}
    | {"id", "int", "isinstance", "issubclass", "len", "ord", "round", "type"}
)
"""Builtins whose result cannot carry a payload."""


def is_harmless_call(node: cst.Call) -> bool:
    """Does it give a number or a truth value, whatever it is given?"""
    return isinstance(node.func, cst.Name) and identifier(node.func) in HARMLESS
