"""Results of calls that the module does not define: library functions and unknown ones."""

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.calls.codes import code_of, decoded
from vetbox.rules.taint.calls.decoding import lost_by, read_anew
from vetbox.rules.taint.calls.harmless import HARMLESS, HARMLESS_METHODS, gives_place
from vetbox.rules.taint.calls.substitution import attribute_of
from vetbox.rules.taint.data.keys import UNKNOWN
from vetbox.rules.taint.data.sharing import with_shared
from vetbox.rules.taint.data.unknown_origin import bare, closed, makes_its_own, reads
from vetbox.rules.taint.data.values import CLEAN, NOT_KNOWN, Value, added, mixed
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.reading.container_builtins import given_to, made_of, merged
from vetbox.rules.taint.reading.containers import given_by
from vetbox.rules.taint.reading.environment import path_of, root_of
from vetbox.rules.taint.reading.folding import (
    after_format,
    after_substitute,
    call_of_builtin,
    call_of_text,
)
from vetbox.rules.taint.reading.sets import left_by
from vetbox.rules.taint.reading.stores import read_back
from vetbox.rules.taint.scope import Scope
from vetbox.rules.walk import identifier

_TRACING = frozenset({"traceback.format_exc", "sys.exc_info"})
"""Functions that give what the handler around has caught."""
_FALLBACKS = frozenset({"fallback", "vars"})


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """A call with the value of its receiver, and those of its arguments in order."""

    node: cst.Call
    receiver: Value
    given: list[Value]


def result_of(call: Called, callee: Value, module: Module, scope: Scope) -> Value:
    """What a library or unknown function returns: anything that went in, if it can carry that."""
    node, names = call.node, module.facts.names(call.node.func)
    builtin = node.func.value if isinstance(node.func, cst.Name) else ""
    code = code_of(builtin, call.given)
    if code is not None:
        return code.moved(node, "through this call")
    if builtin in HARMLESS or not HARMLESS.isdisjoint(bare(names)):
        return Value(constant=call_of_builtin(builtin, call.given))
    read = _read(call, module, scope) if builtin == "getattr" else None
    if read is not None:
        return read.moved(node, "through this call")
    if "locals" in names:
        return _variables(scope)
    if not _TRACING.isdisjoint(names):
        return scope.caught.moved(node, "through this call")
    if "globals" in names:
        return _of_module(module, scope)
    receiver, unknown = _by_origin(call, names, module, scope)
    call = _handing_on_whole(call, scope)
    known = _first_given(call) or made_of([*bare(names)], node, call.given)
    if known is None and isinstance(node.func, cst.Attribute):
        known = _of_method(identifier(node.func.attr), call, receiver, module, scope)
    if known is None:
        stored = read_back(node, names, call.given, module.facts, scope)
        whole = mixed([receiver, callee, *_carried(call), *unknown, *stored])
        known = read_anew(decoded(builtin, whole), lost_by(names))
    return known.moved(node, "through this call")


def _of_module(module: Module, scope: Scope) -> Value:
    """What `globals()` returns: the variables of the module by name."""
    names = {*module.globals.values, *module.shared.held}
    held = module.globals.values
    items: dict[Hashable, Value] = {
        name: with_shared(held.get(name, CLEAN), scope.shared(name))
        for name in names
        if name.isidentifier()
    }
    return Value(items={**NOT_KNOWN, **items})


def _handing_on_whole(call: Called, scope: Scope) -> Called:
    """The call with what was put into attributes of what it is given: of `dumps(x)` all of x."""
    if not scope.env.attributes:
        return call
    given = zip(call.node.args, call.given, strict=True)
    whole = [scope.env.as_whole(arg.value, value) for arg, value in given]
    return replace(call, given=whole)


def _first_given(call: Called) -> Value | None:
    """What `next(f(x))` gives, where it is known what f gives first."""
    match call.node:
        case cst.Call(func=cst.Name(value="next"), args=[cst.Arg(value=cst.Call()), *_]):
            return call.given[0].item(0) if call.given[0].parts else None
    return None


