"""Spots: the nodes at which the judge tries a code pattern, and the words of its name."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns import Twins, parse_pattern, spelling, twins_of
from vetbox.rules.resolve.canonical import spellings

Kinds: TypeAlias = frozenset[type[ast.AST]] | None
"""Types of nodes; None: any."""

_CALLED = frozenset((ast.Call, ast.Name))  # a variable is what its call gave it
_ASSIGNED = frozenset((ast.Assign, ast.AnnAssign))
_AUGMENTED = frozenset((ast.AugAssign,))
_MADE_UP = (
    *(spelling.METAVARIABLE, spelling.ELLIPSIS_METAVARIABLE, spelling.ANY_PARAMETERS),
    *(spelling.DEEP, spelling.CHAIN, spelling.TYPED),
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the judge asks for a code pattern, and the words of the name that it looks for.

    What is deleted leads to one of `deleted`; of `twins` both are the same code.
    """

    kinds: Kinds
    words: frozenset[str] = frozenset()
    deleted: frozenset[str] = frozenset()
    twins: Twins | None = None


@lru_cache(maxsize=4_096)
def spot_of(pattern: str) -> Spot:
    """Where a pattern is asked for (see matching.dispatch)."""
    parsed = parse_pattern(pattern)
    root = parsed.expression
    twins = twins_of(parsed)
    if twins is not None:
        return Spot(_AUGMENTED if twins.augments else _ASSIGNED, twins=twins)
    match parsed.statements:
        case (cst.Del(target=target),) if owner := _owner(target):
            spelt = spellings(owner) or frozenset({owner})
            return Spot(frozenset((ast.Delete,)), deleted=spelt | {owner.strip("_")})
        case (cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)]),):
            return Spot(_ASSIGNED, frozenset(_chain(target)))
    match root:
        case cst.Call(func=cst.Name(value=spelling.DEEP | spelling.TYPED)):
            return Spot(None)
        case cst.Call(func=func, args=given):
            keywords = (one.keyword for one in given if one.keyword is not None)
            words = chain(_chain(func), *map(_own, keywords))
            return Spot(_CALLED, frozenset(words))
        case cst.Name() | cst.Attribute():
            return Spot(None, frozenset(_chain(root)))
        case cst.Subscript(value=value):
            return Spot(frozenset((ast.Subscript,)), frozenset(_chain(value)))
        case cst.Dict():
            return Spot(frozenset((ast.Dict,)))
        case cst.BinaryOperation() | cst.FormattedString():
            return Spot(None, frozenset(_operands(root)))
    return Spot(None)


def _operands(node: cst.BaseExpression) -> Iterator[str]:
    """The words of the names that a text or number is made of."""
    match node:
        case cst.BinaryOperation(left=left, right=right):
            yield from chain(_operands(left), _operands(right))
        case cst.FormattedString(parts=parts):
            held = (one for one in parts if isinstance(one, cst.FormattedStringExpression))
            yield from chain.from_iterable(_operands(one.expression) for one in held)
        case cst.Name() | cst.Attribute():
            yield from _chain(node)


def _owner(target: cst.BaseExpression) -> str:
    """The name at the start of a chain, if it stands for itself."""
    while isinstance(target, (cst.Attribute, cst.Subscript)):
        target = target.value
    return next(_own(target), "") if isinstance(target, cst.Name) else ""


def _chain(node: cst.BaseExpression) -> Iterator[str]:
    """The words of a dotted name that stand for themselves."""
    while isinstance(node, cst.Attribute):
        yield from _own(node.attr)
        node = node.value
    if isinstance(node, cst.Name):
        yield from _own(node)


def _own(name: cst.Name) -> Iterator[str]:
    if not name.value.startswith(_MADE_UP):
        yield name.value


def are_twins(node: ast.AST) -> bool:
    """Is what is assigned, or added, the same as what it is assigned to?"""
    match node:
        case ast.AugAssign(target=target, value=value):
            return _code(value) == _code(target)
        case ast.Assign(targets=[target], value=ast.BinOp(left=left, right=right)):
            return _code(left) == _code(right) == _code(target)
        case ast.AnnAssign(target=target, value=ast.BinOp(left=left, right=right)):
            return _code(left) == _code(right) == _code(target)
    return False


def _code(node: ast.expr) -> str:
    """Of a text its content, which a metavariable takes for a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ast.unparse(node)
