"""Side effects: what a call of an unknown function leaves in its receiver and arguments."""

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.calls.equivalents import element, set_by, updated_names
from vetbox.rules.taint.calls.harmless import HARMLESS
from vetbox.rules.taint.calls.results import Called
from vetbox.rules.taint.data.taints import union
from vetbox.rules.taint.data.unknown_origin import LOADING, METHODS, bare, makes_its_own
from vetbox.rules.taint.data.values import NOT_KNOWN, Value, mixed, stream
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.reading.container_builtins import given_to, merged, table
from vetbox.rules.taint.reading.containers import ADDING_METHODS, ELEMENTS, after
from vetbox.rules.taint.reading.environment import default_meant, path_of, root_of
from vetbox.rules.taint.reading.stores import (
    ENVIRONMENTS,
    WRITING_METHODS,
    as_table,
    file_meant,
    print_into,
    put_into_file,
)
from vetbox.rules.taint.scope import Scope
from vetbox.rules.walk import identifier, last_word

_SETATTR = 3  # arguments
PUSHING = frozenset(
    {"heappush", "heappushpop", "heapreplace", "insort", "insort_left", "insort_right"}
)
"""Functions that put their second argument into the first."""
_TAKING = frozenset({"append", "add", "insert", "appendleft", "put", "push"})
"""Methods that put an object itself into a container, where it can be changed later."""
_NESTING = frozenset({"append", "insert", "appendChild"})
"""Methods that put one element of a document into another."""
_ROW_WRITERS = frozenset({"csv.writer", "csv.DictWriter"})
ROW_METHODS = frozenset({"writerow", "writerows"})
"""Methods of theirs that put what they are given into what the writer was made for."""


def leave(call: Called, module: Module, scope: Scope) -> None:
    """Apply the side effects of a call of a function that the module does not define."""
    if module.marks.excusing:
        _doubt(call.node, module, scope)
    func = call.node.func
    if _set_attribute(call, scope) or _set_item(call, module, scope):
        return
    _take_next(call, scope)
    _print(call, module, scope)
    for place, value in _handed_on(call.node):
        if last_word(func) in PUSHING and path_of(place) is not None:
            scope.gain(place, stream(scope.value(value)))
        else:
            _put_in(place, scope.value(value), module, scope)
    written = _written_into(call.node, module.facts)
    if written is not None:
        scope.add(written, mixed(call.given).all_taints)
    if not isinstance(func, cst.Attribute):
        return
    if func.attr.value in WRITING_METHODS:
        _put_in(call.node, mixed(call.given), module, scope)
    path = path_of(func.value)
    if path is None and func.attr.value in ADDING_METHODS:
        _add_into(func.value, call, module, scope)
    root = root_of(func.value)
    own = root in scope.env.values or root == "self" or path in ENVIRONMENTS
    if path is not None and (own or root in module.globals.values):
        changed = _after(call, identifier(func.attr), as_table(path, call.receiver), scope)
        if changed is not None:
            scope.change(path, changed)
    if identifier(func.attr) in _TAKING:
        for arg in call.node.args:
            scope.link_part(arg.value, func.value)


def _add_into(place: cst.BaseExpression, call: Called, module: Module, scope: Scope) -> None:
    """Mutate a place that is no variable: an element of one, or something deeper in it."""
    place = default_meant(place) or place
    match place:
        case cst.Call(func=cst.Attribute(value=around, attr=cst.Name(value=word))):
            if word in ELEMENTS:
                scope.add(around, mixed(call.given).taints)
                return
    held = scope.held(place) if isinstance(place, cst.Subscript) else None
    if held is None:
        _put_in(place, mixed(call.given), module, scope)
        return
    name = cst.ensure_type(call.node.func, cst.Attribute).attr
    changed = _after(call, identifier(name), held, scope)
    if changed is not None:
        scope.put(place, changed)


def _put_in(place: cst.BaseExpression, value: Value, module: Module, scope: Scope) -> None:
    """Something is put into a place, or into the file that it stands for."""
    file = file_meant(place, module.facts)
    if file is None:
        scope.add(place, value.all_taints)
    else:
        is_new = isinstance(place, cst.Call) and last_word(place.func) in WRITING_METHODS
        put_into_file(file, value, scope, is_new=is_new)


