"""Constructors that turn each keyword argument into an attribute.

`for name, value in options.items(): setattr(self, name, value)`, `self.__dict__.update(options)`,
`for name in NAMES: setattr(self, name, options[name])`.
"""

from collections.abc import Iterator, Mapping

import libcst as cst

from vetbox.rules.patterns.tree import block_of, preorder
from vetbox.rules.taint.calls.binding import bind_arguments
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.data.values import CLEAN, Value
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.walk import identifier


def spread_by(
    function: Function, call: cst.Call, arguments: Mapping[int, Value]
) -> Iterator[tuple[str, Value]]:
    """The attributes that a constructor makes of keywords that none of its parameters has."""
    table = next((identifier(one.name) for one in function.parameters if one.star == "**"), None)
    if table is None or not any(_spreads(one, table) for one in _statements(function)):
        return
    for bound in bind_arguments(function, call):
        if bound.parameter.star == "**" and isinstance(bound.key, str):
            yield bound.key, arguments.get(id(bound.value), CLEAN)


def _statements(function: Function) -> Iterator[cst.CSTNode]:
    return preorder(block_of(function.node.body))


def _spreads(statement: cst.CSTNode, table: str) -> bool:
    match statement:
        case cst.For(
            target=cst.Tuple(elements=[cst.Element(cst.Name(name)), cst.Element(cst.Name(value))]),
            iter=cst.Call(func=cst.Attribute(value=cst.Name() as of, attr=cst.Name("items"))),
            body=body,
        ) if identifier(of) == table:
            return any(_sets(one, name, value) for one in preorder(block_of(body)))
        case cst.For(target=cst.Name(name), body=body):
            return any(_sets_read(one, name, table) for one in preorder(block_of(body)))
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(
                    value=cst.Attribute(value=cst.Name("self"), attr=cst.Name("__dict__"))
                    | cst.Call(func=cst.Name("vars"), args=[cst.Arg(cst.Name("self"))]),
                    attr=cst.Name("update"),
                ),
                args=[cst.Arg(cst.Name() as of)],
            )
        ):
            return identifier(of) == table
    return False


def _sets(statement: cst.CSTNode, name: str, value: str) -> bool:
    """Is it `setattr(self, name, value)`?"""
    match statement:
        case cst.Expr(
            value=cst.Call(
                func=cst.Name("setattr"),
                args=[
                    cst.Arg(cst.Name("self")),
                    cst.Arg(cst.Name() as named),
                    cst.Arg(cst.Name() as given),
                ],
            )
        ):
            return (identifier(named), identifier(given)) == (name, value)
    return False


def _sets_read(statement: cst.CSTNode, name: str, table: str) -> bool:
    """Is it `setattr(self, name, table.get(name))`, or with `table[name]`?"""
    match statement:
        case cst.Expr(
            value=cst.Call(
                func=cst.Name("setattr"),
                args=[cst.Arg(cst.Name("self")), cst.Arg(cst.Name() as named), cst.Arg(given)],
            )
        ):
            read = given.func if isinstance(given, cst.Call) else given
            if isinstance(read, (cst.Attribute, cst.Subscript)):
                return identifier(named) == name and path_of(read.value) == table
    return False
