"""Dynamic calls: functions chosen at run time, from a table or by `getattr`."""

from collections.abc import Iterator, Sequence

import libcst as cst

from vetbox.rules.language.callbacks import CHOICES
from vetbox.rules.patterns.tree import flat_statements
from vetbox.rules.patterns.vocabulary import UNKNOWN, Facts
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.taint.calls.functions import FunctionIndex


def chosen_by(
    func: cst.BaseExpression, facts: Facts, index: FunctionIndex, owner: str | None
) -> Sequence[cst.BaseExpression]:
    """What to call instead: of a table, by a name that is put together, or an object's own."""
    behind = _behind(func, facts, index, owner)
    written = func if behind is None else behind
    match written:
        case cst.Call(func=cst.Name(value="getattr"), args=[cst.Arg(of), cst.Arg(name), *_]):
            return [*_attributes(of, name, facts, index)]
        case cst.Name() | cst.Attribute() if behind is not None:
            return [behind]
        case cst.Call(func=cst.Name()) if index.is_callable(written.func):
            return [cst.Attribute(func, cst.Name("__call__"))]
    table = _table(written)
    kept = None if table is None else _behind(table[0], facts, index, owner)
    return _of_table(kept, table[1], facts) if table is not None else ()


def _behind(
    node: cst.BaseExpression, facts: Facts, index: FunctionIndex, owner: str | None
) -> cst.BaseExpression | None:
    """The one expression that a variable, or an attribute of the object, was given."""
    match node:
        case cst.Attribute(value=cst.Name(value="self"), attr=cst.Name(value=name)):
            held = index.held(owner, name)
            return held[0] if len(held) == 1 else None
    return facts.behind(node)


def _table(
    written: cst.BaseExpression,
) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The table and the key of `TABLE[key]` or `TABLE.get(key)`."""
    match written:
        case cst.Subscript(value=named, slice=[cst.SubscriptElement(slice=cst.Index(key))]):
            return named, key
        case cst.Call(
            func=cst.Attribute(value=named, attr=cst.Name(value="get")), args=[cst.Arg(key), *_]
        ):
            return named, key
    return None


def _of_table(
    table: cst.BaseExpression | None, key: cst.BaseExpression, facts: Facts
) -> Sequence[cst.BaseExpression]:
    """The functions that a table, as it is written, may have for a key."""
    entries = table.elements if isinstance(table, cst.Dict) else ()
    plain = [entry for entry in entries if isinstance(entry, cst.DictElement)]
    if len(plain) < len(entries) or len(entries) > CHOICES:
        return ()
    asked = facts.constant(key)
    known = [entry.value for entry in plain if facts.constant(entry.key) == asked]
    return known if asked is not UNKNOWN and known else [entry.value for entry in plain]


def _attributes(
    of: cst.BaseExpression, name: cst.BaseExpression, facts: Facts, index: FunctionIndex
) -> Iterator[cst.BaseExpression]:
    """What `getattr(x, "name")` may be, or `getattr(x, "do_" + name)`, whatever that begins."""
    known = facts.constant(name)
    if isinstance(known, str):
        yield cst.Attribute(of, cst.Name(known))
        return
    start = _start(name, facts)
    methods = index.methods_with(start) if start else []
    for method in methods if len(methods) <= CHOICES else ():
        yield cst.Attribute(of, cst.Name(method))


def _start(name: cst.BaseExpression, facts: Facts) -> str:
    """The constant that a text surely begins with."""
    match name:
        case cst.BinaryOperation(left=left, operator=cst.Add()):
            known = facts.constant(left)
            return known if isinstance(known, str) else ""
        case cst.FormattedString(parts=[cst.FormattedStringText(value=text), *_]):
            return text
    return ""


def given_by(function: Function, index: FunctionIndex) -> Function | None:
    """The nested function that this one returns: a closure."""
    inner = {one.node.name.value: one for one in index.defined_in(function)}
    for statement in flat_statements(function.node.body.body) if inner else ():
        match statement:
            case cst.Return(value=cst.Name(value=name)) if name in inner:
                return inner[name]
    return None
