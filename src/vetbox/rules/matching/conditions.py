"""Conditions on a value: what is written, what it folds to, and what it is the name of."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.matching.fixed import is_fixed
from vetbox.rules.matching.literals import has_fields, written
from vetbox.rules.matching.measuring import (
    OPERATORS,
    SCALARS,
    entropy,
    is_kind,
    refuses_slowly,
    same,
)
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.resolve.own_classes import is_own_class
from vetbox.rules.walk import identifier

_CONTAINERS: Mapping[str, tuple[type[cst.CSTNode], ...]] = {
    "list": (cst.List, cst.ListComp),
    "tuple": (cst.Tuple,),
    "dict": (cst.Dict, cst.DictComp),
    "set": (cst.Set, cst.SetComp),
}


def holds(condition: f.Condition, node: cst.BaseExpression, facts: Resolver) -> bool:
    """May the value be as the condition says?"""
    return _CHECKS[type(condition)](condition, node, facts)


MAX_FORMS = 50
"""More values than that in one place are not all looked at."""


def forms(node: cst.BaseExpression, facts: Resolver) -> Iterator[cst.BaseExpression]:
    """The expression, and what the variables in its place were given."""
    return _spread([node], facts, _given)


_Following: TypeAlias = Callable[[cst.BaseExpression, Resolver], list[cst.BaseExpression]]


def _spread(
    nodes: list[cst.BaseExpression], facts: Resolver, following: _Following
) -> Iterator[cst.BaseExpression]:
    """The expressions and all that follow from them, each once: `q = q + x` leads in a circle."""
    seen: set[int] = set()
    waiting = nodes[::-1]
    while waiting and len(seen) < MAX_FORMS:
        form = waiting.pop()
        if id(form) not in seen:
            seen.add(id(form))
            yield form
            waiting += reversed(following(form, facts))


def _given(node: cst.BaseExpression, facts: Resolver) -> list[cst.BaseExpression]:
    match node:
        case cst.Name():
            return list(islice(facts.assigned(node), MAX_FORMS))
        case cst.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case cst.NamedExpr(value=value):
            return [value]
    return []


def _constants(node: cst.BaseExpression, facts: Resolver) -> tuple[object, ...]:
    return facts.folder.values(node) or ()


def _is(condition: f.Is, node: cst.BaseExpression, facts: Resolver) -> bool:
    return _WORDS[condition.word](node, facts)


def _regex(condition: f.Regex, node: cst.BaseExpression, facts: Resolver) -> bool:
    return any(f.re2_search(condition.regex, text) for text in texts(node, facts))


def texts(node: cst.BaseExpression, facts: Resolver) -> Iterator[str]:
    """The texts the value may be; of an f-string with unknown fields, its text parts."""
    known = _constants(node, facts)
    for value in known:
        if isinstance(value, str):
            yield value
        elif isinstance(value, bytes):
            yield value.decode("latin-1")
    if not known:
        for form in _spread([node], facts, _given_or_template):
            yield from _own_texts(form, facts)


def _own_texts(form: cst.BaseExpression, facts: Resolver) -> Iterator[str]:
    if _is_fstring(form):
        yield written(form, facts)
    else:
        yield from (value for value in _constants(form, facts) if isinstance(value, str))


def _given_or_template(node: cst.BaseExpression, facts: Resolver) -> list[cst.BaseExpression]:
    """What stands in the place of an expression, or the template it fills in."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Add() | cst.Modulo()):
            return [left]
        case cst.Call(func=cst.Attribute(value=template, attr=attr)):
            return [template] if identifier(attr) == "format" else []
    return _given(node, facts)


def _in(condition: f.In, node: cst.BaseExpression, facts: Resolver) -> bool:
    return any(
        same(value, wanted) for value in _constants(node, facts) for wanted in condition.values
    )


def _compare(condition: f.Compare, node: cst.BaseExpression, facts: Resolver) -> bool:
    compare = OPERATORS[condition.operator]
    return any(
        isinstance(value, (int, float)) and compare(value, condition.bound)
        for value in _constants(node, facts)
    )


