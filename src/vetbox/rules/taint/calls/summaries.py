"""Summaries of functions in terms of their parameters, and the flows that are found."""

from collections.abc import Hashable, Mapping
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.data.sharing import Shelf
from vetbox.rules.taint.data.taints import Taint, Taints, Trace
from vetbox.rules.taint.data.values import CLEAN, Value, join, stream
from vetbox.rules.taint.policy.marks import Sink


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """Data of `kind` that reaches the `target` expression of a rule's `sink`, and its trace.

    `stops` begin at the source.
    """

    rule: str
    kind: str
    sink: cst.CSTNode
    target: cst.CSTNode
    stops: tuple[Trace, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """The taints that reach a sink inside a function, kept for the callers to put arguments in."""

    sink: Sink
    target: cst.CSTNode
    taints: tuple[Taint, ...]

    @property
    def key(self) -> Hashable:
        """Arrivals with equal keys differ in their traces only; the first one is kept."""
        taints = frozenset(taint.key for taint in self.taints)
        return id(self.sink), id(self.target), taints


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A call of a callback parameter, with the values of its arguments by node identity."""

    parameter: str
    call: cst.Call
    arguments: Mapping[int, Value]


@dataclass(slots=True, eq=False)
class Summary:
    """The effect of calling a function, in terms of its parameters."""

    returns: Value = CLEAN
    arrivals: dict[Hashable, Arrival] = field(default_factory=dict)
    """The taints that reach sinks in it, by `Arrival.key`."""
    kept: dict[str, Value] = field(default_factory=dict)
    """What the attributes of its object gain by a method."""
    fields: dict[str, Value] = field(default_factory=dict)
    """Of a constructor: the attributes of the new object."""
    filled: dict[str, Value] = field(default_factory=dict)
    """What mutable arguments gain, by parameter."""
    applied: dict[tuple[int, str], Applied] = field(default_factory=dict)
    """Its calls of callback parameters, by call and parameter."""
    thrown: Value = CLEAN
    """What the exceptions that it raises hold."""
    printed: Taints = field(default_factory=dict)
    """What it prints, where standard output may be led elsewhere."""
    shared: dict[Shelf, Taints] = field(default_factory=dict)
    """What it puts into variables of the module or of a function around."""
    given: list[Value] = field(default_factory=list)
    """What each `yield` and `return` gives, in the order in which they are read."""
    checked: dict[str, frozenset[str]] | None = None
    """The sanitizers each parameter has passed once it returns; None: it never returns."""
    answers: dict[Hashable, dict[str, frozenset[str]]] = field(default_factory=dict)
    """The same where it returns True, where it returns False, or (index, truth) of a tuple."""

    def give(self, value: Value, *, one_by_one: bool) -> None:
        """Add a `yield` of the value, or with `one_by_one` a `yield from` it, part by part."""
        self.given.append(value)
        element = value.element() if one_by_one else value
        made = Value(value.all_taints) if element.items is None else stream(element)
        self.returns = made if self.returns is CLEAN else join(self.returns, made)
