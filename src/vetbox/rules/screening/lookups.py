"""Lookups by text: is every one `getattr(x, "name")` with the name written in place?"""

import ast
from collections.abc import Mapping, Sequence, Set
from typing import Any

from vetbox.rules.screening.words import LOOKUPS

_READERS = frozenset({"getattr", "hasattr", "setattr", "delattr"})


def are_written(nodes: Mapping[type[ast.AST], Sequence[Any]], spelt: Set[str]) -> bool:
    """Is nothing looked up but attributes, each by a text in its place: `getattr(x, "name")`?"""
    if not LOOKUPS.isdisjoint(spelt):
        return False
    told = {call.func for call in nodes.get(ast.Call, ()) if _is_told(call)}
    readers = (name for name in nodes.get(ast.Name, ()) if name.id in LOOKUPS)
    return all(name in told and name.id in _READERS for name in readers)


def _is_told(call: ast.Call) -> bool:
    match call:
        case ast.Call(args=[owner, ast.Constant(value=str()), *others], keywords=[]):
            return not any(isinstance(one, ast.Starred) for one in (owner, *others))
    return False