def _bits(condition: f.Bits, node: cst.BaseExpression, facts: Resolver) -> bool:
    return any(
        isinstance(value, int) and value & condition.mask for value in _constants(node, facts)
    )


def _named(condition: f.Named, node: cst.BaseExpression, facts: Resolver) -> bool:
    names = facts.names(node, f.Resolve.DYNAMIC)
    return any(name.removesuffix("()") in condition.names for name in names)


def _contains(condition: f.Contains, node: cst.BaseExpression, facts: Resolver) -> bool:
    return any(
        holds(condition.element, element, facts)
        for form in forms(node, facts)
        for element in _keys_or_elements(form, facts)
    )


def _keys_or_elements(node: cst.BaseExpression, facts: Resolver) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.Dict):
        yield from (entry.key for entry in node.elements if isinstance(entry, cst.DictElement))
    else:
        yield from facts.elements(node, None) or ()


def _item(condition: f.Item, node: cst.BaseExpression, facts: Resolver) -> bool:
    if isinstance(condition.key, str) and isinstance(node, (cst.List, cst.Tuple, cst.Set)):
        return False
    elements = facts.elements(node, condition.key) or ()
    return any(
        holds(condition.element, element, facts)
        for element in elements
        if _is_under(condition.key, element, facts)
    )


def _is_under(key: object, element: cst.BaseExpression, facts: Resolver) -> bool:
    """Of a code base it has to be known what stands under a key, not only what may."""
    holder = facts.tree.parent(element)
    if facts.folder.is_wary or not isinstance(key, str):
        return True
    if isinstance(holder, cst.Element):
        return False
    return not isinstance(holder, cst.DictElement) or bool(facts.folder.values(holder.key))


def _backtracks(condition: f.Backtracks, node: cst.BaseExpression, facts: Resolver) -> bool:
    """Of what is taken out of a table, any that it may be."""
    taken = [node]
    if isinstance(node, cst.Subscript) and facts.folder.values(node) is None:
        taken += facts.elements(node.value, None) or ()
    every = (text for one in taken for text in texts(one, facts))
    return any(refuses_slowly(text, whole=condition.whole) for text in every)


def _entropy(condition: f.Entropy, node: cst.BaseExpression, facts: Resolver) -> bool:
    return any(entropy(text) >= condition.bits for text in texts(node, facts))


def _length(condition: f.Length, node: cst.BaseExpression, facts: Resolver) -> bool:
    compare = OPERATORS[condition.operator]
    lengths = [len(v) for v in _constants(node, facts) if isinstance(v, (str, bytes, tuple, list))]
    if not lengths:
        lengths = [
            len(elements) for elements in [facts.elements(node, None)] if elements is not None
        ]
    return any(compare(length, condition.bound) for length in lengths)


# The words of `is` -----------------------------------------------------------------------------


def _literal(node: cst.BaseExpression, facts: Resolver) -> bool:
    return facts.folder.values(node) is not None


def _truthy(node: cst.BaseExpression, facts: Resolver) -> bool:
    known = facts.folder.values(node)
    return any(map(bool, known)) if known else _holds_elements(node, facts) is True


def _falsy(node: cst.BaseExpression, facts: Resolver) -> bool:
    known = facts.folder.values(node)
    return not all(map(bool, known)) if known else _holds_elements(node, facts) is False


def _holds_elements(node: cst.BaseExpression, facts: Resolver) -> bool | None:
    """Whether a container literal has elements; None for anything else."""
    for form in forms(node, facts):
        if isinstance(form, (cst.List, cst.Tuple, cst.Set, cst.Dict)):
            return bool(form.elements)
        if isinstance(form, cst.Lambda):
            return True
    return None


def _none(node: cst.BaseExpression, facts: Resolver) -> bool:
    return None in _constants(node, facts)


def _not_none(node: cst.BaseExpression, facts: Resolver) -> bool:
    known = facts.folder.values(node)
    return known is None or any(value is not None for value in known)


