"""Annotations: the classes that type annotations name."""

from collections.abc import Iterator, Set
from itertools import islice

import libcst as cst

from vetbox.rules.resolve.context import Context
from vetbox.rules.walk import written_name

_OF_ONE = frozenset({"Optional", "Annotated"})
_COLLECTIONS = frozenset({"list", "List", "set", "Set", "frozenset", "Sequence", "Iterable"})
_MAX_MEANINGS = 4
"""What is given more things than that is a variable, no name of a type."""


def types_named(annotation: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The classes an annotation names: `A | None` and `Optional[A]` name A."""
    match annotation:
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            yield from types_named(left)
            yield from types_named(right)
        case cst.Subscript(value=generic, slice=[first, *_]):
            last = (written_name(generic) or "").rpartition(".")[2]
            if last in _OF_ONE and isinstance(first.slice, cst.Index):
                yield from types_named(first.slice.value)
        case cst.Name(value="None") | cst.Subscript():
            return
        case cst.Name() | cst.Attribute():
            yield annotation


def is_of(types: Set[str], parameter: cst.Param, facts: Context) -> bool:
    """Is a parameter annotated with some of these types, or their subclasses, and nothing else?

    A parameter is also what its default makes of an argument: `Depends(f)` is of Depends.
    """
    if not types:
        return False
    annotated = parameter.annotation
    declared = None if annotated is None else annotated.annotation
    if _made_of(types, parameter.default, declared, facts):
        return True
    if declared is None:
        return False
    named = [*_leaves(declared)]
    return bool(named) and all(_names_one(types, part, facts) for part in named)


def _leaves(annotation: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What an annotation names, behind what only says how many there are."""
    match annotation:
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            yield from _leaves(left)
            yield from _leaves(right)
        case cst.Name(value="None"):
            return
        case cst.Subscript(value=generic, slice=[first, *rest]):
            last = (written_name(generic) or "").rpartition(".")[2]
            extra = [part.slice.value for part in rest if isinstance(part.slice, cst.Index)]
            if last == "Annotated" and any(isinstance(part, cst.Call) for part in extra):
                yield annotation
            elif last in _OF_ONE | _COLLECTIONS and isinstance(first.slice, cst.Index):
                yield from _leaves(first.slice.value)
            elif last == "Union":
                for part in (first, *rest):
                    if isinstance(part.slice, cst.Index):
                        yield from _leaves(part.slice.value)
            else:
                yield annotation
        case _:
            yield annotation


def _names_one(types: Set[str], part: cst.BaseExpression, facts: Context) -> bool:
    match part:
        case cst.Subscript(value=generic, slice=[first, *rest]):
            if not types.isdisjoint(facts.names(generic)):
                return True
            last = (written_name(generic) or "").rpartition(".")[2]
            extra = [one.slice.value for one in rest if isinstance(one.slice, cst.Index)]
            if last != "Annotated" or not isinstance(first.slice, cst.Index):
                return False
            return any(
                _made_of(types, one, first.slice.value, facts) for one in extra
            ) or _names_one(types, first.slice.value, facts)
        case cst.Name() | cst.Attribute():
            if not types.isdisjoint(facts.names(part)) or _is_alias(types, part, facts):
                return True
            bases = (
                base.value
                for owner in facts.members.definitions(part)
                if isinstance(owner, cst.ClassDef)
                for base in owner.bases
            )
            return any(not types.isdisjoint(facts.names(base)) for base in bases)
    return False


def _is_alias(types: Set[str], part: cst.BaseExpression, facts: Context) -> bool:
    """`User = Annotated[dict, Depends(f)]`, a name of the module for such a type."""
    if not isinstance(part, cst.Name):
        return False
    behind = [*islice(facts.assigned(part), _MAX_MEANINGS + 1)]
    return len(behind) <= _MAX_MEANINGS and any(
        isinstance(one, cst.Subscript) and _names_one(types, one, facts) for one in behind
    )


def _made_of(
    types: Set[str],
    made: cst.BaseExpression | None,
    declared: cst.BaseExpression | None,
    facts: Context,
) -> bool:
    """Is it what a call of one of them makes of an argument, or of the type that is declared?

    A class with fields and no constructor is no function: it is filled as the parameter is. So is
    a class of the module that only the type names.
    """
    match made:
        case cst.Call(func=func, args=[first, *_]) if not types.isdisjoint(facts.names(func)):
            return not any(map(_is_filled, facts.members.definitions(first.value)))
        case cst.Call(func=func, args=[]) if declared is not None:
            known = facts.members.definitions(declared)
            return not known and not types.isdisjoint(facts.names(func))
    return False


def _is_filled(made: cst.FunctionDef | cst.ClassDef | cst.Lambda) -> bool:
    """Is it a class whose objects are made of its fields?"""
    if not isinstance(made, cst.ClassDef):
        return False
    lines = [one for one in made.body.body if isinstance(one, cst.SimpleStatementLine)]
    named = [one.name.value for one in made.body.body if isinstance(one, cst.FunctionDef)]
    has_fields = any(isinstance(one, cst.AnnAssign) for line in lines for one in line.body)
    return has_fields and "__init__" not in named
