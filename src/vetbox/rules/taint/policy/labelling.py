"""Labels: what data becomes besides what it is, where a rule says so.

Whether the parameters of a function carry the labels that are required, only its callers know: what
depends on them is a taint with a proviso, which each call decides.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import libcst as cst

from vetbox.rules.taint.data.taints import NO_TAINTS, Proviso, Taint, Taints, Trace
from vetbox.rules.taint.policy.marks import Labelling, Policy, Propagator

MAX_DEPTH = 4
"""Provisos upon provisos; each is looked through for every call."""


def labelled(
    labelling: Labelling, policy: Policy, node: cst.CSTNode, taints: Taints
) -> Taint | None:
    """The further taint that data gets at a node, if it has, or may have, the required labels."""
    among = tuple(_decisive(labelling, policy, node, taints))
    proviso = Proviso(labelling.rule, labelling.requires, among)
    trace = Trace(node, f"becomes {labelling.kind.rpartition(':')[2]} here")
    new = Taint(labelling.kind, node, trace, proviso=proviso)
    if not among or any(taint.is_open for taint in among):
        return new if among else None
    return policy.proven(new)


def handed_on(propagator: Propagator, policy: Policy, taints: Taints) -> Taints:
    """The taints that a propagator passes on to its `to`."""
    labelling = propagator.labelling
    ours = {taint.key: taint for taint in _its_own(policy, taints)}
    if labelling is None or not ours:
        return ours
    if not _fulfilled(ours, policy, labelling):
        return NO_TAINTS
    if labelling.kind not in policy.sources:
        return ours
    kept = {key: one for key, one in ours.items() if not _is_replaced(one, propagator, policy)}
    new = labelled(labelling, policy, propagator.to, ours)
    return kept if new is None else {**kept, new.key: new}


def decided(
    taint: Taint, policy: Policy, put_in: Callable[[Taint], Iterable[Taint]]
) -> Iterator[Taint]:
    """A taint with a proviso as one call sees it, arguments put in for parameters."""
    if taint.proviso is None:
        return
    among: dict[object, Taint] = {}
    for one in taint.proviso.among:
        for new in put_in(one) if one.is_open else (one,):
            among.setdefault(new.key, new)
    proviso = replace(taint.proviso, among=tuple(among.values()))
    seen = replace(taint, proviso=proviso)
    if any(one.is_open for one in proviso.among):
        yield seen
    elif (proven := policy.proven(seen)) is not None:
        yield proven


def _its_own(policy: Policy, taints: Taints) -> Iterator[Taint]:
    """The taints of the rule's own kinds, and those of parameters."""
    for taint in taints.values():
        if not taint.cleaned & policy.sanitizers and (
            taint.is_open or taint.kind in policy.sources
        ):
            yield taint


def _decisive(
    labelling: Labelling, policy: Policy, node: cst.CSTNode, taints: Taints
) -> Iterator[Taint]:
    """The taints on which a proviso depends; of those with provisos the first of each kind."""
    asked = frozenset() if labelling.requires is None else labelling.requires.labels
    met: set[str] = set()
    for taint in _its_own(policy, taints):
        if taint.proviso is None:
            yield taint
        elif (
            taint.origin is not node
            and taint.kind not in met
            and taint.proviso.depth < MAX_DEPTH
            and policy.labels_of(taint) & asked
        ):
            met.add(taint.kind)
            yield taint


def _fulfilled(ours: Taints, policy: Policy, labelling: Labelling) -> bool:
    if any(taint.is_open for taint in ours.values()):
        return True  # as far as is known here
    return policy.refused(ours.values(), labelling.requires) is not None


def _is_replaced(taint: Taint, propagator: Propagator, policy: Policy) -> bool:
    return not propagator.replaces or bool(policy.labels_of(taint) & propagator.replaces)
