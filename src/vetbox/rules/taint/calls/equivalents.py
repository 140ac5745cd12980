"""Equivalents: the expressions that calls of `operator` functions stand for."""

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.walk import last_word

_GETTERS = frozenset({"itemgetter", "attrgetter", "methodcaller"})
_ITEMS: Mapping[str, int] = {"getitem": 2, "setitem": 3}
"""With the number of their arguments."""
_COUNTS = frozenset(_ITEMS.values())


def read_by(
    node: cst.Call, begun: cst.BaseExpression | None, facts: Facts
) -> Sequence[cst.BaseExpression]:
    """What `getitem(x, k)` reads, and `itemgetter(k, …)(x)`, which `begun` made."""
    if _name(node, facts) == "getitem":
        return [element(node.args[0].value, node.args[1].value)]
    if not isinstance(begun, cst.Call) or len(node.args) != 1 or not _is_of(begun, facts):
        return ()
    return [*_got_by(begun, node.args[0].value, facts)]


def set_by(node: cst.Call, facts: Facts) -> cst.Subscript | None:
    """The element that `setitem(x, k, value)` sets."""
    is_setting = _name(node, facts) == "setitem"
    return element(node.args[0].value, node.args[1].value) if is_setting else None


def updated_names(node: cst.Call) -> cst.BaseExpression | None:
    """The `globals()`, `vars(x)` or `x.__dict__` of `globals().update(…)`."""
    match node.func:
        case cst.Attribute(value=of, attr=cst.Name("update")):
            pass
        case _:
            return None
    match of:
        case cst.Attribute(attr=cst.Name("__dict__")):
            return of
        case (
            cst.Call(func=cst.Name("globals"), args=[]) | cst.Call(func=cst.Name("vars"), args=[_])
        ):
            return of
    return None


def _got_by(begun: cst.Call, of: cst.BaseExpression, facts: Facts) -> Iterator[cst.BaseExpression]:
    first, *others = begun.args
    if last_word(begun.func) == "methodcaller":
        named = facts.constant(first.value)
        if isinstance(named, str) and named.isidentifier():
            yield cst.Call(cst.Attribute(of, cst.Name(named)), others)
        return
    for one in begun.args:
        if last_word(begun.func) == "itemgetter":
            yield element(of, one.value)
            continue
        words, found = str(facts.constant(one.value)).split("."), of
        for word in words if all(map(str.isidentifier, words)) else ():
            found = cst.Attribute(found, cst.Name(word))
        yield found


def _is_of(begun: cst.Call, facts: Facts) -> bool:
    """Is it made by one of these, and given what is read one by one?"""
    word = last_word(begun.func)
    if word not in _GETTERS or not begun.args or any(arg.star for arg in begun.args):
        return False
    return f"operator.{word}" in facts.names(begun.func)


def _name(node: cst.Call, facts: Facts) -> str:
    word = last_word(node.func) if len(node.args) in _COUNTS else ""
    if _ITEMS.get(word) != len(node.args) or f"operator.{word}" not in facts.names(node.func):
        return ""
    return "" if any(arg.star or arg.keyword for arg in node.args) else word


def element(of: cst.BaseExpression, key: cst.BaseExpression) -> cst.Subscript:
    """`of[key]`"""
    return cst.Subscript(of, [cst.SubscriptElement(cst.Index(key))])
