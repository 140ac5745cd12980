"""Handing: functions that are given to others, which call them with each element."""

import libcst as cst

MAPPERS = frozenset({"map", "filter"})
MAPPING_METHODS = frozenset({"map", "imap", "imap_unordered"})
"""Methods of pools and executors."""


def handed_call(call: cst.Call) -> cst.Call | None:
    """The call f(x) that `map(f, xs)` makes, with the whole collections for their elements."""
    if len(call.args) < 2 or call.args[0].star or call.args[0].keyword:  # noqa: PLR2004
        return None
    match call.func:
        case cst.Name(value=name) if name in MAPPERS:
            return cst.Call(call.args[0].value, call.args[1:])
        case cst.Attribute(attr=cst.Name(value=name)) if name in MAPPING_METHODS:
            return cst.Call(call.args[0].value, call.args[1:])
    return None