def _after(call: Called, name: str, held: Value, scope: Scope) -> Value | None:
    """The receiver after a method call."""
    if name in _NESTING:
        given = zip(call.node.args, call.given, strict=True)
        whole = [scope.env.as_whole(arg.value, value) for arg, value in given]
        return after(name, held, whole)
    if name in ("update", "read_dict"):
        put = table(given_to(call.node, call.given))
        if held.is_table:
            return merged(held, put)
        if held.whole is not None and held.items is None and put.is_table and not put.taints:
            return merged(replace(held, items=NOT_KNOWN), put)
    return after(name, held, call.given)


def _set_attribute(call: Called, scope: Scope) -> bool:
    """Apply `setattr(x, "name", value)`; False where the call is none."""
    match call.node.func, call.given:
        case cst.Name(value="setattr"), [of, name, value]:
            if of.is_object and isinstance(name.constant, str):
                place = call.node.args[0].value
                if name.constant.isidentifier():
                    scope.bind(cst.Attribute(place, cst.Name(name.constant)), value)
                return True
    return False


def _take_next(call: Called, scope: Scope) -> None:
    """After `next(x)` another element is the first one of x."""
    match call.node:
        case cst.Call(func=cst.Name(value="next"), args=[cst.Arg(value=cst.Name() as of), *_]):
            if call.given[0].parts is not None:
                scope.put(of, replace(stream(call.given[0].element()), taints=call.given[0].taints))


def _set_item(call: Called, module: Module, scope: Scope) -> bool:
    """Apply `operator.setitem(x, key, value)`; False where the call is none."""
    target = set_by(call.node, module.facts)
    if target is not None:
        scope.bind(target, call.given[-1])
    of = updated_names(call.node)
    names = {} if of is None else table(given_to(call.node, call.given)).items or {}
    for name, value in names.items():
        if of is not None and isinstance(name, str):
            scope.bind(element(of, cst.SimpleString(repr(name))), value)
    return target is not None or (all(isinstance(name, str) for name in names) and bool(names))


def _print(call: Called, module: Module, scope: Scope) -> None:
    """What is printed goes to standard output."""
    if module.index.redirects and last_word(call.node.func) == "print":
        to_a_file = any(
            arg.keyword is not None and arg.keyword.value == "file" for arg in call.node.args
        )
        if not to_a_file:
            print_into(mixed(call.given).all_taints, scope)


def _handed_on(node: cst.Call) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """The (mutated argument, what is put into it) pairs of a builtin's call."""
    match node.func:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)) if (
            name in PUSHING and len(node.args) > 1
        ):
            yield node.args[0].value, node.args[1].value
        case cst.Name(value="setattr") if len(node.args) == _SETATTR:
            yield node.args[0].value, node.args[2].value
        case cst.Name(value="print"):
            files = [arg.value for arg in node.args if arg.keyword and arg.keyword.value == "file"]
            yield from ((file, arg.value) for file in files for arg in node.args if not arg.keyword)
        case cst.Attribute(attr=cst.Name(value="dump")) if len(node.args) > 1:
            yield node.args[1].value, node.args[0].value


def _written_into(node: cst.Call, facts: Facts) -> cst.Name | None:
    """The variable of the StringIO that a `csv.writer` was made for."""
    match node.func:
        case cst.Attribute(value=writer, attr=method) if identifier(method) in ROW_METHODS:
            made = facts.behind(writer) if isinstance(writer, cst.Name) else writer
        case _:
            return None
    match made:
        case cst.Call(func=func, args=[cst.Arg(value=cst.Name() as place), *_]):
            is_writer = not _ROW_WRITERS.isdisjoint(facts.names(func))
            return place if is_writer and "io.StringIO" in facts.types(place) else None
    return None


def _doubt(node: cst.Call, module: Module, scope: Scope) -> None:
    """An unknown function may put anything into the containers that it is given."""
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in LOADING and node.args:
        scope.add(node.func.value, module.unknown.taints)
    names = module.facts.names(node.func)
    if makes_its_own(names) or not HARMLESS.isdisjoint(bare(names)):
        return
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in METHODS:
        return
    for arg in node.args:
        path = path_of(arg.value)
        known = scope.env.get(path) if path is not None else None
        if path is not None and known is not None and known.items is not None:
            scope.env.put(path, _with(known, module.unknown))


def _with(value: Value, other: Value) -> Value:
    return Value(
        union(value.taints, other.taints),
        value.constant,
        value.items,
        value.is_sequence,
        value.is_object,
    )
