"""Attributes: those that are properties, which call a method, and those that are plain fields."""

import re
from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.evaluating import Values
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.values import Value, added
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.walk import identifier

_INTERCEPTING = ("__getattr__", "__getattribute__")
_PATHS = re.compile(r"(?i)path|file|entry|folder|dir")
"""Parameters by such names are files, which have a name and an ending."""


def is_own_field(node: cst.BaseExpression, values: Values) -> bool:
    """Is it an attribute of an object of this module, whatever others mean by its name?"""
    path = path_of(node.value) if isinstance(node, cst.Attribute) else None
    if path is None or not isinstance(node, cst.Attribute):
        return False
    index, scope, name = values.module.index, values.scope, identifier(node.attr)
    if path == "self" and scope.owner is not None:
        return index.keeps(scope.owner, name) or bool(index.properties_of(node, scope.owner))
    if path in scope.given and not _PATHS.search(path):
        return name in index.fields
    known = scope.env.get(path)
    return known is not None and known.is_object


def put_by_module(path: str, values: Values) -> Value | None:
    """What the body of the module has put into `os.environ` or another module, if there is data."""
    env, held = values.scope.env, values.module.globals
    if env is held or path not in held.values or path.partition(".")[0] in env.values:
        return None
    known = held.values[path]
    return replace(known, constant=UNKNOWN) if known.all_taints else None


def with_gains(variable: str, known: Value, values: Values) -> Value:
    """The object in a variable, with what was put into it here, and what functions put there."""
    env, module = values.scope.env, values.module
    known = env.as_known(variable, known)
    is_own = env is not module.globals and variable in env.values
    return known if is_own or not module.shared else module.shared.of_object(variable, known)


def is_builtin(value: Value) -> bool:
    """Is it a constant or a container, and so no object of a class of the program?"""
    return value.constant is not UNKNOWN or (value.items is not None and not value.is_object)


def is_of_class(node: cst.Attribute, values: Values) -> bool:
    """Is it `C.name`, of a class that is all in this file?"""
    made = values.module.index.made(node.value)
    return made is not None and values.module.index.is_whole(made)


def given_by_own(node: cst.Attribute, base: Value, values: Values) -> Value | None:
    """What `self.name` gives that calls a method; None where it is no property."""
    functions = values.module.index.properties_of(node, values.scope.owner)
    return _called(functions, node, base, values)


def is_intercepted(node: cst.Attribute, values: Values) -> bool:
    """May a method of the object's class say what any of its attributes holds?"""
    index, owner = values.module.index, values.scope.owner
    names = [name for name in _INTERCEPTING if index.has(name)]
    if not names or index.class_of(node.value, owner) is None:
        return bool(names)
    return any(index.special(name, node.value, owner) for name in names)


def given_by_object(node: cst.Attribute, base: Value, values: Values) -> Value | None:
    """What a property gives of an object, or `__dict__`; None for what is a field, or unknown."""
    name = identifier(node.attr)
    if not base.is_object or name in (base.items or {}):
        return None
    if name == "__dict__":
        return replace(base, is_object=False)
    functions = values.module.index.properties_read(node, values.scope.owner)
    return _called(functions, node, base, values)


def _called(
    functions: Sequence[Function], node: cst.Attribute, base: Value, values: Values
) -> Value | None:
    """What properties give, one of which is read; None where one of them is not known."""
    read, given = cst.Call(node), {id(node.value): base}
    found = [values.module.call(one, read, given, values.scope.summary) for one in functions]
    return added([one for one in found if one]) if found and None not in found else None
