"""Flows: the names that a logical line assigns to, each with the words of what it assigns.

A superset of what the resolver follows: what a value is made of counts only where the resolver
would take the value for it. A sum of texts is no function, whatever it is a sum of.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from vetbox.late_dataclasses import dataclass
from vetbox.rules.fragments import Unreadable, identifiers, nodes_in

_DEPTH = 30  # nobody puts tables into tables so often
_MATCHING = (ast.Match, ast.match_case)  # what is captured stands on other lines


class Target(NamedTuple):
    """A name that is given something; `dotted`: an attribute, `inner`: of a scope of the line."""

    name: bytes
    dotted: bool = False
    inner: bool = False


@dataclass(frozen=True, slots=True)
class Flows:
    """By each word of a line what is given it, and the words of what the line returns."""

    bound: Mapping[bytes, Set[Target]]
    returned: Set[bytes]


@lru_cache(maxsize=4_000)
def flows_of(code: str, handing: frozenset[bytes]) -> Flows | None:
    """The flows of a line; calls of `handing` give back what they are given. None: not read."""
    try:
        nodes = nodes_in(code)
    except Unreadable:
        return None
    if any(isinstance(node, _MATCHING) for node in nodes):
        return None
    values = _Values(handing)
    bound = defaultdict[bytes, set[Target]](set)
    returned: set[bytes] = set()
    for node in nodes:
        for target, words in _given(node, values):
            for word in words:
                bound[word].add(target)
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)) and node.value is not None:
            returned.update(values.carried(node.value))
    return Flows(bound, returned)


def _given(node: ast.AST, values: "_Values") -> Iterator[tuple[Target, Iterable[bytes]]]:
    """The names that a node binds, each with the words of what it gives them."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from _each(targets, values.carried(value))
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.AugAssign(target=target, value=value)
            | ast.NamedExpr(target=target, value=value)
            | ast.For(target=target, iter=value)
            | ast.AsyncFor(target=target, iter=value)
            | ast.withitem(optional_vars=ast.expr() as target, context_expr=value)
        ):
            yield from _each([target], values.carried(value))
        case ast.comprehension(target=target, iter=value):
            for one, words in _each([target], values.carried(value)):
                yield one._replace(inner=True), words
        case ast.arguments():
            yield from _parameters(node, values)
        case ast.stmt() if type(node).__name__ == "TypeAlias":
            yield from _each([node.name], values.carried(node.value))  # type: ignore[attr-defined]


def _each(
    targets: Iterable[ast.expr], words: Iterable[bytes]
) -> Iterator[tuple[Target, Iterable[bytes]]]:
    words = set(words)
    for target in chain.from_iterable(map(_targets, targets)) if words else ():
        yield target, words


def _targets(target: ast.expr) -> Iterator[Target]:
    """The names in a target; what is put under a key is not followed."""
    match target:
        case ast.Name(id=name):
            yield Target(name.encode())
        case ast.Attribute(attr=name):
            yield Target(name.encode(), dotted=True)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from chain.from_iterable(map(_targets, parts))
        case ast.Starred(value=inner):
            yield from _targets(inner)


def _parameters(node: ast.arguments, values: "_Values") -> Iterator[tuple[Target, Iterable[bytes]]]:
    """A parameter may be its default, or something of the type that is written behind it."""
    positional = (*node.posonlyargs, *node.args)
    given = zip(reversed(positional), reversed(node.defaults), strict=False)
    named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
    for arg, value in (*given, *named):
        if value is not None:
            yield Target(arg.arg.encode(), inner=True), set(values.carried(value))
    for arg in (*positional, *node.kwonlyargs, *filter(None, (node.vararg, node.kwarg))):
        if arg.annotation is not None:
            words = {word.encode() for word in identifiers(arg.annotation)}
            yield Target(arg.arg.encode(), inner=True), words


class _Values:
    """The words that an expression may be called by."""

    def __init__(self, handing: Set[bytes]) -> None:
        self._handing = handing

    def carried(self, node: ast.expr, depth: int = _DEPTH) -> Iterator[bytes]:
        """The last words of all that the resolver may take an expression for."""
        if not depth:
            yield from (word.encode() for word in identifiers(node))
            return
        match node:
            case ast.Name(id=name):
                yield name.encode()
            case ast.Attribute(value=value, attr=attr):
                yield attr.encode()
                # `x.__call__` is x; `f(x).y` is something of what f gives.
                if attr[:2] == "__" or not isinstance(value, (ast.Name, ast.Attribute)):
                    yield from self.carried(value, depth - 1)
            case _:
                for part in self._parts(node):
                    yield from self.carried(part, depth - 1)

    def _parts(self, node: ast.expr) -> Iterable[ast.expr]:
        match node:
            case ast.Call():
                return self._of_call(node)
            case ast.Subscript(slice=ast.Slice()):
                return ()
            case (
                ast.Subscript(value=value)
                | ast.NamedExpr(value=value)
                | ast.Await(value=value)
                | ast.Starred(value=value)
                | ast.Lambda(body=value)
                | ast.BinOp(left=value, op=ast.Div())
            ):
                return (value,)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return parts
            case ast.BoolOp(values=parts) | ast.Dict(values=parts):
                return parts
            case ast.IfExp(body=first, orelse=second):
                return (first, second)
            case ast.BinOp(left=first, op=ast.BitOr(), right=second):
                return (first, second)
        return ()

    def _of_call(self, call: ast.Call) -> Iterable[ast.expr]:
        match call.func:
            case ast.Attribute(attr="get" | "pop" | "setdefault"):  # they take no keywords
                return (call.func, *call.args)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                if name.encode() not in self._handing:
                    return (call.func,)
        return (call.func, *call.args, *(keyword.value for keyword in call.keywords))
