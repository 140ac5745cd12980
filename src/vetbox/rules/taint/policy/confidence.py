"""The confidence of a flow: lower where it runs through functions that nobody knows."""

from collections.abc import Iterable

import libcst as cst

from vetbox.findings import Confidence, less
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint import Flow
from vetbox.rules.taint.arrived import Arrived
from vetbox.rules.taint.data.taints import MAX_TRACE
from vetbox.rules.taint.data.unknown_origin import FUNCTIONS, METHODS, bare


def sureness(arrived: Arrived, confidence: Confidence, facts: Facts) -> Confidence:
    """The confidence of a finding: that of its rule, or a step lower.

    It is lower where the flow runs through a function that is neither defined in the file nor
    known, as it may check its argument or return something else, where the trace is too long to be
    kept whole, and where the rule has a doubt about the source or the sink.
    """
    if arrived.doubtful:
        return less(confidence)
    flow = arrived.flow
    known = len(flow.stops) < MAX_TRACE and all(_is_known(call, facts) for call in _through(flow))
    return confidence if known else less(confidence)


def _through(flow: Flow) -> Iterable[cst.Call]:
    """The calls that the data went through, other than to functions of the file."""
    source = flow.stops[0].node
    passed = (stop.node for stop in flow.stops[1:] if stop.note == "through this call")
    return (node for node in passed if isinstance(node, cst.Call) and node is not source)


def _is_known(call: cst.Call, facts: Facts) -> bool:
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in METHODS:
        return True
    return not FUNCTIONS.isdisjoint(bare(facts.names(call.func)))
