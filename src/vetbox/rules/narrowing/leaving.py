"""Escape by lines: whether data can leave the statements in which it enters."""

import ast
from collections.abc import Iterable, Set

from vetbox.code.nodes import nodes_of
from vetbox.rules.language.callbacks import CALLING
from vetbox.rules.narrowing.defined import Defined
from vetbox.rules.narrowing.markers import Marker
from vetbox.rules.sifting.formulas import Line
from vetbox.rules.taint.calls.effects import PUSHING
from vetbox.rules.taint.reading.containers import ADDING_METHODS
from vetbox.rules.taint.reading.stores import WRITING_METHODS

_KEPT_IN: Set[type[ast.AST]] = frozenset(
    {ast.Module, ast.Expr, ast.If, ast.While, ast.Assert, ast.Delete, ast.Pass}
)
"""Statements that do not pass on what they read: a test only decides which branch is taken."""
_BINDING: Set[type[ast.AST]] = frozenset(
    {ast.NamedExpr, ast.Lambda, ast.Yield, ast.YieldFrom, ast.comprehension}
)
_PUTTING: Set[str] = (
    ADDING_METHODS | CALLING | PUSHING | {"setattr", "setitem", "dump", "partial"} | WRITING_METHODS
)
"""Last words of calls that put their arguments into something, or pass them to a callback."""


def may_meet(
    sources: Iterable[Marker], sinks: Iterable[Marker], defined: Defined, *, is_begun: bool
) -> bool:
    """May data get from some sources to some sinks, as far as their lines tell?

    `is_begun`: functions of the file may be called through `partial` and the like.
    """
    lines = {line for marker in sinks for line in marker.lines}
    entering = [(source, line) for source in sources for line in source.lines]
    entering = [(source, line) for source, line in entering if _is_read(source, line)]
    if any(line in lines for _, line in entering):
        return True
    leaving = is_begun or any(_leaves(source, line, defined) for source, line in entering)
    return bool(entering) and leaving and any(map(_may_hold_any, sinks))


def _is_read(source: Marker, line: int) -> bool:
    """Does a line read what is marked there, and not only assign to it?"""
    marked = [*source.marked_on(line)]
    stored = (isinstance(getattr(node, "ctx", None), ast.Store) for node in marked)
    return not marked or not all(stored) or _adds(source.lines[line])


def _adds(line: Line | None) -> bool:
    """Does a line read a target before assigning to it, as `x += y` does?"""
    return line is None or any(isinstance(node, ast.AugAssign) for node in line.nodes)


def _leaves(source: Marker, number: int, defined: Defined) -> bool:
    """May what enters on a line be put into a variable, an object or a function of the file?

    The parameters of a function are variables already.
    """
    line = source.lines[number]
    if line is None or source.post.place.at == "parameters" or source.post.is_handed:
        return True
    is_decorator = _is_decorator(line)
    for node in line.nodes:
        kind = type(node)
        if isinstance(node, ast.stmt) and kind not in _KEPT_IN:
            if not (is_decorator and isinstance(node, ast.FunctionDef)):  # made up below it
                return True
        elif isinstance(node, ast.Call):
            is_given = bool(node.args or node.keywords)
            if is_given and _is_of_variable(node.func, line, defined):
                return True
        elif kind in _BINDING or (isinstance(node, ast.keyword) and node.arg == "file"):
            return True
        elif isinstance(node, (ast.Name, ast.Attribute)):
            word = node.id if isinstance(node, ast.Name) else node.attr
            if word in defined.names or word in _PUTTING:
                return True
    return False


def _is_of_variable(func: ast.expr, line: Line, defined: Defined) -> bool:
    """May the call be of a function of the file by way of a variable or another call?"""
    assignments = line.conditions.assignments
    match func:
        case ast.Name(id=name):
            return name in defined.parameters or assignments.is_bound(name)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return assignments.is_member(name)
    return not isinstance(func, ast.Attribute)


def _may_hold_any(sink: Marker) -> bool:
    """May the sink get anything but constants?"""
    return any(
        line is None
        or _is_decorator(line)  # of what is not known here
        or any(map(_names_something, sink.marked_on(number)))
        for number, line in sink.lines.items()
    )


def _is_decorator(line: Line) -> bool:
    return line.text.lstrip().startswith("@")


def _names_something(node: ast.AST) -> bool:
    return any(isinstance(one, (ast.Name, ast.arg)) for one in nodes_of(node))
