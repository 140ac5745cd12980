"""Checking: parameters that are good where a function comes back, for it raises otherwise."""

from collections.abc import Iterator, Set

import libcst as cst

from vetbox.rules.taint.environment import Environment
from vetbox.rules.taint.functions import Function, bind_arguments
from vetbox.rules.taint.guards import EVERY
from vetbox.rules.taint.module import Summary
from vetbox.rules.taint.values import PARAMETER, UNKNOWN, Value
from vetbox.rules.walk import identifier


def come_back(summary: Summary, env: Environment, given: Set[str]) -> None:
    """The function may end here, with what it was `given` still in these parameters."""
    passed = {name: kinds for name in given if (kinds := _passed(env.get(name)))}
    known = summary.checked
    if known is None:
        summary.checked = passed
        return
    both = {name: _common(known[name], passed[name]) for name in known.keys() & passed.keys()}
    summary.checked = {name: kinds for name, kinds in both.items() if kinds}


def checked_by(
    function: Function, call: cst.Call, summary: Summary | None
) -> Iterator[tuple[cst.BaseExpression, frozenset[str]]]:
    """The variables that are good behind a call, and the sanitizers they have passed."""
    if summary is None or not summary.checked:
        return
    for bound in bind_arguments(function, call):
        kinds = summary.checked.get(identifier(bound.parameter.name))
        whole = bound.part is UNKNOWN and not bound.parameter.star
        if kinds and whole and isinstance(bound.value, cst.Name):
            yield bound.value, kinds


def _passed(value: Value | None) -> frozenset[str]:
    if value is None:
        return frozenset()
    own = [taint.cleaned for taint in value.all_taints.values() if taint.kind == PARAMETER]
    return frozenset.intersection(*own) if own else EVERY


def _common(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
    if left is EVERY:
        return right
    return left if right is EVERY else left & right
