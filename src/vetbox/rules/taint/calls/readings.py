"""Summaries on demand: functions read when first asked about, recursive ones to a fixpoint."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import field

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.summaries import Summary

PASSES = 4
"""Times that a cycle of functions is read before the results within it count as unknown."""


@dataclass(slots=True)
class Readings:
    """The summaries of a module; functions that call each other are read to a fixpoint.

    Whoever asks about a function that is being read gets its earlier summary, at first an empty
    one. All that was read meanwhile rests on that summary, and is read again when it changes.
    """

    order: list[Function] = field(default_factory=list)
    """The functions, as they were read."""
    _known: dict[Hashable, Summary] = field(default_factory=dict)
    _begun: dict[Hashable, Summary | None] = field(default_factory=dict)
    """The earlier summaries of functions that are being read, or rest on one that is."""
    _active: list[Hashable] = field(default_factory=list)
    _resting: dict[Hashable, set[Hashable]] = field(default_factory=lambda: defaultdict(set))
    """By function: those being read on whose earlier summaries its own rests."""
    _moving: bool = False

    def summary(self, function: Function, read: Callable[[], Summary]) -> Summary | None:
        """The function's summary; None where a cycle reaches no fixpoint."""
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

    def is_active(self, function: Function) -> bool:
        """Is the function being read?"""
        return function.key in self._active

    def forget(self, function: Function) -> Summary | None:
        """What is known of a function no longer counts."""
        return self._known.pop(function.key, None)

    def _rest_on(self, below: Hashable) -> None:
        if below in self._active:
            for above in self._active[self._active.index(below) :]:
                self._resting[above].add(below)

    def _read(self, key: Hashable, read: Callable[[], Summary]) -> Summary:
        """Read it once or, where a cycle begins with it, until nothing changes."""
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
        """Read a cycle until nothing changes; in the last pass its beginning counts as unknown."""
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
        if before is None or said(before) != said(summary):
            self._moving = True
        self._begun[key] = summary

    def _forget_resting_on(self, key: Hashable) -> None:
        for above, below in [*self._resting.items()]:
            if key in below and above not in self._active:
                self._known.pop(above, None)
                del self._resting[above]

    def _settle(self, key: Hashable) -> None:
        """The function is final, and so is all that rests on nothing else."""
        self._begun.pop(key)
        for above, below in [*self._resting.items()]:
            below.discard(key)
            if not below:
                del self._resting[above]
                self._begun.pop(above, None)


def said(summary: Summary) -> Hashable:
    """The content of a summary but for traces, to tell whether it has changed."""
    kept = {name: value.all_taints for name, value in summary.kept.items()}
    filled = {name: value.all_taints for name, value in summary.filled.items()}
    fields = {name: value.all_taints for name, value in summary.fields.items()}
    tables = (kept, filled, summary.shared, fields)
    return (
        frozenset(summary.returns.all_taints),
        frozenset(summary.thrown.all_taints),
        frozenset(summary.arrivals),
        frozenset(summary.printed),
        tuple(
            frozenset((name, key) for name, taints in table.items() for key in taints)
            for table in tables
        ),
        None if summary.checked is None else frozenset(summary.checked.items()),
    )
