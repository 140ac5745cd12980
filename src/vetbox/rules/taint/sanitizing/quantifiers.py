"""Quantifiers: what `all(…)` and `any(…)` say of a collection by a test of its elements."""

from collections.abc import Iterator

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.data.unknown_origin import bare
from vetbox.rules.taint.reading.environment import path_of
from vetbox.rules.taint.sanitizing.allow_lists import is_listed
from vetbox.rules.walk import identifier

_QUANTIFIERS = frozenset({"all", "any"})
_CUTTING = frozenset({"split", "rsplit", "replace", "strip", "lower", "upper", "casefold"})
"""Methods whose result says of a text what it says itself, but for what the program names."""


@dataclass(frozen=True, slots=True)
class Quantified:
    """A test that holds (or fails) of every `element` of `wholes`, or of one of the program's."""

    test: cst.BaseExpression
    element: str
    wholes: frozenset[str]
    own: frozenset[str]
    of: cst.BaseExpression | None = None
    """What all elements are of, where it holds of all."""


def quantified(call: cst.Call, facts: Facts, *, holds: bool) -> Quantified | None:
    """What follows from `all(…)` that holds, `any(…)` that fails, and any that holds."""
    match call:
        case cst.Call(func=func, args=[cst.Arg(value=cst.GeneratorExp() | cst.ListComp() as made)]):
            how = _QUANTIFIERS.intersection(bare(facts.names(func)))
        case _:
            return None
    is_all = "all" in how
    every = is_all is holds
    if len(how) != 1 or (is_all and not holds) or (every and made.for_in.ifs):
        return None
    clause = made.for_in
    if clause.inner_for_in is not None or not isinstance(clause.target, cst.Name):
        return None
    element = identifier(clause.target)
    own = frozenset({element}) if is_listed(clause.iter, facts) else frozenset()
    wholes = frozenset(filter(None, map(path_of, _parts(clause.iter)))) if every else frozenset()
    return Quantified(made.elt, element, wholes, own, clause.iter if every else None)


def _parts(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What an expression gives the elements of: `x` and `y` of `(*x, y)`."""
    match node:
        case cst.Tuple(elements=parts) | cst.List(elements=parts) | cst.Set(elements=parts):
            yield from (uncut(part.value) for part in parts)
        case _:
            yield uncut(node)


def uncut(node: cst.BaseExpression) -> cst.BaseExpression:
    """What was cut into the parts that an expression gives."""
    match node:
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=name))):
            return uncut(value) if name in _CUTTING else node
        case cst.Call(func=cst.Name(value="set" | "list" | "str"), args=[cst.Arg(value=value)]):
            return uncut(value)
    return node