def _scalar(word: str) -> Callable[[cst.BaseExpression, Resolver], bool]:
    kinds = SCALARS[word]

    def check(node: cst.BaseExpression, facts: Resolver) -> bool:
        if any(is_kind(value, kinds) for value in _constants(node, facts)):
            return True
        texts = isinstance(node, (cst.FormattedString, cst.ConcatenatedString))
        return word == "str" and (texts or _formatted(node, facts))

    return check


def _container(word: str) -> Callable[[cst.BaseExpression, Resolver], bool]:
    kinds = _CONTAINERS[word]
    return lambda node, facts: any(
        isinstance(form, kinds) or _is_call_of(form, word, facts) for form in forms(node, facts)
    )


def _is_call_of(node: cst.BaseExpression, name: str, facts: Resolver) -> bool:
    return isinstance(node, cst.Call) and name in facts.names(node.func)


def _formatted(node: cst.BaseExpression, facts: Resolver) -> bool:
    """A text built from something that is not known: f"{x}", "…" % x, "…" + x, "…".format(x)."""
    if facts.folder.is_constant(node):
        return False
    return any(_is_built(form, facts) for form in forms(node, facts)) and not is_fixed(node, facts)


def _is_built(node: cst.BaseExpression, facts: Resolver) -> bool:
    match node:
        case cst.FormattedString() | cst.ConcatenatedString():
            return has_fields(node)
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return _has_text([left, right], facts)
        case cst.BinaryOperation(left=left, operator=cst.Modulo()):
            return _has_text([left], facts)
        case cst.Call(func=cst.Attribute(value=value, attr=attr)):
            return identifier(attr) in ("format", "format_map", "join") and _has_text(
                [value], facts
            )
    return False


def _has_text(nodes: list[cst.BaseExpression], facts: Resolver) -> bool:
    """Is one of the operands a text, or built from one?"""
    return any(
        isinstance(form, (cst.FormattedString, cst.ConcatenatedString))
        or any(isinstance(value, str) for value in _constants(form, facts))
        for form in _spread(nodes, facts, _given_or_operands)
    )


def _given_or_operands(node: cst.BaseExpression, facts: Resolver) -> list[cst.BaseExpression]:
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return [node.left, node.right]
    return _given_or_template(node, facts)


def _is_fstring(form: cst.BaseExpression) -> bool:
    return isinstance(form, cst.FormattedString) or has_fields(form)


def _is_form(*kinds: type[cst.CSTNode]) -> Callable[[cst.BaseExpression, Resolver], bool]:
    return lambda node, facts: any(isinstance(form, kinds) for form in forms(node, facts))


_WORDS: Mapping[str, Callable[[cst.BaseExpression, Resolver], bool]] = {
    "any": lambda node, facts: True,
    "literal": _literal,
    "non_literal": lambda node, facts: not _literal(node, facts),
    "truthy": _truthy,
    "falsy": _falsy,
    "none": _none,
    "not_none": _not_none,
    **{word: _scalar(word) for word in SCALARS},
    **{word: _container(word) for word in _CONTAINERS},
    "fstring": lambda node, facts: any(map(_is_fstring, forms(node, facts))),
    "formatted": _formatted,
    "fixed": is_fixed,
    "call": _is_form(cst.Call),
    "lambda": _is_form(cst.Lambda),
    "name": lambda node, facts: isinstance(node, (cst.Name, cst.Attribute)),
    "own_class": is_own_class,
}
TESTS = frozenset(_WORDS)
_CHECKS: Mapping[type[object], Callable[..., bool]] = {
    f.Is: _is,
    f.Regex: _regex,
    f.In: _in,
    f.Compare: _compare,
    f.Bits: _bits,
    f.Named: _named,
    f.Contains: _contains,
    f.Item: _item,
    f.Entropy: _entropy,
    f.Backtracks: _backtracks,
    f.Length: _length,
    f.Both: lambda c, node, facts: all(holds(part, node, facts) for part in c.parts),
    f.Either: lambda c, node, facts: any(holds(part, node, facts) for part in c.parts),
    f.Unlike: lambda c, node, facts: not holds(c.part, node, facts),
}
