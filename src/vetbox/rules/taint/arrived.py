"""Arrived flows: what a survey of a module has found, and what messages say of it."""

from collections.abc import Mapping, Sequence

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.fixes.rewrite import code_of
from vetbox.rules.language.rule import Rule
from vetbox.rules.matching.match import Match
from vetbox.rules.taint import Flow
from vetbox.rules.taint.calls.callbacks import handed_call

MAX_SHOWN = 60
"""Characters of a source that a message repeats."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrived:
    """A flow with the match of its sink, whose words fill the message.

    It is `doubtful` where the rule doubts what its data comes from, or where it arrives. The sink
    `is_handed` where it is called by a function that it is given to.
    """

    rule: Rule
    match: Match
    flow: Flow
    doubtful: bool = False
    is_handed: bool = False

    @property
    def shown(self) -> cst.CSTNode:
        """What the finding points at."""
        focus = self.match.focus if self.rule.report.part == "focus" else None
        return focus or self.flow.sink

    @property
    def mends(self) -> bool:
        """Has it a fix? Not where the sink is a callback's call, which is not in the text."""
        sink = self.flow.sink
        is_mapped = isinstance(sink, cst.Call) and handed_call(sink) is not None
        return self.rule.fix is not None and not is_mapped and not self.is_handed


@dataclass(frozen=True, slots=True)
class Followed:
    """The flows of a module, and the sinks where all data is of known origin, with their rules."""

    arrived: Sequence[Arrived]
    excused: Sequence[tuple[str, cst.CSTNode]]


def words_of(arrived: Arrived) -> Mapping[str, str]:
    """What a message may say of a flow: `{source}` as it is written, `{kind}` of data."""
    flow = arrived.flow
    first = flow.stops[0].node
    written = first.name.value if isinstance(first, cst.Param) else code_of(first)
    shown = " ".join(written.split())
    if len(shown) > MAX_SHOWN:
        shown = f"{shown[: MAX_SHOWN - 1]}…"
    return {**arrived.match.said, "source": shown, "kind": flow.kind.rpartition(":")[2]}
