"""What a call is given: the object whose method it means, and its arguments."""

import libcst as cst

from vetbox.rules.taint.calls.higher_order import Values
from vetbox.rules.taint.calls.specials import iterated
from vetbox.rules.taint.data.values import CLEAN, Value
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.walk import last_word

ITERATING = frozenset(
    {"all", "any", "chain", "deque", "enumerate", "extend", "filter", "frozenset", "iter", "join"}
    | {"islice", "list", "map", "max", "min", "next", "reduce", "reversed", "set", "sorted", "sum"}
    | {"tuple", "zip"}
)
"""Last words of what goes through the elements of its arguments."""


def given_in(node: cst.Call, values: Values) -> tuple[Value, dict[int, Value]]:
    """The object whose method a call means, and the arguments, which may change it."""
    of = node.func.value if isinstance(node.func, cst.Attribute) else None
    receiver = CLEAN if of is None else values.value(of)
    path = (of and path_of(of)) or ""
    held = values.scope.env.get(path)
    arguments = {id(arg.value): _argument(arg, node, values) for arg in node.args}
    if of is not None and values.scope.env.get(path) is not held:
        receiver = values.value(of)
    return receiver, arguments


def _argument(arg: cst.Arg, node: cst.Call, values: Values) -> Value:
    value = values.value(arg.value)
    if value.is_object and (arg.star == "*" or last_word(node.func) in ITERATING):
        return iterated(arg.value, value, values)
    return value
