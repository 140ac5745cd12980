"""Calls of functions of the module: what they return and raise, and what they have checked."""

from collections.abc import Mapping, Sequence
from functools import reduce

import libcst as cst

from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.evaluating import Values
from vetbox.rules.taint.calls.higher_order import apply
from vetbox.rules.taint.calls.specials import special
from vetbox.rules.taint.data.gains import with_attributes
from vetbox.rules.taint.data.values import CLEAN, Value, join, mixed
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.reading.objects import object_of
from vetbox.rules.taint.reading.stores import print_into
from vetbox.rules.taint.sanitizing.guards import EVERY
from vetbox.rules.taint.sanitizing.validators import checked_by, passed_by


def own_call(
    node: cst.Call,
    receiver: Value,
    arguments: dict[int, Value],
    functions: Sequence[Function],
    values: Values,
) -> Value | None:
    """The result of a call of functions of the module; None for recursion not yet known."""
    values.scope.env.hand_on(node, receiver, arguments)
    given = [_called(function, node, receiver, arguments, values) for function in functions]
    known = [one for one in given if one is not None]
    return reduce(join, known) if len(known) == len(given) else None


def text_call(node: cst.Call, arguments: Mapping[int, Value], values: Values) -> Value | None:
    """What `str(x)` and `repr(x)` give of an object of the module; None where it is none."""
    match node:
        case cst.Call(func=cst.Name(value="str" | "repr" as word), args=[cst.Arg(of)]):
            given = special(f"__{word}__", of, arguments[id(of)], [], values)
            if given is None and word == "str":
                return special("__repr__", of, arguments[id(of)], [], values)
            return given
    return None


def note_checks(node: cst.Call, functions: Sequence[Function], values: Values) -> None:
    """Sanitize the arguments that a function has checked, if a call surely means it."""
    if len(functions) == 1:
        summary = values.module.summary(functions[0])
        for place, kinds in checked_by(functions[0], node, summary):
            values.scope.clean_names(place, kinds)


def _called(
    function: Function,
    node: cst.Call,
    receiver: Value,
    arguments: dict[int, Value],
    values: Values,
) -> Value | None:
    module, scope = values.module, values.scope
    if module.around.grow(function, scope.env):
        module.readings.forget(function)
    kept = module.kept(function, node, arguments) if isinstance(node.func, cst.Attribute) else {}
    if kept:
        of = function.receiver(node)
        scope.keep(node.args[0].value if of is None else object_of(of), kept)
        shared = module.index.shared_fields.get(function.owner or "", frozenset())
        for name in kept.keys() & shared:
            module.share(scope.summary, f"{function.owner}.{name}", kept[name])
    for place, gained in [*module.filled(function, node, arguments, scope.summary)]:
        scope.gain(place, gained)
    print_into(module.printed(function, node, arguments), scope)
    thrown = module.thrown(function, node, arguments)
    if thrown is not None:
        scope.throw(thrown)
    wrappers = [*module.decorated.wrappers(function)]
    passed = arguments
    for wrapper in wrappers:
        passed = _wrapped(wrapper, function, node, passed, values)
    given = module.call(function, node, passed, scope.summary)
    apply(function, node, passed, values)
    is_known = receiver.is_object or receiver.whole is not None
    if given is not None and is_known and function.gives_itself:
        return with_attributes(receiver, kept)
    if given is None or not kept or path_of(node.func) is not None:
        return given
    return mixed([given, *kept.values()])


def _wrapped(
    wrapper: Function,
    function: Function,
    node: cst.Call,
    arguments: dict[int, Value],
    values: Values,
) -> dict[int, Value]:
    """What a decorator gives is called first; the result is told by the function it is given.

    What it lets through of the arguments is what that gets.
    """
    receiver = function.receiver(node) if function.takes_instance else None
    first = [] if receiver is None else [cst.Arg(receiver)]
    made = cst.Call(wrapper.node.name, [*first, *node.args])
    values.module.call(wrapper, made, arguments, values.scope.summary, at=node)
    checked = passed_by(wrapper, made, values.module.summary(wrapper))
    return arguments | {
        id(one): CLEAN if kinds == EVERY else arguments[id(one)].cleaned(kinds)
        for one, kinds in checked
        if id(one) in arguments
    }
