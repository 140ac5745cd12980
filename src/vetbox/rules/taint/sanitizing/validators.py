"""Validators: functions of the module that check their arguments, by raising or by answering.

`checked` of a summary says which parameters are sanitized once the function returns, since it
raises otherwise; `answers` which are where it returns a true or a false value to be tested.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set

import libcst as cst

from vetbox.rules.patterns.tree import children
from vetbox.rules.taint.calls.binding import Bound, bind_arguments
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.summaries import Summary
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.taints import PARAMETER
from vetbox.rules.taint.data.values import Value
from vetbox.rules.taint.reading.environment import Environment, path_of
from vetbox.rules.taint.sanitizing.guards import EVERY
from vetbox.rules.walk import identifier

_ENDS = frozenset(
    {"exit", "quit", "sys.exit", "os._exit", "os.abort", "flask.abort", "werkzeug.exceptions.abort"}
    | {"quart.abort", "bottle.abort", "sanic.exceptions.abort"}
    | {"flask_restful.abort", "flask_restx.abort", "flask_smorest.abort"}
    | {"argparse.ArgumentParser.error", "argparse.ArgumentParser.exit"}
)
"""Functions that never return."""


def is_exit(call: cst.Call, names: Iterable[str]) -> bool:
    """Does a library function that is called never return?"""
    return not _ENDS.isdisjoint(names) or _aborts_rpc(call.func)


def _aborts_rpc(function: cst.BaseExpression) -> bool:
    """`context.abort`, by the name that servicers of gRPC are given their context under."""
    match function:
        case cst.Attribute(value=cst.Name(value="context"), attr=cst.Name(value="abort")):
            return True
    return False


def note_return(summary: Summary, env: Environment, given: Set[str]) -> None:
    """The function may return here, where the parameters in `given` still hold their arguments."""
    passed = _all_passed(env, given)
    summary.checked = passed if summary.checked is None else _both(summary.checked, passed)


def note_answer(summary: Summary, env: Environment, given: Set[str], *, says: Hashable) -> None:
    """The function may return what `says` stands for: a truth value, or (index, truth)."""
    passed, known = _all_passed(env, given), summary.answers.get(says)
    summary.answers[says] = passed if known is None else _both(known, passed)


def checked_by(
    function: Function, call: cst.Call, summary: Summary | None
) -> Iterator[tuple[cst.BaseExpression, frozenset[str]]]:
    """The variables that are sanitized after a call, each with the sanitizers passed."""
    for value, kinds in passed_by(function, call, summary):
        if isinstance(value, cst.Name):
            yield value, kinds


def passed_by(
    function: Function, call: cst.Call, summary: Summary | None
) -> Iterator[tuple[cst.BaseExpression, frozenset[str]]]:
    """The arguments that are sanitized where a call returns, each with the sanitizers passed."""
    checked = None if summary is None else summary.checked
    for bound in bind_arguments(function, call) if checked else ():
        kinds = _passed_by(bound, checked or {})
        if kinds:
            yield bound.value, kinds


def checked_where(
    function: Function, call: cst.Call, summary: Summary | None, *, says: Hashable
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The paths that are sanitized where a call answers so, each with the sanitizers passed.

    What has no path of its own, as `found[4][0]`, is none of them, but was asked as well.
    """
    told = None if summary is None else summary.answers.get(says)
    for bound in bind_arguments(function, call) if told else ():
        kinds = _passed_by(bound, told or {})
        if kinds:
            yield frozenset(filter(None, [path_of(bound.value)])), kinds


def never_returns(function: Function, summary: Summary | None, *, is_awaited: bool) -> bool:
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
    """The sanitizers passed by each parameter that still holds its argument."""
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
