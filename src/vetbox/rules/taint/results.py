"""Results: what a call gives of which the module has no definition."""

from dataclasses import dataclass

import libcst as cst

from vetbox.rules.taint.containers import given_by
from vetbox.rules.taint.environment import root_of
from vetbox.rules.taint.functions import HARMLESS
from vetbox.rules.taint.knowing import bare, closed, makes_its_own, reads
from vetbox.rules.taint.module import Module, Scope
from vetbox.rules.taint.values import CLEAN, Value, mixed
from vetbox.rules.walk import identifier


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """A call with what its function is of, and is given."""

    node: cst.Call
    receiver: Value
    given: list[Value]


def result_of(call: Called, callee: Value, module: Module, scope: Scope) -> Value:
    """Whatever went in, unless the function cannot carry it."""
    node, receiver = call.node, call.receiver
    names = module.facts.names(node.func)
    if isinstance(node.func, cst.Name) and node.func.value in HARMLESS:
        return CLEAN
    if not HARMLESS.isdisjoint(bare(names)):
        return CLEAN
    inside = [receiver, callee, *call.given]
    if module.marks.excusing:
        if makes_its_own(names):
            own = root_of(node.func) in scope.env.values
            inside[0] = receiver = receiver if own else closed(receiver)
        elif reads(node):
            inside.append(module.unknown)
    if isinstance(node.func, cst.Attribute):
        known = given_by(identifier(node.func.attr), receiver, call.given)
        if known is not None:
            return known.moved(node, "through this call")
    return mixed(inside).moved(node, "through this call")
