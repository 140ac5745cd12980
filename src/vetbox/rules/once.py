"""Deduplication: of findings at one place, those that a `told-by` rule says more of are dropped."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Self, TypeAlias

from vetbox.findings import Finding, Location
from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.rule import Rule

_Spot: TypeAlias = tuple[int, int]
"""Line and column."""


def told_once(found: Sequence[Finding], rules: Mapping[str, Rule]) -> list[Finding]:
    """The findings without those at places where a rule in their `told-by` reports as well."""
    codes = {one.code for one in found}
    left = {code: codes.intersection(rules[code].told_by) for code in codes & rules.keys()}
    told = {
        code: _Places.of(one.location for one in found if one.code in names)
        for code, names in left.items()
        if names
    }
    return [one for one in found if one.code not in told or one.location not in told[one.code]]


@dataclass(frozen=True, slots=True)
class _Places:
    """Spans sorted by start, with running bounds of their ends, so that a lookup is a bisection."""

    starts: Sequence[_Spot]
    furthest: Sequence[_Spot]
    nearest: Sequence[_Spot]

    @classmethod
    def of(cls, places: Iterable[Location]) -> Self:
        spans = sorted(((one.line, one.column), (one.end_line, one.end_column)) for one in places)
        ends = [end for _, end in spans]
        nearest = [*accumulate(reversed(ends), min)][::-1]
        return cls([start for start, _ in spans], [*accumulate(ends, max)], nearest)

    def __contains__(self, place: Location) -> bool:
        """Does one of them hold the place, or lie within it?"""
        start, end = (place.line, place.column), (place.end_line, place.end_column)
        before, behind = bisect_right(self.starts, start), bisect_left(self.starts, start)
        holds = before > 0 and self.furthest[before - 1] >= end
        return holds or (behind < len(self.starts) and self.nearest[behind] <= end)
