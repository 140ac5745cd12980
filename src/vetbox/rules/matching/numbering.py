"""Line numbers of nodes: the logical line each stands on, without computing positions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

import libcst as cst

from vetbox.rules.walk import Tree

_COMPOUND = (
    *(cst.If, cst.For, cst.While, cst.With, cst.Try, cst.TryStar, cst.Match, cst.MatchCase),
    *(cst.FunctionDef, cst.ClassDef, cst.ExceptHandler, cst.ExceptStarHandler),
)
"""What may be found on lines that are not its first: in its body, over it as a decorator."""


class Numbering:
    """The logical lines of a module that hold code, numbered from 0 as a layout numbers them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __len__(self) -> int:
        return len(self._lines)

    @cached_property
    def _lines(self) -> Mapping[int, int]:
        """By id() of the statement or clause that begins a line."""
        return {id(node): number for number, node in enumerate(_beginning(self._tree.module.body))}

    def line_of(self, node: cst.CSTNode) -> int | None:
        """None for what stands on several, and for what is on none."""
        if isinstance(node, _COMPOUND):
            return None
        lines, above = self._lines, self._tree.parents
        inner: cst.CSTNode | None = node
        while inner is not None:
            number = lines.get(id(inner))
            if number is not None:
                return number
            inner = above.get(id(inner))
        return None


class Lines:
    """The lines on which some rules may fire; of any other rule nothing is known."""

    def __init__(self, tree: Tree, lines: Sequence[int], asked: Mapping[str, Set[int]]) -> None:
        """`lines` are those of the file that a part of it shows, `asked` those of rules there."""
        numbering = Numbering(tree)
        self._of = numbering.line_of if len(numbering) == len(lines) else None
        self._lines, self._asked = lines, asked
        self._last: tuple[cst.CSTNode | None, int | None] = None, None

    def allow(self, rule: str, node: cst.CSTNode) -> bool:
        """May the rule fire at a node?"""
        asked = self._asked.get(rule)
        if asked is None or self._of is None:
            return True
        if self._last[0] is not node:  # it is asked for one rule after the other
            number = self._of(node)
            self._last = node, None if number is None else self._lines[number]
        line = self._last[1]
        return line is None or line in asked


def _beginning(body: Iterable[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """What begins the logical lines of a block, in order."""
    for statement in body:
        yield from getattr(statement, "decorators", ())
        yield statement
        if not isinstance(statement, cst.SimpleStatementLine):
            yield from _below(statement)


def _below(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The same of the suites of a statement, and of its other clauses."""
    clause: cst.CSTNode | None = statement
    while clause is not None:  # an elif for each step, of which there may be hundreds
        yield from _beginning(_held_by(clause))
        for handler in getattr(clause, "handlers", ()):
            yield handler
            yield from _beginning(_held_by(handler))
        last = getattr(clause, "finalbody", None)
        clause = getattr(clause, "orelse", None)
        if clause is not None:
            yield clause
        if last is not None:
            if clause is not None:
                yield from _beginning(_held_by(clause))
            yield last
            clause = last


def _held_by(clause: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The statements of a suite, or the cases; what follows its colon is on the same line."""
    if isinstance(clause, cst.Match):
        return clause.cases
    body = getattr(clause, "body", None)
    return body.body if isinstance(body, cst.IndentedBlock) else ()
