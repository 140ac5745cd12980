"""Computed: what constants come to that are added, formatted and joined, as the folder would say.

What it would refuse is left out; None where there are too many ways, or it may read one otherwise.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from vetbox.rules.resolve.computing import BINARY, METHODS, Unfoldable, sized, tried, unary

Known: TypeAlias = Sequence[object]
_MANY = 64
_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "Add", ast.Sub: "Subtract", ast.Mult: "Multiply", ast.Div: "Divide",
    ast.FloorDiv: "FloorDivide", ast.Mod: "Modulo", ast.Pow: "Power", ast.LShift: "LeftShift",
    ast.RShift: "RightShift", ast.BitOr: "BitOr", ast.BitAnd: "BitAnd", ast.BitXor: "BitXor",
}  # fmt: skip
_UNARY: Mapping[type[ast.unaryop], str] = {
    ast.Not: "Not", ast.USub: "Minus", ast.UAdd: "Plus", ast.Invert: "BitInvert",
}  # fmt: skip
_AS_TEXT = (-1, ord("s"))


def binary(operator: ast.operator, left: Known, right: Known) -> tuple[object, ...] | None:
    """What an operator makes of any of its operands."""
    name = _OPERATORS.get(type(operator))
    return _all(lambda a, b: tried(BINARY[name], a, b), left, right) if name else ()


def sign(operator: ast.unaryop, operand: Known) -> tuple[object, ...] | None:
    """The same of what stands before its operand."""
    return _all(lambda value: unary(_UNARY[type(operator)], value), operand)


def method(name: str, receiver: Known, given: Sequence[Known]) -> tuple[object, ...] | None:
    """What a method of a text gives."""
    if not all(isinstance(value, (str, bytes)) for value in receiver):
        return None
    return _all(lambda *values: tried(METHODS[name], *values), receiver, *given)


def formatted(parts: Sequence[ast.expr], values: Sequence[Known]) -> tuple[object, ...] | None:
    """The texts that a formatted one may be, of whose parts these are the values."""
    if not all(map(_is_read_alike, parts)):
        return None
    return _all(lambda *texts: "".join(str(sized(text)) for text in texts), *values)


def listed(kind: type[ast.expr], values: Sequence[Known]) -> tuple[object, ...] | None:
    """The tuples or lists of such elements."""
    make: Callable[..., object] = tuple if kind is ast.Tuple else list
    return _all(lambda *parts: sized(make(map(_frozen, parts))), *values)


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _is_read_alike(part: ast.expr) -> bool:
    """Of texts with escapes, and of `{name=}`, the judge's reading is another."""
    match part:
        case ast.Constant(value=str() as text):
            return text.isprintable() and "\\" not in text and text[-1:] != "="
        case ast.FormattedValue(conversion=conversion, format_spec=None):
            return conversion in _AS_TEXT
    return False


def _all(compute: Callable[..., object], *parts: Known) -> tuple[object, ...] | None:
    """The results for all ways to choose one value of each part."""
    if prod(map(len, parts)) > _MANY:
        return None
    return tuple(_results(compute, parts))


def _results(compute: Callable[..., object], parts: Sequence[Known]) -> Iterator[object]:
    for chosen in product(*parts):
        try:
            yield compute(*chosen)
        except Unfoldable:
            continue
