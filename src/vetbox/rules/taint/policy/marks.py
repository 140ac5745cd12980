"""Marks: the sources, sinks and sanitizers that the rules have found in a module, by node."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Final

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.requirement import MARKUP, Requirement
from vetbox.rules.taint.data.taints import Taint

_NO_LABELS: frozenset[str] = frozenset()
AS_NUMBER: Final = frozenset({"a number"})
"""The sanitizer that every rule accepts: of the text a number is left, which may be turned back."""


@dataclass(frozen=True, slots=True, eq=False)
class Sink:
    """A sink of a rule in this module; a finding is reported at `node`.

    The expressions that must not carry the data, its targets, are keys of `Marks.sinks`.
    """

    rule: str
    node: cst.CSTNode
    requires: Requirement | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """The kinds of data that a rule's sinks refuse, and the sanitizers that it accepts.

    `labels` maps a kind to the labels that a `requires` expression may name it by.
    """

    sources: frozenset[str]
    sanitizers: frozenset[str] = frozenset()
    labels: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def refused(self, taints: Iterable[Taint], requires: Requirement | None) -> Taint | None:
        """The taint to report where all of these reach a sink together; None if it is safe."""
        taints = [*taints]
        ours = [
            true
            for taint in taints
            if taint.kind in self.sources
            and not taint.cleaned & self.sanitizers
            and (true := self.proven(taint)) is not None
        ]
        if requires is None or not ours:
            return ours[0] if ours else None
        labels = _NO_LABELS.union(*map(self.labels_of, ours))
        if any(taint.kind == MARKUP and not taint.cleaned & self.sanitizers for taint in taints):
            labels |= {MARKUP}
        if not requires.holds(labels):
            return None
        wanted = (taint for taint in ours if self.labels_of(taint) & requires.wanted)
        return next(wanted, ours[0])

    def proven(self, taint: Taint) -> Taint | None:
        """The taint with its whole trace where its proviso holds, else None."""
        if taint.proviso is None:
            return taint
        first = self.refused(taint.proviso.among, taint.proviso.requires)
        if first is None:
            return None
        return Taint(taint.kind, taint.origin, first.trace.onward(taint.trace), taint.cleaned)

    def labels_of(self, taint: Taint) -> frozenset[str]:
        """The labels that the rule gives to the kind of a taint."""
        return self.labels.get(taint.kind, _NO_LABELS)


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """At the marked node, data that satisfies `requires` becomes data of a further `kind`."""

    rule: str
    kind: str
    requires: Requirement | None


@dataclass(frozen=True, slots=True, eq=False)
class Propagator:
    """After the marked statement, `to` holds what `from_` holds, for one rule.

    With a `labelling` only data that satisfies its `requires` is passed on, and data with one of
    the labels in `replaces` (empty: any) changes to its kind.
    """

    rule: str
    from_: cst.CSTNode
    to: cst.CSTNode
    labelling: Labelling | None = None
    replaces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Marks:
    """What the rules have found in a module, by `id()` of the libcst node where it holds."""

    policies: Mapping[str, Policy]
    """By rule id."""
    sources: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """The kinds of data that an expression or parameter is a source of."""
    planted: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Those of them by side effect: they stay in the variable that the node names."""
    labellings: Mapping[int, tuple[Labelling, ...]] = field(default_factory=dict)
    sinks: Mapping[int, tuple[Sink, ...]] = field(default_factory=dict)
    """By the expression that must not carry the data, which is in or at `Sink.node`."""
    handed: Mapping[tuple[int, int], Sequence[Sink]] = field(default_factory=dict)
    """The same where a function is handed on: by it, and by what calls it with the data."""
    sanitizers: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Sanitizers whose result is clean."""
    placed: frozenset[int] = frozenset()
    """Those of them that are clean by where they stand, whatever they are."""
    side_effects: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Sanitizers that clean their arguments in place."""
    guards: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Sanitizers that clean the variables they test where the test holds."""
    refusals: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Sanitizers that clean the variables they test where the test fails."""
    propagators: Mapping[int, tuple[Propagator, ...]] = field(default_factory=dict)
    excusing: frozenset[str] = frozenset()
    """Rules that others name in `excused-by`: is the origin of all data at their sinks known?"""
    told: frozenset[int] = frozenset()
    """Parameters whose declared types hold no text: for `excusing` their origin is known."""
    seeks_markup: bool = False
    """Does a sink ask whether there is a tag in what comes there?"""