def _by_origin(
    call: Called, names: Collection[str], module: Module, scope: Scope
) -> tuple[Value, Sequence[Value]]:
    """The receiver, and what of unknown origin the function adds, where a rule asks for that."""
    if not module.marks.excusing:
        return call.receiver, ()
    if makes_its_own(names):
        is_variable = root_of(call.node.func) in scope.env.values
        return call.receiver if is_variable else closed(call.receiver), ()
    return call.receiver, (module.unknown,) if reads(call.node) else ()


def _of_method(
    name: str, call: Called, receiver: Value, module: Module, scope: Scope
) -> Value | None:
    """What a method of a text, a set, a record or a container returns; None for any other."""
    constant = call_of_text(receiver.constant, name, call.given)
    if constant is not UNKNOWN:
        return Value(constant=constant)
    if name in HARMLESS_METHODS or gives_place(call.node, module.facts):
        return CLEAN
    left = left_by(call.node, receiver, module.facts)
    if left is not None:
        return left
    if name == "format" or (name == "format_map" and len(call.given) == 1):
        is_map = name == "format_map"
        given = [("**", call.given[0])] if is_map else given_to(call.node, call.given)
        return after_format(receiver, given, lambda of, name: attribute_of(of, name, module.index))
    if name in ("substitute", "safe_substitute"):
        return after_substitute(receiver, given_to(call.node, call.given))
    if name == "join" and len(call.given) == 1 and call.given[0].is_table:
        return mixed([receiver, call.given[0].element()])  # the keys of a dict
    if name == "_replace":
        return made_of(["copy.replace"], call.node, call.given, receiver)
    if name == "model_copy" and receiver.is_object:
        return _copied(call, receiver)
    known = scope.env.entry(call.node)
    return given_by(name, receiver, *_with_fallback(call)) if known is None else known


def _copied(call: Called, record: Value) -> Value | None:
    """What `record.model_copy(update=table)` gives; None where other fields are not known."""
    given = zip(call.node.args, call.given, strict=True)
    put = [one for arg, one in given if arg.keyword is not None and arg.keyword.value == "update"]
    if not all(one.is_table and not one.is_open and not one.taints for one in put):
        return None
    fields = merged(Value(items=record.items), added(put)) if put else record
    return replace(record, items=fields.items)


def _with_fallback(call: Called) -> tuple[Sequence[Value], Sequence[Value]]:
    """The arguments, and what stands for an element that is missing, `get(s, k, fallback=x)`."""
    given: tuple[list[Value], list[Value]] = [], []
    for arg, value in zip(call.node.args, call.given, strict=True):
        given[arg.keyword is not None and arg.keyword.value in _FALLBACKS].append(value)
    return given


def _variables(scope: Scope) -> Value:
    """What `locals()` returns: the variables by name."""
    return Value(items={k: v for k, v in scope.env.values.items() if k.isidentifier()})


def _read(call: Called, module: Module, scope: Scope) -> Value | None:
    """What `getattr(x, "name", other)` returns; None where that is not known."""
    match call.given:
        case [of, name, *others] if isinstance(name.constant, str):
            path = path_of(call.node.args[0].value)
            shared = scope.shared(f"{path}.{name.constant}") if path else CLEAN
            if shared is not CLEAN:
                return added([shared, *others])
            if of.is_object or of.whole is not None:
                return added([attribute_of(of, name.constant, module.index), *others])
    return None


def _carried(call: Called) -> Iterator[Value]:
    """The arguments that a result may hold: the output of `run(args, env=…)` has no `env` in it."""
    starts = any(not arg.keyword and not arg.star for arg in call.node.args)
    for arg, value in zip(call.node.args, call.given, strict=True):
        if not (starts and arg.keyword is not None and identifier(arg.keyword) == "env"):
            yield value
