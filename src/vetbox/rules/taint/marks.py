"""What the rules say of a module's nodes before its flows are followed."""

from collections.abc import Iterable, Mapping
from dataclasses import field

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.requirement import MARKUP, Requirement
from vetbox.rules.taint.taints import Taint

_NO_LABELS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Sink:
    """A place a rule guards: `node` is what it reports when a target of it carries its kinds."""

    rule: str
    node: cst.CSTNode
    requires: Requirement | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """Which kinds of data a rule's sinks refuse, and which sanitizers make them good.

    `labels` are what `requires` calls the kinds.
    """

    sources: frozenset[str]
    sanitizers: frozenset[str] = frozenset()
    labels: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def refused(self, taints: Iterable[Taint], requires: Requirement | None) -> Taint | None:
        """The first that makes the data refused where all of these come together, if it is."""
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
        """The taint with its whole way, if all that is known fulfils its proviso."""
        if taint.proviso is None:
            return taint
        first = self.refused(taint.proviso.among, taint.proviso.requires)
        if first is None:
            return None
        return Taint(taint.kind, taint.origin, first.trace.onward(taint.trace), taint.cleaned)

    def labels_of(self, taint: Taint) -> frozenset[str]:
        """What the data is to the rule."""
        return self.labels.get(taint.kind, _NO_LABELS)


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """At the marked node data that fulfils `requires` for a rule is of one more `kind`."""

    rule: str
    kind: str
    requires: Requirement | None


@dataclass(frozen=True, slots=True, eq=False)
class Propagator:
    """After the marked node, `to` holds what `from_` holds.

    That is the `rule`'s data, and if there is a `labelling`, only where it fulfils what that
    requires; data with one of the labels that it `replaces` (none: any) is of its kind then.
    """

    rule: str
    from_: cst.CSTNode
    to: cst.CSTNode
    labelling: Labelling | None = None
    replaces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Marks:
    """Node identity → what the rules say of it; `policies` by rule id.

    `sinks` are by the expression that must not carry the kinds. `sources` and `sanitizers` hold
    kinds; those of `planted` stay in the variable that the node names, and `labellings` add kinds
    to data that has others already. A sanitizer in `side_effects` cleans its arguments in place,
    one in `guards` cleans the names it tests where the test holds, one in `refusals` where it does
    not. Of the sinks of rules in `excusing` it is asked whether all that comes there is known, as
    it is of the parameters in `told`, whose types hold no text.
    """

    policies: Mapping[str, Policy]
    sources: Mapping[int, frozenset[str]] = field(default_factory=dict)
    planted: Mapping[int, frozenset[str]] = field(default_factory=dict)
    labellings: Mapping[int, tuple[Labelling, ...]] = field(default_factory=dict)
    sinks: Mapping[int, tuple[Sink, ...]] = field(default_factory=dict)
    sanitizers: Mapping[int, frozenset[str]] = field(default_factory=dict)
    side_effects: Mapping[int, frozenset[str]] = field(default_factory=dict)
    guards: Mapping[int, frozenset[str]] = field(default_factory=dict)
    refusals: Mapping[int, frozenset[str]] = field(default_factory=dict)
    propagators: Mapping[int, tuple[Propagator, ...]] = field(default_factory=dict)
    excusing: frozenset[str] = frozenset()
    told: frozenset[int] = frozenset()
    seeks_markup: bool = False
    """Does a sink ask whether there is a tag in what comes there?"""
