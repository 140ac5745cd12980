"""Aliases in the graph: variables that hold one object, so that what one gets the others have."""

import ast
from collections.abc import Iterator, Sequence

from vetbox.late_dataclasses import dataclass
from vetbox.rules.narrowing.functions import Function
from vetbox.rules.narrowing.names import dotted, root
from vetbox.rules.taint.data.aliasing import NESTED
from vetbox.rules.taint.reading.containers import ELEMENTS


@dataclass(frozen=True, slots=True, eq=False)
class Alias:
    """In a function, a variable that may hold the object that is in other places as well."""

    function: Function | None
    variable: str
    places: Sequence[ast.expr]


def alias_of(function: Function | None, target: ast.expr, value: ast.expr) -> Alias | None:
    """What `target = value` says of places; also a loop, whose variable is one of the elements."""
    variable, places = dotted(target) or root(target), [*_places(value)]
    return Alias(function, variable, places) if variable and places else None


def prefixes(path: str) -> Iterator[str]:
    """`x.y` and `x` of `x.y`."""
    while path:
        yield path
        path = path.rpartition(".")[0]


def _places(value: ast.expr) -> Iterator[ast.expr]:
    match value:
        case ast.Name() | ast.Attribute() | ast.Subscript():
            yield value
        case ast.Call(func=ast.Attribute(value=of, attr=word)) if word in ELEMENTS:
            yield of
        case ast.Call(func=ast.Attribute(value=of, attr="values" | "items" | "copy")):
            yield of
        case ast.Call(func=ast.Name(), args=[of, *_]):
            yield from _places(of)
        case ast.Call(func=ast.Attribute(attr=word), args=[of, *_]) if word in NESTED:
            yield of
        case ast.Dict(values=parts) | ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from (part for part in parts if isinstance(part, (ast.Name, ast.Attribute)))
