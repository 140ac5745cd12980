"""Applied functions: those handed to a function of the module that calls them, `run(f, x)`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

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
            for one in applied.get(last_word(call.func), ()):
                func = _given(call, one.parameter, one.place)
                if isinstance(func, (cst.Name, cst.Attribute)):
                    yield Handed(func, call, cst.Call(func, [*_unpacked(one, call)]))


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


@dataclass(frozen=True, slots=True, eq=False)
class _Applied:
    """The call of a parameter, which is the one at a place, in the function that it is of."""

    parameter: str
    place: int
    call: cst.Call
    function: cst.FunctionDef


def _applied(tree: Tree) -> Mapping[str, Sequence[_Applied]]:
    """By name of a function its calls of its own parameters."""
    parameters = [one for one in tree.by_type.get(cst.Param, ()) if isinstance(one, cst.Param)]
    names = {identifier(one.name) for one in parameters}
    found: dict[str, list[_Applied]] = defaultdict(list)
    for call in tree.by_type.get(cst.Call, ()):
        func = call.func if isinstance(call, cst.Call) else None
        if not isinstance(call, cst.Call) or not isinstance(func, cst.Name):
            continue
        around = tree.ancestors(call) if identifier(func) in names else ()
        function = next((one for one in around if isinstance(one, cst.FunctionDef)), None)
        plain = [] if function is None else _plain(function)
        if function is not None and identifier(func) in plain:
            name = identifier(func)
            one = _Applied(name, plain.index(name), call, function)
            found[identifier(function.name)].append(one)
    for call in tree.by_type.get(cst.Call, ()) if found else ():
        if isinstance(call, cst.Call) and last_word(call.func) in found:
            for name, handing in [*_handing_on(call, found, tree)]:
                found[name].append(handing)
    return found


def _handing_on(
    call: cst.Call, applied: Mapping[str, Sequence[_Applied]], tree: Tree
) -> Iterator[tuple[str, _Applied]]:
    """Functions that hand a parameter of theirs on to one that calls it."""
    for one in applied[last_word(call.func)]:
        func = _given(call, one.parameter, one.place)
        around = tree.ancestors(call) if isinstance(func, cst.Name) else ()
        function = next((each for each in around if isinstance(each, cst.FunctionDef)), None)
        plain = [] if function is None else _plain(function)
        if function is not None and isinstance(func, cst.Name) and identifier(func) in plain:
            name = identifier(func)
            yield identifier(function.name), replace(one, parameter=name, place=plain.index(name))


def _plain(function: cst.FunctionDef) -> list[str]:
    """The parameters that callers fill, but for those that take all that is left."""
    given = [*function.params.params, *function.params.kwonly_params]
    return [name for one in given if (name := identifier(one.name)) not in ("self", "cls")]


def _unpacked(one: _Applied, call: cst.Call) -> Iterator[cst.Arg]:
    """The arguments of the call, `f(*args, **options)` with what is given for these."""
    plain, params = _plain(one.function), one.function.params
    rest = {
        str(left.star): identifier(left.name)
        for left in (params.star_arg, params.star_kwarg)
        if isinstance(left, cst.Param)
    }
    filled = len(plain) - len(params.kwonly_params)
    for arg in one.call.args:
        is_rest = isinstance(arg.value, cst.Name) and identifier(arg.value) == rest.get(arg.star)
        if not arg.star or not is_rest:
            yield arg
        elif arg.star == "*":
            yield from [given for given in call.args if given.keyword is None][filled:]
        else:
            for given in call.args:
                if given.keyword is not None and identifier(given.keyword) not in plain:
                    yield given


def _given(call: cst.Call, parameter: str, place: int) -> cst.BaseExpression | None:
    """What a call gives for a parameter."""
    for arg in call.args:
        if arg.keyword is not None and identifier(arg.keyword) == parameter:
            return arg.value
    plain = [arg for arg in call.args if arg.keyword is None]
    is_plain = len(plain) > place and not any(arg.star for arg in plain[: place + 1])
    return plain[place].value if is_plain else None
