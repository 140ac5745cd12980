"""How sure a flow is: certain through code that is known, likely through functions that are not."""

from collections.abc import Iterable

import libcst as cst

from vetbox.findings import Confidence, less
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint import Flow
from vetbox.rules.taint.knowing import FUNCTIONS, METHODS, bare
from vetbox.rules.taint.survey import Arrived
from vetbox.rules.taint.taints import MAX_TRACE


def sureness(arrived: Arrived, confidence: Confidence, facts: Facts) -> Confidence:
    """The confidence of a rule for one flow.

    A function that the file does not define may check what it is given, or give back something
    else: high becomes medium, and medium low. So it does where the rule doubts the source or the
    sink.
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
