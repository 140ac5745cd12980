"""Backtracking: whether a regular expression takes exponential time to refuse a text.

A repetition is ambiguous where one text leads through it in two ways, as in `(a+)+` or `(a|a)*`.
Python's re tries all of them before it gives up, which it does when what follows cannot match. So
a repetition is laid out as the characters it consists of and what may come after each, and two ways
over the same text are looked for, side by side.
"""

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple, TypeAlias

from vetbox.rules.matching.alphabet import Alphabet

# Python's own parser knows its syntax; it has no public name.
_parser: Any = re._parser  # type: ignore[attr-defined]

MAX_LENGTH = 2_000
_MANY = 4
"""Repeated less often, the work grows with the square or the cube of the text."""
_UNROLLED = 20
_POSITIONS = 160
_STEPS = 60_000

_Item: TypeAlias = tuple[Any, Any]
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT"})
_SINGLE = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})


@lru_cache(maxsize=1_000)
def backtracks(pattern: str, *, whole: bool = False) -> bool:
    """May refusing a text take exponential time? `whole`: it has to match all of the text."""
    if len(pattern) > MAX_LENGTH:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = _parser.parse(pattern)
        return _Search(Alphabet(parsed.state.flags)).finds(parsed, fails=whole)
    except (re.error, RecursionError, OverflowError, _Vague):
        return False


class _Vague(Exception):
    """What matches depends on more than the characters, or it is too much to follow."""


class _Search:
    """The search through one pattern, and how much of it may still be looked at."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self._left = _STEPS

    def spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise _Vague

    def finds(self, items: Sequence[_Item], *, fails: bool) -> bool:
        """Is there an ambiguous repetition all ways of which are tried, as the rest may fail?"""
        for op, argument in reversed(list(items)):
            if any(self.finds(part, fails=rest) for part, rest in _within(op, argument, fails)):
                return True
            if fails and str(op) in _REPEATS and self._is_ambiguous(argument[1], argument[2]):
                return True
            fails = fails or _may_fail(op, argument)
        return False

    def _is_ambiguous(self, most: int, body: Sequence[_Item]) -> bool:
        if most < _MANY or (most != _parser.MAXREPEAT and not _is_endless(body)):
            return False
        layout = _Layout(self)
        try:
            layout.repeated(layout.row(body))
            return layout.is_ambiguous
        except _Vague:
            return False


def _within(op: Any, argument: Any, fails: bool) -> Iterator[tuple[Sequence[_Item], bool]]:
    """The patterns in an item, each with whether what follows it may fail."""
    match str(op):
        case "SUBPATTERN":
            yield argument[-1], fails
        case "BRANCH":
            yield from ((part, fails) for part in argument[1])
        case "MAX_REPEAT" | "MIN_REPEAT":
            yield argument[2], fails
        case "ATOMIC_GROUP":
            yield argument, False
        case "ASSERT" | "ASSERT_NOT":
            yield argument[1], False
        case "POSSESSIVE_REPEAT":
            yield argument[2], False


def _may_fail(op: Any, argument: Any) -> bool:
    match str(op):
        case "BRANCH":
            return all(_any_may_fail(part) for part in argument[1])
        case "SUBPATTERN":
            return _any_may_fail(argument[-1])
        case "ATOMIC_GROUP":
            return _any_may_fail(argument)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return argument[0] > 0 and _any_may_fail(argument[2])
    return True


def _any_may_fail(items: Iterable[_Item]) -> bool:
    return any(_may_fail(op, argument) for op, argument in items)


def _is_endless(items: Iterable[_Item]) -> bool:
    """Is there a repetition without a bound in it?"""
    return any(
        (str(op) in _REPEATS and argument[1] == _parser.MAXREPEAT)
        or any(_is_endless(part) for part, _ in _within(op, argument, fails=False))
        for op, argument in items
    )


class _Part(NamedTuple):
    """The positions where a part begins and ends, and whether it may be nothing."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    may_be_nothing: bool


_NOTHING = _Part((), (), may_be_nothing=True)


