"""Applied functions: those handed to a function of the module that calls them, `run(f, x)`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.calls.summaries import Arrival, Summary
from vetbox.rules.taint.data.values import Value
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.policy.markup import asked
from vetbox.rules.walk import Tree, identifier, last_word


@dataclass(frozen=True, slots=True, eq=False)
class Handed:
    """A function that a call hands on, and the call of it that is made of a call of a parameter."""

    func: cst.BaseExpression
    call: cst.Call
    made: cst.Call


def applied_calls(tree: Tree) -> Iterator[Handed]:
    """The calls that functions of a module make of what they are given, by who gives it."""
    applied = _applied(tree)
    for call in tree.by_type.get(cst.Call, ()) if applied else ():
        if isinstance(call, cst.Call):
            for parameter, place, inner in applied.get(last_word(call.func), ()):
                func = _given(call, parameter, place)
                if isinstance(func, (cst.Name, cst.Attribute)):
                    yield Handed(func, call, cst.Call(func, inner.args))


def arrive_at(
    func: cst.BaseExpression,
    call: cst.Call,
    given: Mapping[int, Value],
    module: Module,
    summary: Summary,
) -> None:
    """A function that a call hands on may be a sink: here is what it is given."""
    for key, value in given.items():
        for sink in module.marks.handed.get((id(func), key), ()):
            taints = tuple(asked(sink, value).values())
            module.arrive(summary, Arrival(sink, call, taints))


def _applied(tree: Tree) -> Mapping[str, Sequence[tuple[str, int, cst.Call]]]:
    """By name of a function its calls of its own parameters, with their names and places."""
    parameters = [one for one in tree.by_type.get(cst.Param, ()) if isinstance(one, cst.Param)]
    names = {identifier(one.name) for one in parameters}
    found: dict[str, list[tuple[str, int, cst.Call]]] = defaultdict(list)
    for call in tree.by_type.get(cst.Call, ()):
        func = call.func if isinstance(call, cst.Call) else None
        if not isinstance(call, cst.Call) or not isinstance(func, cst.Name):
            continue
        around = tree.ancestors(call) if identifier(func) in names else ()
        function = next((one for one in around if isinstance(one, cst.FunctionDef)), None)
        given = (
            [] if function is None else [*function.params.params, *function.params.kwonly_params]
        )
        plain = [name for one in given if (name := identifier(one.name)) not in ("self", "cls")]
        if function is not None and identifier(func) in plain:
            name = identifier(func)
            found[identifier(function.name)].append((name, plain.index(name), call))
    return found


def _given(call: cst.Call, parameter: str, place: int) -> cst.BaseExpression | None:
    """What a call gives for a parameter."""
    for arg in call.args:
        if arg.keyword is not None and identifier(arg.keyword) == parameter:
            return arg.value
    plain = [arg for arg in call.args if arg.keyword is None]
    is_plain = len(plain) > place and not any(arg.star for arg in plain[: place + 1])
    return plain[place].value if is_plain else None
