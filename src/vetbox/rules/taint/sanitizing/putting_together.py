"""Texts that are put together: what is true of the parts of one is true of it."""

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.sanitizing.guards import paths_in
from vetbox.rules.walk import identifier

_JOINING = frozenset({"os.path.join", "pathlib.Path", "pathlib.PurePath", "str"})
"""Functions that put their arguments together and change none of them."""
_METHODS = frozenset({"format", "joinpath"})
_OPERATORS = (cst.Add, cst.Modulo, cst.Divide)


def is_put_together(value: cst.BaseExpression, facts: Facts) -> bool:
    """Is it a text or a path made of others as they are, so that their parts stand in it?"""
    match value:
        case cst.FormattedString():
            return True
        case cst.BinaryOperation(operator=operator):
            return isinstance(operator, _OPERATORS)
        case cst.Call(func=cst.Attribute(attr=name)) if identifier(name) in _METHODS:
            return True
        case cst.Call(func=func):
            return not _JOINING.isdisjoint(facts.names(func))
    return False


def asked_by(value: cst.BaseExpression) -> frozenset[str]:
    """Every place that a value depends on: of `os.path.join(x)` x and `os.path`, not `path`."""
    called = path_of(value.func) if isinstance(value, cst.Call) else None
    if called is None or not isinstance(value, cst.Call):
        return paths_in(value)
    words = called.split(".")
    around = frozenset(".".join(words[:end]) for end in range(1, len(words)))
    return around.union(*(paths_in(arg.value) for arg in value.args))
