"""Nodes of the data-flow graph: the places of a file that hold data, with a function for each kind.

They are plain tuples: a file has ten thousands of them, and each is hashed often.
"""

from typing import TypeAlias

from vetbox.rules.narrowing.functions import Function
from vetbox.rules.narrowing.markers import Marker

Node: TypeAlias = tuple[object, ...]
"""Made by the functions below. The first part is the function it belongs to (None: the module), the
number of a call, a marker or the word for fields."""
Nodes: TypeAlias = list[Node]

_KEPT = "(kept)"
_FILLED = "(filled)"
_FIELD = "(field)"
_THROWN = "(thrown)"
_LOCALS = "(locals)"
_ENTERING, _ARRIVING = True, False
_ANYWHERE = frozenset({int, Marker})
_OUTPUTS = frozenset({(), (_KEPT,), (_FILLED,)})


def variable(function: Function | None, name: str | None) -> Node:
    """A variable or parameter, with the attributes that are read of it: `x`, `x.y`."""
    return (function, name)


def result(function: Function) -> Node:
    """What a function returns."""
    return (function,)


def kept(function: Function | None, attribute: str) -> Node:
    """What a method adds to an attribute of its object."""
    return (function, _KEPT, attribute)


def all_kept(function: Function | None) -> Node:
    """What a method adds to any attribute of its object."""
    return (function, _KEPT)


def filled(function: Function, parameter: str) -> Node:
    """What a function adds to a mutable argument."""
    return (function, _FILLED, parameter)


def thrown(function: Function) -> Node:
    """What the exceptions of a function hold."""
    return (function, _THROWN)


def all_locals(function: Function | None) -> Node:
    """What `locals()` gives in a function."""
    return (function, _LOCALS)


def field(owner: str | None, attribute: str) -> Node:
    """An attribute of the objects of a class."""
    return (_FIELD, owner, attribute)


def entering(marker: Marker, row: int) -> Node:
    """What enters at a marked place on a row."""
    return (marker, row, _ENTERING)


def arriving(marker: Marker, row: int) -> Node:
    """What arrives at a marked place on a row."""
    return (marker, row, _ARRIVING)


def of_call(number: int, output: Node) -> Node:
    """What one call gets of an output of its function; an object is given as a result is."""
    return (number, output[0], *output[2:])


def is_output(node: Node) -> bool:
    """Is it a node of a function that its calls get?"""
    return node[1:2] in _OUTPUTS


def is_field(node: Node) -> bool:
    return node[0] is _FIELD


def is_of(node: Node, function: Function | None) -> bool:
    """Is it a node of this function, or of none: of a call, or of a marked place?"""
    return node[0] is function or node[0].__class__ in _ANYWHERE