class _Layout:
    """The characters of a repetition by position, and which may follow which."""

    def __init__(self, search: _Search) -> None:
        self._search = search
        self._characters: list[int] = []
        self._follows: set[tuple[int, int]] = set()
        self._is_doubled = False

    def row(self, items: Iterable[_Item]) -> _Part:
        """One after the other."""
        whole = _NOTHING
        for op, argument in items:
            whole = self._joined(whole, self._part(str(op), op, argument))
        return whole

    def _part(self, kind: str, op: Any, argument: Any) -> _Part:
        if kind in _SINGLE:
            return self._position(self._search.alphabet.of(op, argument))
        match kind:
            case "SUBPATTERN" if not argument[1] and not argument[2]:
                return self.row(argument[3])
            case "BRANCH":
                # What alternatives begin with alike is written once: `a|a` is `a(?:|)` here.
                self._is_doubled |= sum(not part for part in argument[1]) > 1
                parts = [self.row(part) for part in argument[1]]
                return _Part(
                    tuple(one for part in parts for one in part.first),
                    tuple(one for part in parts for one in part.last),
                    any(part.may_be_nothing for part in parts),
                )
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeat(*argument)
        raise _Vague

    def _repeat(self, least: int, most: int, body: Sequence[_Item]) -> _Part:
        if most <= _UNROLLED:
            # From the last to the first: only what comes after one may be left out with it.
            whole = _NOTHING
            for count in reversed(range(most)):
                whole = self._joined(self.row(body), whole)
                whole = whole._replace(may_be_nothing=whole.may_be_nothing or count >= least)
            return whole
        if least == most:
            raise _Vague
        part = self.repeated(self.row(body))
        return part._replace(may_be_nothing=part.may_be_nothing or not least)

    def repeated(self, part: _Part) -> _Part:
        """Again and again: after its end it may begin."""
        self._connect(part.last, part.first)
        return part

    def _joined(self, left: _Part, right: _Part) -> _Part:
        self._connect(left.last, right.first)
        return _Part(
            left.first + (right.first if left.may_be_nothing else ()),
            right.last + (left.last if right.may_be_nothing else ()),
            left.may_be_nothing and right.may_be_nothing,
        )

    def _position(self, characters: int) -> _Part:
        self._characters.append(characters)
        at = len(self._characters) - 1
        if at >= _POSITIONS:
            raise _Vague
        return _Part((at,), (at,), may_be_nothing=False)

    def _connect(self, before: Iterable[int], after: Sequence[int]) -> None:
        """Following in two ways at once is ambiguous already: `(a+)+` repeats a, and again."""
        pairs = set(product(before, after))
        self._search.spend(len(pairs))
        self._is_doubled |= not pairs.isdisjoint(self._follows)
        self._follows |= pairs

    @property
    def is_ambiguous(self) -> bool:
        """Does a text lead from a position to the same one in two ways?

        All positions of a repetition can be reached from each other, so it is enough that two
        ways part anywhere and meet again.
        """
        if self._is_doubled:
            return True
        after: dict[int, list[int]] = defaultdict(list)
        for one, other in self._follows:
            after[one].append(other)
        onward, back = self._side_by_side(after)
        same = {(at, at) for at in after}
        parted = _reached(same, onward) - same
        return bool(parted & _reached(same, back))

    def _side_by_side(self, after: dict[int, list[int]]) -> tuple["_Steps", "_Steps"]:
        """Where two ways over the same text get to from two positions, and where from."""
        onward: _Steps = defaultdict(set)
        back: _Steps = defaultdict(set)
        for one, other in combinations_with_replacement(sorted(after), 2):
            self._search.spend(len(after[one]) * len(after[other]))
            for pair in product(after[one], after[other]):
                if self._characters[pair[0]] & self._characters[pair[1]]:
                    met = (min(pair), max(pair))
                    onward[one, other].add(met)
                    back[met].add((one, other))
        return onward, back


_Steps: TypeAlias = dict[tuple[int, int], set[tuple[int, int]]]


def _reached(start: set[tuple[int, int]], steps: _Steps) -> set[tuple[int, int]]:
    found, waiting = set(start), list(start)
    while waiting:
        further = steps.get(waiting.pop(), set()) - found
        found |= further
        waiting += further
    return found
