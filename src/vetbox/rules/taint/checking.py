"""Checking: parameters that are good where a function comes back, or where it says so.

It raises otherwise, or its answer is the test of its caller.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set

import libcst as cst

from vetbox.rules.patterns.tree import children
from vetbox.rules.taint.binding import Bound, bind_arguments
from vetbox.rules.taint.definitions import Function
from vetbox.rules.taint.environment import Environment, path_of
from vetbox.rules.taint.guards import EVERY
from vetbox.rules.taint.summaries import Summary
from vetbox.rules.taint.taints import PARAMETER
from vetbox.rules.taint.values import UNKNOWN, Value
from vetbox.rules.walk import identifier

_ENDS = frozenset(
    {"exit", "quit", "sys.exit", "os._exit", "os.abort", "flask.abort", "werkzeug.exceptions.abort"}
    | {"quart.abort", "bottle.abort", "sanic.exceptions.abort"}
    | {"flask_restful.abort", "flask_restx.abort", "flask_smorest.abort"}
    | {"argparse.ArgumentParser.error", "argparse.ArgumentParser.exit"}
)
"""Functions that do not come back."""


def ends(call: cst.Call, names: Iterable[str]) -> bool:
    """Does what is called never come back?"""
    return not _ENDS.isdisjoint(names) or _aborts_rpc(call.func)


def _aborts_rpc(function: cst.BaseExpression) -> bool:
    """`context.abort`, by the name that servicers of gRPC are given their context under."""
    match function:
        case cst.Attribute(value=cst.Name(value="context"), attr=cst.Name(value="abort")):
            return True
    return False


def come_back(summary: Summary, env: Environment, given: Set[str]) -> None:
    """The function may end here, with what it was `given` still in these parameters."""
    passed = _all_passed(env, given)
    summary.checked = passed if summary.checked is None else _both(summary.checked, passed)


def answer(summary: Summary, env: Environment, given: Set[str], *, says: Hashable) -> None:
    """The function may say yes here, or no; or a part of its answer, by its place, may."""
    passed, known = _all_passed(env, given), summary.answers.get(says)
    summary.answers[says] = passed if known is None else _both(known, passed)


def checked_by(
    function: Function, call: cst.Call, summary: Summary | None
) -> Iterator[tuple[cst.BaseExpression, frozenset[str]]]:
    """The variables that are good behind a call, and the sanitizers they have passed."""
    checked = None if summary is None else summary.checked
    for bound in bind_arguments(function, call) if checked else ():
        kinds = _passed_by(bound, checked or {})
        if kinds and isinstance(bound.value, cst.Name):
            yield bound.value, kinds


def told_by(
    function: Function, call: cst.Call, summary: Summary | None, *, says: Hashable
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The paths that are good where the call says so, and the sanitizers they passed."""
    told = None if summary is None else summary.answers.get(says)
    for bound in bind_arguments(function, call) if told else ():
        path, kinds = path_of(bound.value), _passed_by(bound, told or {})
        if kinds and path is not None:
            yield frozenset({path}), kinds


def never_comes_back(function: Function, summary: Summary | None, *, is_awaited: bool) -> bool:
    """Does a call of the function raise, or end the program, whatever it is given?"""
    node = function.node
    if summary is None or summary.checked is not None or node.decorators:
        return False
    return (node.asynchronous is not None) is is_awaited and not _yields(node.body)


def _yields(node: cst.CSTNode) -> bool:
    inner = (one for one in children(node) if not isinstance(one, cst.FunctionDef))
    return isinstance(node, cst.Yield) or any(map(_yields, inner))


def _passed_by(bound: Bound, passed: Mapping[str, frozenset[str]]) -> frozenset[str] | None:
    """The sanitizers that the whole of an argument has passed."""
    whole = bound.part is UNKNOWN and not bound.parameter.star
    return passed.get(identifier(bound.parameter.name)) if whole else None


def _all_passed(env: Environment, given: Set[str]) -> dict[str, frozenset[str]]:
    """By parameter that still holds what it was given."""
    return {name: kinds for name in given if (kinds := _passed(env.get(name)))}


def _both(
    known: Mapping[str, frozenset[str]], passed: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    both = {name: _common(known[name], passed[name]) for name in known.keys() & passed.keys()}
    return {name: kinds for name, kinds in both.items() if kinds}


def _passed(value: Value | None) -> frozenset[str]:
    if value is None:
        return frozenset()
    own = [taint.cleaned for taint in value.all_taints.values() if taint.kind == PARAMETER]
    return frozenset.intersection(*own) if own else EVERY


def _common(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
    if left is EVERY:
        return right
    return left if right is EVERY else left & right
