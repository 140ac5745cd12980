"""Comparison: a question about what metavariables stand for, such as `$SIZE * 8 < 2048`."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import re2

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.values import re2_search
from vetbox.rules.regexes import re2_compiled

MAX_CHARACTERS = 500
MAX_BITS = 10_000
"""Of a number on the way; powers of powers would take longer than anybody waits."""
_METAVARIABLE = re.compile(r"\$([A-Z_][A-Z0-9_]*)")
_PREFIX = "__metavariable_"
_HOW = "compare what metavariables stand for, as in `$SIZE * 8 < 2048`"


class Unanswered(Exception):
    """What metavariables stand for cannot be compared like this."""


_INCOMPARABLE = (
    *(Unanswered, ArithmeticError, AttributeError, TypeError, ValueError, LookupError),
    RecursionError,
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """An expression of Python's: numbers and texts, arithmetic, comparisons, and, or, not, in.

    The functions are int, float, str, len and re.match.
    """

    text: str

    @classmethod
    def of(cls, text: str) -> "Comparison":
        """Raises ValueError for anything else."""
        if len(text) > MAX_CHARACTERS:
            raise ValueError(f"longer than {MAX_CHARACTERS} characters; split the rule")
        try:
            known = all(type(node) in _KNOWN for node in ast.walk(_parsed(text)))
            named = all(map(_is_known, ast.walk(_parsed(text))))
        except (SyntaxError, ValueError, RecursionError, MemoryError, re2.error):
            known = named = False
        if not (known and named and _METAVARIABLE.search(text)):
            raise ValueError(f"'{text}' is no comparison; {_HOW}")
        return cls(text)

    @property
    def metavariables(self) -> tuple[str, ...]:
        """Those that it names, without `$`, in the order in which they stand."""
        return tuple(dict.fromkeys(_METAVARIABLE.findall(self.text)))

    def holds(self, values: Mapping[str, object]) -> bool:
        """Is it so, given what all metavariables stand for? No where that is not to be compared."""
        try:
            return bool(_value(_parsed(self.text), values))
        except _INCOMPARABLE:
            return False


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(_METAVARIABLE.sub(rf"{_PREFIX}\1", text).strip(), mode="eval").body


def _is_known(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func, args=[ast.Constant(value=str(regex)), _], keywords=[]):
            re2_compiled(regex)  # raises what is wrong with it
            return ast.unparse(func) == "re.match"
        case ast.Call(func=func, args=[_], keywords=[]):
            return ast.unparse(func) in _FUNCTIONS.keys() - {"re.match"}
        case ast.Call():
            return False
        case ast.Attribute():
            return ast.unparse(node) in _FUNCTIONS
        case ast.Name(id=name):
            return name.startswith(_PREFIX) or name in {"int", "float", "str", "len", "re"}
        case ast.Constant(value=value):
            return isinstance(value, (int, float, str))
    return True


def _value(node: ast.expr, values: Mapping[str, object]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return _plain(values[name.removeprefix(_PREFIX)])
        case ast.UnaryOp(op=op, operand=operand):
            return _OPERATIONS[type(op)](_value(operand, values))
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(op, _value(left, values), _value(right, values))
        case ast.BoolOp(op=op, values=parts):
            join = all if isinstance(op, ast.And) else any
            return join(_value(part, values) for part in parts)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [_value(part, values) for part in parts]
        case ast.Call(func=func, args=args):
            return _FUNCTIONS[ast.unparse(func)](*(_value(arg, values) for arg in args))
        case ast.Compare(left=first, ops=ops, comparators=rest):
            sides = [_value(side, values) for side in (first, *rest)]
            told = zip(sides, ops, sides[1:], strict=False)
            return all(_OPERATIONS[type(op)](left, right) for left, op, right in told)
    raise Unanswered


def _plain(value: object) -> object:
    """A number or a text: no other value is compared."""
    if isinstance(value, (int, float, str)):
        return value
    raise Unanswered


def _computed(op: ast.operator, left: Any, right: Any) -> Any:
    """Arithmetic on numbers, and no number that takes long."""
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        raise Unanswered
    grown = {ast.Pow: _bits(left) * abs(right), ast.LShift: _bits(left) + abs(right)}
    if grown.get(type(op), _bits(left) + _bits(right)) > MAX_BITS:
        raise Unanswered
    return _OPERATIONS[type(op)](left, right)


def _bits(number: float) -> int:
    return number.bit_length() if isinstance(number, int) else 1


_OPERATIONS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "len": len,
    "re.match": lambda regex, text: re2_search(f"^(?:{regex})", text),
}
_KNOWN = frozenset(
    {*_OPERATIONS, ast.Constant, ast.Name, ast.Load, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.And}
    | {ast.Or, ast.List, ast.Tuple, ast.Call, ast.Attribute, ast.Compare}
)
