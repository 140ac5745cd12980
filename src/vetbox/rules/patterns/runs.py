"""Runs of statements that a pattern lists; `...` between two skips any number.

A run is matched against the block's statements in source order, those of nested blocks included
(a sink inside an `if` still follows its source), those of a nested definition only where it is
asked for.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias
from weakref import proxy

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.budget import Budget
from vetbox.rules.patterns.bindings import EMPTY, Bindings, Bound
from vetbox.rules.patterns.pattern import Statement
from vetbox.rules.patterns.tree import preorder
from vetbox.rules.patterns.vocabulary import gap_name
from vetbox.rules.patterns.ways import One
from vetbox.rules.remembering import Found

_Way: TypeAlias = tuple[int, Bindings]
"""The index of the last statement, and what is bound."""


@dataclass(frozen=True, slots=True)
class Run:
    """A match: it reaches from the statement `first` to the statement `last`."""

    first: Statement
    last: Statement
    bindings: Bindings


class Search:
    """One pattern on the statements of a block; what follows from a state is worked out once.

    A state is a place in the pattern, one in the block, and what those metavariables stand for
    that the rest of the pattern names: the others make no difference to it.
    """

    def __init__(
        self,
        match: One[Statement],
        pattern: Sequence[Statement],
        block: Sequence[Statement],
        budget: Budget,
        *,
        nested: bool,
    ) -> None:
        self._has_gap = any(map(is_gap_statement, pattern))
        # What the pattern is tried on: with a gap, nested blocks too.
        self.line: Sequence[Statement] = block
        if self._has_gap:
            self.line = tuple(preorder(block, nested=nested))
        self._match = match
        self._budget = budget
        self._pattern = pattern
        self._own = frozenset(map(id, block))
        self._places = {id(statement): place for place, statement in enumerate(self.line)}
        self._rest = _rest_of(tuple(pattern))
        self._known: dict[tuple[int, int, object], Found[_Way]] = {}
        self._free: dict[tuple[int, int], Sequence[Bindings]] = {}
        self._everywhere: dict[int, Sequence[int]] = {}
        self._known_starts: Sequence[int] | None = None
        # What is kept here and may never be asked for to its end must not keep the search alive.
        self._weak = proxy(self)
        self._runs = Found(Search._found_runs(self._weak))

    def runs(self) -> Iterator[Run]:
        """Every place in the block where the pattern's statements follow each other, in order."""
        yield from self._runs

    def _found_runs(self) -> Iterator[Run]:
        for place in self._starts():
            yield from self._runs_at(place)

    def runs_over(self, inside: cst.CSTNode) -> Iterator[Run]:
        """Those that may reach over a statement: without a gap they begin nearby."""
        place = None if self._has_gap else self._places.get(id(inside))
        if place is None:
            yield from self.runs()
        else:
            for first in self.line[max(0, place + 1 - len(self._pattern)) : place + 1]:
                yield from self.runs_from(first)

    def runs_from(self, first: cst.CSTNode) -> Iterator[Run]:
        """Those that begin at a statement of the block itself."""
        place = self._places.get(id(first)) if id(first) in self._own else None
        if place is not None:
            yield from self._runs_at(place)

    def _runs_at(self, place: int) -> Iterator[Run]:
        for last, bindings in self.ways(0, place, EMPTY):
            yield Run(self.line[place], self.line[last], bindings)

    def _starts(self) -> Sequence[int]:
        """The places of the block itself at which the first statement matches; most have none."""
        if self._known_starts is None:
            opens = is_gap_statement(self._pattern[0])
            places = range(len(self.line)) if opens else self._places_of(0)
            own = [place for place in places if id(self.line[place]) in self._own]
            self._known_starts = own
        return self._known_starts

    def ways(self, atom: int, index: int, env: Bindings) -> Iterator[_Way]:
        """The ways from here on, with what is bound already."""
        if atom == len(self._pattern):
            yield index - 1, env
            return
        named = env.only(name for name in env if name in self._rest[atom])
        state = (atom, index, named.key)
        known = self._known.get(state)
        if known is None:
            step = Search._step(self._weak, atom, index, named)
            known = self._known[state] = Found(_distinct(step, self._budget))
        for last, found in known:
            yield last, env.joined(found)

    def _step(self, atom: int, index: int, env: Bindings) -> Iterator[_Way]:
        if not is_gap_statement(self._pattern[atom]):
            for bound in self._bound(atom, index, env):
                yield from self.ways(atom + 1, index + 1, bound)
        elif atom == len(self._pattern) - 1:
            for skipped in self._skipped(atom, index, len(self.line), env):
                yield len(self.line) - 1, skipped
        elif is_gap_statement(self._pattern[atom + 1]):
            yield from self.ways(atom + 1, index, env)
        else:
            for place in self._places_of(atom + 1):
                for skipped in self._skipped(atom, index, place, env):
                    for bound in self._bound(atom + 1, place, skipped):
                        yield from self.ways(atom + 2, place + 1, bound)

    def _skipped(self, atom: int, index: int, place: int, env: Bindings) -> Iterator[Bindings]:
        """`$...X` stands for what is passed over between two places."""
        name = gap_name(self._pattern[atom]) if place >= index else None
        passed = Bound(None, tuple(self.line[index:place]))
        known = env if name is None else env.with_(name, passed)
        if place >= index and known is not None:
            yield known

    def _bound(self, atom: int, index: int, env: Bindings) -> Iterator[Bindings]:
        """What is bound where a statement matches, if it agrees with what is bound already."""
        free = self._alone(atom, index)
        self._budget.glance(len(free) + 1)
        for bindings in free:
            merged = env.merged(bindings)
            if merged is not None:
                yield merged

    def _places_of(self, atom: int) -> Sequence[int]:
        """Where a statement of the pattern matches, whatever is bound."""
        if atom not in self._everywhere:
            everywhere = range(len(self.line))
            self._everywhere[atom] = [place for place in everywhere if self._alone(atom, place)]
        return self._everywhere[atom]

    def _alone(self, atom: int, index: int) -> Sequence[Bindings]:
        """How one of the pattern's statements matches one of the block's."""
        if index >= len(self.line):
            return ()
        known = self._free.get((atom, index))
        if known is None:
            ways = self._match(self._pattern[atom], self.line[index], EMPTY)
            known = self._free[atom, index] = tuple(ways)
        return known


def _distinct(ways: Iterator[_Way], budget: Budget) -> Iterator[_Way]:
    """The first of those with equal bindings counts: the time stays polynomial."""
    seen: set[tuple[int, object]] = set()
    for last, bindings in ways:
        budget.spend()
        if (last, bindings.key) not in seen:
            seen.add((last, bindings.key))
            yield last, bindings


@lru_cache(maxsize=4096)
def _rest_of(pattern: tuple[Statement, ...]) -> Sequence[str]:
    """The code of a pattern from each of its statements on."""
    codes = [cst.Module([]).code_for_node(statement) for statement in pattern]
    return ["".join(codes[atom:]) for atom in range(len(codes))]


def is_gap_statement(statement: cst.CSTNode) -> bool:
    """Is the statement `...`, or `$...X`?"""
    is_gap = isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Ellipsis)
    return is_gap or (isinstance(statement, cst.Expr) and gap_name(statement) is not None)
