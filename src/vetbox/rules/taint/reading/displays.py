"""Displays: the elements of lists, tuples, sets and dicts that are written out."""

import libcst as cst

from vetbox.rules.taint.calls.evaluating import Values
from vetbox.rules.taint.calls.specials import iterated
from vetbox.rules.taint.data.putting import with_item
from vetbox.rules.taint.data.values import Value, added, headed, mixed, sequence
from vetbox.rules.taint.reading.container_builtins import merged


def collection(node: cst.List | cst.Tuple | cst.Set, values: Values) -> Value:
    """What it holds, in order as far as that is known."""
    head: list[Value] = []
    rest: list[Value] = []
    for element in node.elements:
        value = values.value(element.value)
        starred = isinstance(element, cst.StarredElement)
        value = iterated(element.value, value, values) if starred else value
        parts = value.parts if starred and not value.taints else None
        if rest or (starred and parts is None):
            rest.append(value.element() if starred else value)
        else:
            head += [value] if parts is None else parts
    if isinstance(node, cst.Set):
        return mixed([*head, *rest])
    return headed(head, added(rest)) if rest else sequence(head)


def mapping(node: cst.Dict, values: Values) -> Value:
    """What it holds, by key."""
    result = Value(items={})
    for element in node.elements:
        value = values.value(element.value)
        if isinstance(element, cst.DictElement):
            key = values.value(element.key)
            result = with_item(result, key.constant, value, key)
        else:
            result = merged(result, value)
    return result
