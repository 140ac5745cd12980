"""Taints: data of one kind from one source, the sanitizers it passed, and its trace."""

from collections.abc import Hashable, Mapping, Set
from dataclasses import field, replace
from typing import Final, TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.requirement import Requirement
from vetbox.rules.taint.data.keys import ELEMENT

MAX_TRACE = 24
"""Stops kept of one trace, from its source on; what comes after them is not shown."""
PARAMETER: Final = "parameter"
"""The kind of a parameter that stands for whatever a call puts in."""

MAX_PARTS = 3
"""Steps that are told apart within an argument; what lies deeper counts as the part around it."""

_ELEMENT = (False, ELEMENT)

TaintKey: TypeAlias = tuple[Hashable, ...]
Step: TypeAlias = tuple[bool, Hashable]
"""From a container to its part: (True, attribute name) or (False, key)."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The way data took from its source: a linked list of stops, the newest first."""

    node: cst.CSTNode
    note: str
    before: "Trace | None" = None
    length: int = 1

    def then(self, node: cst.CSTNode, note: str) -> "Trace":
        """One stop further; a stop at the same node is not repeated."""
        if node is self.node or self.length >= MAX_TRACE:
            return self
        return Trace(node, note, self, self.length + 1)

    def stops(self) -> tuple["Trace", ...]:
        """Every stop, the source first."""
        found, stop = [self], self.before
        while stop is not None:
            found.append(stop)
            stop = stop.before
        return tuple(reversed(found))

    def onward(self, further: "Trace") -> "Trace":
        """This way, followed by another, which says more of the node where both meet."""
        if self.length >= MAX_TRACE:
            return self
        first, *stops = further.stops()
        met = first.node is self.node
        trace = replace(self, note=first.note) if met else self.then(first.node, first.note)
        for stop in stops:
            trace = trace.then(stop.node, stop.note)
        return trace


@dataclass(frozen=True, slots=True, eq=False)
class Proviso:
    """A condition on a taint: it counts only where the taints in `among` satisfy `requires`.

    Needed where a label depends on parameters, whose labels only the callers know.
    """

    rule: str
    requires: Requirement | None
    among: tuple["Taint", ...]
    leaves: frozenset[TaintKey] = field(init=False)
    """The keys of the taints without a proviso that it depends on, through any nesting."""
    depth: int = field(init=False)

    def __post_init__(self) -> None:
        inner = [one.proviso for one in self.among if one.proviso is not None]
        own = frozenset(one.key for one in self.among if one.proviso is None)
        object.__setattr__(self, "leaves", own.union(*(one.leaves for one in inner)))
        object.__setattr__(self, "depth", 1 + max((one.depth for one in inner), default=0))


@dataclass(frozen=True, slots=True, eq=False)
class Taint:
    """Data of one `kind` that entered at `origin`; `cleaned` names the sanitizers it passed.

    In the summary of a function a taint of kind PARAMETER stands for the taints of an argument, or
    for those of a `part` of it: `x.y[0]` is `((True, "y"), (False, 0))`.
    """

    kind: str
    origin: cst.CSTNode
    trace: Trace
    cleaned: frozenset[str] = frozenset()
    proviso: Proviso | None = None
    part: tuple[Step, ...] = ()

    @property
    def key(self) -> TaintKey:
        """Taints with equal keys are the same; the first trace found is kept."""
        if self.proviso is None:
            return self.kind, id(self.origin), self.cleaned, self.part
        return self.kind, id(self.origin), self.cleaned, self.proviso.leaves

    @property
    def is_open(self) -> bool:
        """Does it depend on the arguments of the function, which only its callers know?"""
        return self.kind == PARAMETER or self.proviso is not None

    def moved(self, node: cst.CSTNode, note: str) -> "Taint":
        """The taint one stop further."""
        # dataclasses.replace() takes three times as long, and this is done all the time.
        trace = self.trace.then(node, note)
        return Taint(self.kind, self.origin, trace, self.cleaned, self.proviso, self.part)

    def after(self, sanitizers: frozenset[str]) -> "Taint":
        """The taint with more sanitizers passed."""
        cleaned = self.cleaned | sanitizers
        return Taint(self.kind, self.origin, self.trace, cleaned, self.proviso, self.part)

    def of(self, step: Step) -> "Taint":
        """The taint of a part of it; elements of elements count as elements."""
        if len(self.part) >= MAX_PARTS or (step == _ELEMENT and step in self.part[-1:]):
            return self
        return replace(self, part=(*self.part, step))


Taints: TypeAlias = Mapping[TaintKey, Taint]
NO_TAINTS: Final[Taints] = {}


def union(left: Taints, right: Taints) -> Taints:
    """Both, the left one's traces first."""
    if not right or left is right:
        return left
    return {**right, **left} if left else right


def of_kinds(kinds: Set[str], taints: Taints) -> Taints:
    """Those of some kinds."""
    return {key: taint for key, taint in taints.items() if taint.kind in kinds}
