"""Choices: the elements that a loop or an unknown key may take out of a constant container.

`for n in ("name", "sep"): getattr(os, n)` asks for two names one can read. Worked out for code that
is about to run, where a name nobody knows is refused.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import libcst as cst

from vetbox.rules.language.formula import Resolve
from vetbox.rules.resolve.computing import Unfoldable, item, iterated, tried
from vetbox.rules.resolve.context import Context, Values
from vetbox.rules.walk import Tree, identifier

MAX_VALUES = 16
_COMPOSING = frozenset({cst.BinaryOperation, cst.FormattedString, cst.Call})
_TARGETS = frozenset({cst.Element, cst.Tuple, cst.List, cst.StarredElement})
_IN_TUPLES = frozenset(
    {cst.Element, cst.DictElement, cst.Tuple, cst.SimpleString, cst.Integer, cst.Float}
)


def choices(*parts: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """One value of each part in every way; no constant where there are too many."""
    if prod(map(len, parts)) > MAX_VALUES:
        raise Unfoldable
    return product(*parts)


def is_composing(node: cst.CSTNode) -> bool:
    """May it put a new text together?"""
    if type(node) is cst.Subscript:
        return any(type(part.slice) is cst.Slice for part in node.slice)
    return type(node) in _COMPOSING


def is_starred(target: cst.CSTNode, tree: Tree) -> bool:
    """Does a target take several parts at once?"""
    for around in tree.ancestors(target):
        if type(around) not in _TARGETS:
            return False
        if type(around) is cst.StarredElement:
            return True
    return False


def parts_at(found: Values, path: Sequence[object]) -> Values:
    """The parts that a target gets: of each round of a loop, or at a position."""
    for step in path:
        found = tuple(part for one in found for part in _parts(one, step))
    return found


def _parts(whole: object, step: object) -> Iterator[object]:
    if step is None:
        yield from iterated(whole)
    elif isinstance(whole, dict) and isinstance(step, int):
        yield tried(item, iterated(whole), step)
    else:
        yield tried(item, whole, step)


def any_element(tables: Iterable[object]) -> Values:
    """What a key nobody knows may take out of the tables."""
    return tuple(part for table in tables for part in _elements(table))


def _elements(table: object) -> list[object]:
    if isinstance(table, dict):
        return [*table.values()]
    if isinstance(table, (list, tuple)):
        return [*table]
    raise Unfoldable


def holds_tables(found: Iterable[object]) -> bool:
    """Are there tables among the elements of a table?"""
    inner = (
        part
        for one in found
        if isinstance(one, (list, tuple, dict))
        for part in (one.values() if isinstance(one, dict) else one)
    )
    return any(isinstance(part, (list, tuple, dict)) for part in inner)


def is_written_in_tuples(value: cst.CSTNode, tree: Tree) -> bool:
    """Are the tables inside the written one nothing but tuples, which cannot change?"""
    kinds = {type(node) for node in tree.below(value)}
    return type(value) in (cst.List, cst.Tuple, cst.Dict) and kinds <= _IN_TUPLES


def is_repeated(statement: cst.CSTNode, tree: Tree) -> bool:
    """May it happen more than once to what it changes: in a loop, or from a function outside?"""
    kinds = {type(around) for around in tree.ancestors(statement)}
    declared = tree.by_type.get(cst.Global) or tree.by_type.get(cst.Nonlocal)
    return not kinds.isdisjoint((cst.For, cst.While)) or bool(declared and cst.FunctionDef in kinds)


def rows(
    call: cst.Call, resolver: Context, values: Callable[[cst.CSTNode], Values]
) -> Values | None:
    """What a call gives of written tables without putting a text together; None for others."""
    match call:
        case cst.Call(
            func=cst.Attribute(value=table, attr=cst.Name(value="get")), args=[_, *other]
        ):
            others = (value for arg in other for value in values(arg.value))
            return (*any_element(_tables(values(table))), *others)
        case cst.Call(func=cst.Attribute(value=table, attr=attr), args=[]) if (
            identifier(attr) in _TABLE_METHODS
        ):
            return tuple(_TABLE_METHODS[identifier(attr)](one) for one in _tables(values(table)))
        case cst.Call(func=cst.Name(), args=args) if args:
            name = next(iter(resolver.names(call.func, Resolve.DYNAMIC) & _ROWS.keys()), None)
            if name is not None:
                given = [values(arg.value) for arg in args]
                return tuple(tried(_ROWS[name], *row) for row in choices(*given))
    return None


def _tables(found: Values) -> Iterator[dict[object, object]]:
    for one in found:
        if not isinstance(one, dict):
            raise Unfoldable
        yield one


_TABLE_METHODS: Mapping[str, Callable[[dict[object, object]], list[object]]] = {
    "items": lambda table: [*table.items()],
    "keys": lambda table: [*table],
    "values": lambda table: [*table.values()],
}
_ROWS: Mapping[str, Callable[..., object]] = {
    "enumerate": lambda table: [*enumerate(iterated(table))],
    "reversed": lambda table: iterated(table)[::-1],
    "sorted": lambda table: sorted(iterated(table), key=str),
    "zip": lambda *columns: [*zip(*map(iterated, columns), strict=False)],
}
