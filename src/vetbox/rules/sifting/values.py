"""Values: the constants an expression of a fragment may have, or that nobody can tell yet.

Everything here errs on one side: what the folder finds is among the values, or they are ANY.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any, Final, TypeAlias

from vetbox.rules.resolve.computing import FUNCTIONS, LIBRARY, METHODS, WORDS
from vetbox.rules.sifting import computed
from vetbox.rules.sifting.assignments import NameAssignments

Values: TypeAlias = tuple[object, ...] | None
ANY: Final = None
"""The expression may have any value; the empty tuple: it is no constant."""
_NONE: Final = ()
_DEPTH = 6
_COMPUTING = frozenset(name.rpartition(".")[2] for name in FUNCTIONS) | {"map"}
_MAPPING = frozenset({"map"})
"""What it is given first is a function: no constant, though what it makes may be one."""
LIBRARIES = frozenset(name.partition(".")[0] for name in LIBRARY)
CONSTANTS = frozenset(name.rpartition(".")[2] for name in LIBRARY)
KNOWN = _COMPUTING | CONSTANTS | METHODS.keys()
"""Names of which it is known what they compute."""


def decoded(value: str | bytes) -> str:
    """A text as the judge reads it."""
    return value if isinstance(value, str) else value.decode("latin-1")


class Constants:
    """Answers for the expressions of one file; `library`: may some come from a library?

    Where the names are those that one line sees, `everywhere` knows what classes may hold.
    """

    def __init__(
        self,
        assignments: NameAssignments,
        *,
        library: Callable[[], bool] = lambda: True,
        everywhere: "Constants | None" = None,
    ) -> None:
        self.assignments = assignments
        self._library = library
        self._everywhere = everywhere
        self._open: dict[str, Values] = {}

    def as_seen(self, assignments: NameAssignments) -> "Constants":
        """The same, where names have been given no more than a line sees."""
        return Constants(assignments, library=self._library, everywhere=self)

    def of(self, node: ast.expr, depth: int = _DEPTH) -> Values:
        """The values the folder may find: a superset of them, ANY for all there are."""
        if isinstance(node, ast.Constant):
            return _NONE if node.value is ... else (node.value,)
        if not depth:
            return ANY
        read = _READERS.get(type(node))
        return _NONE if read is None else read(self, node, depth - 1)

    def forms(self, node: ast.expr, depth: int = _DEPTH) -> Iterator[ast.expr | None]:
        """The expression and what stands in its place; None when there is more than is read."""
        yield node
        followed: Iterable[ast.expr] | None = ()
        match node:
            case ast.Name(id=name):
                followed = self.assignments.of(name)
            case ast.IfExp(body=body, orelse=orelse):
                followed = (body, orelse)
            case ast.NamedExpr(value=value):
                followed = (value,)
        if followed is None or (followed and not depth):
            yield None
            return
        for one in followed:
            yield from self.forms(one, depth - 1)

    def _name(self, node: ast.Name, depth: int) -> Values:
        if node.id in self._open:
            return self._open[node.id]
        given = None if node.id in WORDS else self.assignments.of(node.id)
        if given is None:
            return ANY
        # What is computed from itself begins with what is not, or is nothing.
        found: Values = _NONE
        for assumed in (_NONE, ANY):
            self._open[node.id] = assumed
            found = self._either(given, depth)
            del self._open[node.id]
            if found == _NONE:
                break
        return found

    def _either(self, nodes: Iterable[ast.expr], depth: int) -> Values:
        found: list[object] = []
        for node in nodes:
            values = self.of(node, depth)
            if values is ANY:
                return ANY
            found += values
        return tuple(found)

    def _all(self, nodes: Iterable[ast.expr], depth: int) -> Values:
        """ANY if each of the parts may be a constant."""
        return _NONE if any(self.of(node, depth) == _NONE for node in nodes) else ANY

    def _computed(
        self,
        nodes: Sequence[ast.expr],
        depth: int,
        compute: Callable[..., Values],
    ) -> Values:
        """What is made of some parts, if each of them is known."""
        found = [self.of(node, depth) for node in nodes]
        if _NONE in found:
            return _NONE
        return ANY if ANY in found else compute(*found)

    def _listed(self, node: ast.Tuple | ast.List, depth: int) -> Values:
        if any(isinstance(element, ast.Starred) for element in node.elts):
            return self._all(node.elts, depth)
        return self._computed(node.elts, depth, lambda *values: computed.listed(type(node), values))

    def _dict(self, node: ast.Dict, depth: int) -> Values:
        return self._all([part for part in (*node.keys, *node.values) if part], depth)

    def _condition(self, node: ast.IfExp, depth: int) -> Values:
        if self._all([node.body, node.orelse], depth) == _NONE:
            return _NONE
        return self._either([node.body, node.orelse], depth)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, depth: int) -> Values:
        """Of one loop over a constant, with nothing left out."""
        match node.generators:
            case [ast.comprehension(target=ast.Name(), iter=looped, ifs=[])]:
                return self._all([looped], depth)
        return _NONE

    def _attribute(self, node: ast.Attribute, depth: int) -> Values:
        known = node.attr in CONSTANTS or (
            self.assignments.is_member(node.attr) and self._library()
        )
        if known:
            return ANY
        # What a class of the file may hold, where one is bound that way anywhere.
        if not isinstance(node.value, ast.Name) or not self.assignments.is_member(node.attr):
            return _NONE
        everywhere = self._everywhere or self
        return everywhere._name(ast.Name(node.attr), depth)

    def _call(self, node: ast.Call, depth: int) -> Values:
        if node.keywords:
            return _NONE
        given = node.args
        match node.func:
            case ast.Attribute(value=receiver, attr=attr) if attr in METHODS:
                of = self.of(receiver, depth)
                if of:
                    return self._computed(given, depth, lambda *g: computed.method(attr, of, g))
                computes = of is ANY or attr in _COMPUTING
            case callee:
                computes = self._may_be(callee, _COMPUTING)
                given = given[computes and self._may_be(callee, _MAPPING) :]
        return self._all(given, depth) if computes else _NONE

    def _may_be(self, callee: ast.expr, words: Set[str]) -> bool:
        """May it be a function that is called one of the words?"""
        match callee:
            case ast.Attribute(attr=attr):
                return attr in words or self.assignments.is_member(attr)
            case ast.Name(id=name):
                return name in words or self.assignments.is_bound(name)
        return True


_READERS: Mapping[type[ast.expr], Callable[[Constants, Any, int], Values]] = {
    ast.Name: Constants._name,
    ast.JoinedStr: lambda own, node, depth: own._computed(
        node.values, depth, lambda *values: computed.formatted(node.values, values)
    ),
    ast.FormattedValue: lambda own, node, depth: own.of(node.value, depth),
    ast.BinOp: lambda own, node, depth: own._computed(
        [node.left, node.right], depth, partial(computed.binary, node.op)
    ),
    ast.UnaryOp: lambda own, node, depth: own._computed(
        [node.operand], depth, partial(computed.sign, node.op)
    ),
    ast.Tuple: Constants._listed,
    ast.List: Constants._listed,
    ast.Set: lambda own, node, depth: own._all(node.elts, depth),
    ast.Dict: Constants._dict,
    ast.Starred: lambda own, node, depth: own.of(node.value, depth),
    ast.IfExp: Constants._condition,
    ast.NamedExpr: lambda own, node, depth: own.of(node.value, depth),
    ast.Subscript: lambda own, node, depth: own._all([node.value], depth),
    ast.Attribute: Constants._attribute,
    ast.Call: Constants._call,
    ast.ListComp: Constants._comprehension,
    ast.GeneratorExp: Constants._comprehension,
}
