"""Captures: what the patterns of a `match` give their names."""

from typing import TypeAlias

import libcst as cst

from vetbox.rules.walk import Tree

Path: TypeAlias = tuple[object, ...]
"""The way to a part of a value: positions, keys, None for any."""


def captured_from(node: cst.MatchAs, tree: Tree) -> tuple[cst.BaseExpression, Path] | None:
    """What is looked at and the way from there to the part the pattern gets; None in a class."""
    path: list[object] = []
    above = tree.parent(node)
    while above is not None and not isinstance(above, cst.MatchCase):
        match above:
            case cst.MatchMappingElement(key=key):
                path.insert(0, _spelled(key))
            case cst.MatchSequenceElement():
                path.insert(0, None)
            case cst.MatchClass():
                return None
        above = tree.parent(above)
    match = tree.parent(above) if above is not None else None
    return (match.subject, tuple(path)) if isinstance(match, cst.Match) else None


def _spelled(key: cst.BaseExpression) -> object:
    """A key that is written as a text or a number."""
    return key.evaluated_value if isinstance(key, (cst.SimpleString, cst.Integer)) else None
