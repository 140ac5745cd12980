"""Summaries on demand: functions read when first asked about, recursive ones to a fixpoint."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import field

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.definitions import Function
from vetbox.rules.taint.summaries import Summary

PASSES = 4
"""Times that a circle of functions is read before what they give each other is called unknown."""


@dataclass(slots=True)
class Readings:
    """Functions are read when first asked about, those of a circle until nothing new comes out.

    Whoever asks about a function that is being read gets what was known of it before, at first
    nothing; so all that was read meanwhile rests on that, and is read again with it.
    """

    order: list[Function] = field(default_factory=list)
    """The functions, as they were read."""
    _known: dict[Hashable, Summary] = field(default_factory=dict)
    _begun: dict[Hashable, Summary | None] = field(default_factory=dict)
    """Of what is being read, or rests on that: what was known of it before."""
    _active: list[Hashable] = field(default_factory=list)
    _resting: dict[Hashable, set[Hashable]] = field(default_factory=lambda: defaultdict(set))
    """By function: those being read on whose earlier results its own rests."""
    _moving: bool = False

    def summary(self, function: Function, read: Callable[[], Summary]) -> Summary | None:
        """The function's summary; None where a circle does not come to rest."""
        key = function.key
        if key in self._known:
            for below in self._resting.get(key, ()):
                self._rest_on(below)
            return self._known[key]
        if key in self._active:
            self._rest_on(key)
            return self._begun[key]
        self._active.append(key)
        self._begun.setdefault(key, Summary(checked={}))
        summary = self._read(key, read)
        self._active.pop()
        self._known[key] = summary
        self.order.append(function)
        return summary

    def forget(self, function: Function) -> Summary | None:
        """What is known of a function no longer counts."""
        return self._known.pop(function.key, None)

    def _rest_on(self, below: Hashable) -> None:
        if below in self._active:
            for above in self._active[self._active.index(below) :]:
                self._resting[above].add(below)

    def _read(self, key: Hashable, read: Callable[[], Summary]) -> Summary:
        """Read it once; where a circle begins with it, until that comes to rest."""
        moving, self._moving = self._moving, False  # of the circle around
        summary = read()
        rests = self._resting.pop(key, set())
        if not rests:
            self._begun.pop(key)
            self._moving = moving
            return summary
        self._note(key, summary)
        if rests - {key}:  # a part of the circle of another one, which has it read again
            self._resting[key] = rests - {key}
            self._moving = self._moving or moving
            return summary
        summary = self._read_again(key, read, summary)
        self._settle(key)
        self._moving = moving
        return summary

    def _read_again(self, key: Hashable, read: Callable[[], Summary], summary: Summary) -> Summary:
        """Read a circle until it comes to rest; at last with nothing known of where it begins."""
        for number in range(PASSES):
            if not self._moving:
                break
            self._moving = False
            if number == PASSES - 1:
                self._begun[key] = None
            self._forget_resting_on(key)
            summary = read()
            self._resting.pop(key, None)
            if self._begun[key] is not None:
                self._note(key, summary)
        return summary

    def _note(self, key: Hashable, summary: Summary) -> None:
        before = self._begun.get(key)
        if before is None or _said(before) != _said(summary):
            self._moving = True
        self._begun[key] = summary

    def _forget_resting_on(self, key: Hashable) -> None:
        for above, below in [*self._resting.items()]:
            if key in below and above not in self._active:
                self._known.pop(above, None)
                del self._resting[above]

    def _settle(self, key: Hashable) -> None:
        """What rests on a function counts from now on."""
        self._begun.pop(key)
        for above, below in [*self._resting.items()]:
            below.discard(key)
            if not below:
                del self._resting[above]
                self._begun.pop(above, None)


def _said(summary: Summary) -> Hashable:
    """What a summary tells callers, but for the ways that data took."""
    tables = (summary.kept, summary.filled, summary.shared)
    return (
        frozenset(summary.returns.all_taints),
        frozenset(summary.thrown.all_taints),
        frozenset(summary.arrivals),
        tuple(
            frozenset((name, key) for name, taints in table.items() for key in taints)
            for table in tables
        ),
        None if summary.checked is None else frozenset(summary.checked.items()),
    )
