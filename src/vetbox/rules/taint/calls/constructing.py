"""Constructor calls: the objects that they make of classes of the module, by attribute."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

import libcst as cst

from vetbox.rules.patterns.tree import block_of
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.spreading import spread_by
from vetbox.rules.taint.calls.summaries import Summary
from vetbox.rules.taint.data.gains import both, with_attribute
from vetbox.rules.taint.data.values import Value
from vetbox.rules.taint.module import Module
from vetbox.rules.taint.reading.objects import (
    by_receiver,
    fields_of_tuple,
    recorded,
    recorded_as,
)
from vetbox.rules.taint.scope import Scope
from vetbox.rules.walk import identifier


def made(
    module: Module,
    call: cst.Call,
    arguments: Mapping[int, Value],
    scope: Scope,
    *,
    at: cst.Call | None = None,
) -> Value | None:
    """The object that a call makes; None where it is not known.

    `at` is the call that is written where another makes this one.
    """
    written, summary = at or call, scope.summary
    bare = _bare(module, call, scope)
    if bare is not None:
        return Value(items={}, is_object=True) if module.index.is_whole(bare) else None
    of = module.index.made(call.func, scope.owner)
    if of is None:
        named = fields_of_tuple(module.facts.behind(call.func), module.facts)
        return None if named is None else recorded_as(named, call, arguments, is_tuple=True)
    init = module.index.constructor(identifier(of.name))
    if init is None:
        return _completed(module, of, recorded(of, call, arguments), written, summary)
    init = module.specializations.as_called(init, by_receiver(call), arguments)
    module.call(init, by_receiver(call), arguments, summary, at=written)
    called = module.summary(init)
    if called is None or not module.index.is_whole(of):
        return None
    seen = module.seen(init, by_receiver(call), arguments, written)
    items: dict[Hashable, Value] = {name: seen.value(one) for name, one in called.fields.items()}
    for name, gained in called.kept.items():
        items[name] = both(items.get(name), seen.value(gained))
    items |= dict(spread_by(init, by_receiver(call), arguments))
    return Value(items=items, is_object=True)


def _bare(module: Module, call: cst.Call, scope: Scope) -> cst.ClassDef | None:
    """The class of which `C.__new__(C)` makes an object without asking its constructor."""
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name("__new__")), args=[cst.Arg(of)]):
            return module.index.made(of, scope.owner)
    return None


def _completed(
    module: Module, of: cst.ClassDef, record: Value | None, call: cst.Call, summary: Summary
) -> Value | None:
    """A record after what its class does with one that has its fields."""
    post = module.index.only_special("__post_init__")
    if record is None or post is None or post.owner != identifier(of.name):
        return record
    completing = cst.Call(cst.Attribute(call, cst.Name("__post_init__")), [])
    module.call(post, completing, {id(call): record}, summary, at=call)
    for name, gained in module.kept(post, completing, {id(call): record}, at=call).items():
        record = with_attribute(record, name, gained)
    called, replaced = module.summary(post), set(_always_put(post))
    if called is None or not replaced:
        return record
    seen = module.seen(post, completing, {id(call): record}, call)
    items: dict[Hashable, Value] = {**(record.items or {})}
    items |= {name: seen.value(one) for name, one in called.fields.items() if name in replaced}
    return replace(record, items=items)


def _always_put(function: Function) -> Iterator[str]:
    """The attributes that a function surely gives something else, whichever way it takes."""
    for statement in block_of(function.node.body):
        match statement:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Attribute(cst.Name("self"), cst.Name(name)))]
            ):
                yield name
            case cst.BaseCompoundStatement() | cst.Return():
                return
