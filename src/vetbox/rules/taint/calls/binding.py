"""Binding: which argument of a call fills which parameter of the function that it means."""

from collections.abc import Iterator, Mapping
from itertools import count

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.walk import identifier


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A parameter and the argument, or the `part` of a splat, that fills it.

    Of a parameter with stars it is what stands under a `key`.
    """

    parameter: cst.Param
    value: cst.BaseExpression
    part: object = UNKNOWN
    key: object = UNKNOWN


def bind_arguments(function: Function, call: cst.Call) -> Iterator[Bound]:
    """Each argument with the parameter it fills; a splat may fill all that are left."""
    left: dict[str, cst.Param] = {identifier(p.name): p for p in function.parameters if not p.star}
    receiver = function.receiver(call) if function.takes_instance and left else None
    if receiver is not None:
        yield Bound(left.pop(next(iter(left))), receiver)
    elif function.is_bound_task and left:
        left.pop(next(iter(left)))
    rest = {str(p.star): p for p in function.parameters if p.star}
    named = {identifier(p.name) for p in function.node.params.kwonly_params}
    splats = []
    places = count()
    for arg in call.args:
        following = (name for name in left if name not in named)
        name = identifier(arg.keyword) if arg.keyword is not None else next(following, "")
        if arg.star:
            splats.append(arg)
        elif name in left:
            yield Bound(left.pop(name), arg.value)
        elif other := rest.get("*" if arg.keyword is None else "**"):
            key = next(places) if arg.keyword is None else identifier(arg.keyword)
            yield Bound(other, arg.value, key=key)
    for splat in splats:
        yield from _splatted(splat, left, rest)


def _splatted(
    splat: cst.Arg, left: Mapping[str, cst.Param], rest: Mapping[str, cst.Param]
) -> Iterator[Bound]:
    named = splat.star == "**"
    for position, (name, parameter) in enumerate(left.items()):
        yield Bound(parameter, splat.value, name if named else position)
    if splat.star in rest:
        yield Bound(rest[splat.star], splat.value)
