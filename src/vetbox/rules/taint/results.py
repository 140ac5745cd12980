"""Results: what a call gives of which the module has no definition."""

from collections.abc import Iterator

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.taint.containers import given_by
from vetbox.rules.taint.environment import path_of, root_of
from vetbox.rules.taint.folding import after_format, call_of_text
from vetbox.rules.taint.functions import HARMLESS
from vetbox.rules.taint.knowing import bare, closed, makes_its_own, reads
from vetbox.rules.taint.making import given_to, made_of
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.scope import Scope
from vetbox.rules.taint.sets import left_by
from vetbox.rules.taint.substituting import attribute_of
from vetbox.rules.taint.values import CLEAN, UNKNOWN, Value, added, mixed
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
        return _length(call) if node.func.value == "len" else CLEAN
    if not HARMLESS.isdisjoint(bare(names)):
        return CLEAN
    if isinstance(node.func, cst.Name) and node.func.value == "getattr":
        read = _read(call, module, scope)
        if read is not None:
            return read.moved(node, "through this call")
    if "locals" in names:
        return _variables(scope)
    inside = [receiver, callee, *_carried(call)]
    if module.marks.excusing:
        if makes_its_own(names):
            own = root_of(node.func) in scope.env.values
            inside[0] = receiver = receiver if own else closed(receiver)
        elif reads(node):
            inside.append(module.unknown)
    made = made_of([*bare(names)], node, call.given)
    if made is not None:
        return made.moved(node, "through this call")
    if isinstance(node.func, cst.Attribute):
        name = identifier(node.func.attr)
        constant = call_of_text(receiver.constant, name, call.given)
        if constant is not UNKNOWN:
            return Value(constant=constant)
        left = left_by(node, receiver, module.facts)
        if left is not None:
            return left.moved(node, "through this call")
        if name == "format":
            known = after_format(receiver, given_to(node, call.given))
        elif name == "format_map" and len(call.given) == 1:
            known = after_format(receiver, [("**", call.given[0])])
        elif name == "_replace":
            known = made_of(["copy.replace"], node, call.given, receiver)
        else:
            known = scope.env.entry(node) or given_by(name, receiver, call.given)
        if known is not None:
            return known.moved(node, "through this call")
    return mixed(inside).moved(node, "through this call")


def _variables(scope: Scope) -> Value:
    """What `locals()` gives: the variables by their names."""
    return Value(items={k: v for k, v in scope.env.values.items() if k.isidentifier()})


def _length(call: Called) -> Value:
    text = call.given[0].constant if call.given else UNKNOWN
    return Value(constant=len(text)) if isinstance(text, str) else CLEAN


def _read(call: Called, module: Module, scope: Scope) -> Value | None:
    """What `getattr(x, "name", other)` gives; None where that is not known."""
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
    """The arguments that a result may hold: what a program prints is not its environment."""
    starts = any(not arg.keyword and not arg.star for arg in call.node.args)
    for arg, value in zip(call.node.args, call.given, strict=True):
        if not (starts and arg.keyword is not None and identifier(arg.keyword) == "env"):
            yield value
