"""Fixed texts: those composed of constants of the program and numbers only.

`",".join("?" * len(ids))`, `COLUMNS[key]`, a table's name from a loop over constants.
"""

from collections.abc import Iterable, Iterator

import libcst as cst

from vetbox.rules.numbers import numeric_places, only_number
from vetbox.rules.resolve.annotations import is_of
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.resolve.scopes import Augmented, Binding, Parameter, Value
from vetbox.rules.walk import identifier

MAX_DEPTH = 12
_NUMBERS = frozenset({"int", "float", "len", "round", "abs", "bool", "hash", "id", "ord", "range"})
_COUNTING = frozenset({"enumerate"})
_OWN = frozenset(
    {"platform.python_version", "platform.system", "platform.machine", "platform.release"}
    | {"os.getpid", "os.getppid", "os.getuid", "os.getgid", "os.cpu_count", "time.time"}
    | {"os.getpgid", "os.getpgrp", "os.getsid", "os.geteuid", "os.getegid"}
    | {"multiprocessing.cpu_count", "uuid.uuid4", "random.randint", "tempfile.mkdtemp"}
)
"""What they give nobody else has a say in."""
_GIVING_BACK = frozenset({"str", "list", "tuple", "sorted", "set", "repr", "reversed", "iter"})
_JOINING = frozenset({"os.path.join", "os.path.normpath", "posixpath.join"})
_METHODS = frozenset({"format", "join", "strip", "lower", "upper", "replace", "title", "rstrip"})
_TABLE_METHODS = frozenset({"get", "pop"})


def is_fixed(node: cst.BaseExpression, facts: Resolver, depth: int = MAX_DEPTH) -> bool:
    """Is each part of the text a constant or a number, however often it is repeated?"""
    known = facts.known_fixed.get((id(node), depth))
    if known is None:
        facts.budget.spend()
        known = facts.folder.is_constant(node) or (
            depth > 0 and all(is_fixed(part, facts, depth - 1) for part in _parts(node, facts))
        )
        facts.known_fixed[id(node), depth] = known
    return known


def _parts(node: cst.BaseExpression, facts: Resolver) -> Iterable[cst.BaseExpression]:
    """The parts that say whether it is; one that never is where that is not known."""
    match node:
        case cst.FormattedString(parts=parts):
            filled = (part for part in parts if isinstance(part, cst.FormattedStringExpression))
            return [part.expression for part in filled if not only_number(part.format_spec)]
        case cst.ConcatenatedString(left=left, right=right):
            return [left, right]
        case cst.BinaryOperation(left=left, operator=cst.Modulo(), right=right):
            return [left, *_put_in(facts.folder.value(left), right)]
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return [left, right]
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            known = [side for side in (left, right) if facts.folder.values(side) is not None]
            return known or [left]
        case cst.Tuple(elements=parts) | cst.List(elements=parts) | cst.Set(elements=parts):
            return [part.value for part in parts]
        case cst.ListComp(elt=elt) | cst.GeneratorExp(elt=elt) | cst.SetComp(elt=elt):
            return [elt]
        case cst.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case cst.NamedExpr(value=value):
            return [value]
        case cst.Subscript(value=value):
            return _elements(value, facts)
        case cst.Name():
            return _given(node, facts)
        case cst.Attribute(attr=cst.Name(value="pid")):
            return []
        case cst.Call():
            return _of_call(node, facts)
    return [_UNKNOWN]


_UNKNOWN = cst.Ellipsis()


def _put_in(text: object, given: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What `text % given` takes that is not sure to be a number."""
    numeric = numeric_places(text)
    if numeric and all(numeric):
        return []
    if isinstance(given, cst.Tuple) and len(given.elements) == len(numeric):
        pairs = zip(given.elements, numeric, strict=True)
        return [part.value for part, number in pairs if not number]
    return [given]


_CHANGING = (cst.List, cst.Set, cst.Dict, cst.ListComp, cst.SetComp, cst.DictComp)
"""A variable's table may hold more by the time it is used; a constant's name says it won't."""


def _elements(container: cst.BaseExpression, facts: Resolver) -> list[cst.BaseExpression]:
    """Everything that a table holds, if nothing is added to it."""
    if isinstance(container, cst.Name) and not identifier(container).isupper():
        return [_UNKNOWN]
    return facts.elements(container, None) or [_UNKNOWN]


def _of_call(call: cst.Call, facts: Resolver) -> list[cst.BaseExpression]:
    arguments = [arg.value for arg in call.args]
    names = facts.names(call.func)
    if names <= _NUMBERS or names <= _OWN:
        return []
    if names and names <= _JOINING:
        return arguments
    if isinstance(call.func, cst.Attribute):
        method, receiver = identifier(call.func.attr), call.func.value
        if method in _TABLE_METHODS and arguments:
            return [*_elements(receiver, facts), *arguments[1:]]
        return [receiver, *arguments] if method in _METHODS else [_UNKNOWN]
    return arguments if names <= _GIVING_BACK else [_UNKNOWN]


def _given(name: cst.Name, facts: Resolver) -> Iterator[cst.BaseExpression]:
    """What a variable may hold: whole values, and the elements of what is looped over."""
    bindings = [b for _, reached in facts.visible(identifier(name), name) for b in reached.bindings]
    if not bindings:
        yield _UNKNOWN
    for binding in bindings:
        yield from _of_binding(binding, facts)


def _of_binding(binding: Binding, facts: Resolver) -> Iterable[cst.BaseExpression]:
    match binding.given:
        case Augmented(statement=statement) if binding.given.is_sum:
            return [statement.value]
        case Value(value=value, path=()):
            return [_UNKNOWN] if isinstance(value, _CHANGING) else [value]
        case Value(value=cst.Call(func=func), path=(None, 0)) if facts.names(func) == _COUNTING:
            return []
        case Value(value=value, path=(None,)):
            return _elements(value, facts)
        case Parameter(param=param) if is_of(_NUMBERS, param, facts):
            return []
    return [_UNKNOWN]
