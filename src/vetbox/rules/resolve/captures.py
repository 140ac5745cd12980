"""Captures: what the patterns of a `match` give their names."""

from collections.abc import Callable
from typing import TypeAlias

import libcst as cst

from vetbox.rules.walk import Tree, identifier, written_name

Path: TypeAlias = tuple[object, ...]
"""The way to a part of a value: positions, keys, None for any."""
_Step: TypeAlias = Callable[[cst.BaseExpression], cst.BaseExpression]

# Their one place is for the value itself, not for an attribute.
_THEMSELVES = frozenset(
    {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str"}
    | {"tuple"}
)


def captured_from(node: cst.MatchAs, tree: Tree) -> tuple[cst.BaseExpression, Path] | None:
    """What is looked at and the way from there to the part the pattern gets.

    A class asks for attributes, and a key may be a name in a namespace; then all of it is one
    expression.
    """
    path: list[object] = []
    steps: list[_Step] = []
    is_asked = False
    above = tree.parent(node)
    while above is not None and not isinstance(above, cst.MatchCase):
        match above:
            case cst.MatchMappingElement(key=key):
                path.insert(0, _spelled(key))
                steps.insert(0, _element(key))
            case cst.MatchSequenceElement():
                owner = tree.parent(above)
                if not isinstance(owner, cst.MatchClass):
                    path.insert(0, None)
                    steps.insert(0, _element(cst.Ellipsis()))
                elif written_name(owner.cls) not in _THEMSELVES:
                    steps.insert(0, _attribute("?"))
            case cst.MatchKeywordElement(key=name):
                steps.insert(0, _attribute(identifier(name)))
            case cst.MatchClass():
                is_asked = True
        above = tree.parent(above)
    match = tree.parent(above) if above is not None else None
    if not isinstance(match, cst.Match):
        return None
    if is_asked or (path and _may_be_namespace(match.subject, path)):
        return _stepped(match.subject, steps), ()
    return match.subject, tuple(path)


def _may_be_namespace(subject: cst.BaseExpression, path: list[object]) -> bool:
    """Are names looked up in something that is not written there?"""
    written = (cst.Dict, cst.DictComp, cst.List, cst.Tuple)
    return not isinstance(subject, written) and all(isinstance(key, str) for key in path)


def _stepped(value: cst.BaseExpression, steps: list[_Step]) -> cst.BaseExpression:
    for step in steps:
        value = step(value)
    return value


def _element(key: cst.BaseExpression) -> _Step:
    index = cst.SubscriptElement(cst.Index(key))
    return lambda value: cst.Subscript(value, [index])


def _attribute(name: str) -> _Step:
    """Asked for by a text: names are followed there in code about to run, and nowhere else."""
    asked = cst.Arg(cst.SimpleString(repr(name)))
    return lambda value: cst.Call(cst.Attribute(value, cst.Name("__getattribute__")), [asked])


def _spelled(key: cst.BaseExpression) -> object:
    """A key that is written as a text or a number."""
    return key.evaluated_value if isinstance(key, (cst.SimpleString, cst.Integer)) else None
