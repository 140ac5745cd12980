"""Summaries: what a function does with its parameters, and the flows that are found."""

from collections.abc import Hashable, Mapping
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.marks import Sink
from vetbox.rules.taint.sharing import Shelf
from vetbox.rules.taint.taints import Taint, Taints, Trace
from vetbox.rules.taint.values import CLEAN, Value, join, stream


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """A rule's refused data arriving at its sink: the stops from the source to `sink`."""

    rule: str
    kind: str
    sink: cst.CSTNode
    target: cst.CSTNode
    stops: tuple[Trace, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """All that came to a sink together inside a function, kept for the function's callers."""

    sink: Sink
    target: cst.CSTNode
    taints: tuple[Taint, ...]

    @property
    def key(self) -> Hashable:
        """Of arrivals with equal keys the first says all; they differ in the way they came."""
        taints = frozenset(taint.key for taint in self.taints)
        return id(self.sink), id(self.target), taints


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A call of a parameter, with what its arguments hold by their nodes."""

    parameter: str
    call: cst.Call
    arguments: Mapping[int, Value]


@dataclass(slots=True, eq=False)
class Summary:
    """What a function returns, and what reaches its sinks, in terms of its parameters.

    `kept` is what a method leaves in the attributes of its object, `filled` what a function leaves
    in what it is given, by parameter, `applied` where it calls a parameter, `thrown` what its
    exceptions hold, `shared` what it puts into variables of others; `checked` are the sanitizers
    that parameters have passed where the function comes back, None if it never does, `answers`
    those where it says yes, and where it says no, or a part of its answer does, by its place.
    """

    returns: Value = CLEAN
    arrivals: dict[Hashable, Arrival] = field(default_factory=dict)
    kept: dict[str, Taints] = field(default_factory=dict)
    fields: dict[str, Value] = field(default_factory=dict)
    filled: dict[str, Taints] = field(default_factory=dict)
    applied: dict[tuple[int, str], Applied] = field(default_factory=dict)
    thrown: Value = CLEAN
    shared: dict[Shelf, Taints] = field(default_factory=dict)
    checked: dict[str, frozenset[str]] | None = None
    answers: dict[Hashable, dict[str, frozenset[str]]] = field(default_factory=dict)

    def give(self, value: Value, *, one_by_one: bool) -> None:
        """A generator gives something, or all that something gives; a tuple stays one."""
        element = value.element() if one_by_one else value
        made = Value(value.all_taints) if element.parts is None else stream(element)
        self.returns = made if self.returns is CLEAN else join(self.returns, made)
