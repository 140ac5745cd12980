"""Annotations: the classes that they name."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.walk import written_name


def types_named(annotation: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The classes an annotation names: `A | None` and `Optional[A]` name A."""
    match annotation:
        case cst.BinaryOperation(left=left, operator=cst.BitOr(), right=right):
            yield from types_named(left)
            yield from types_named(right)
        case cst.Subscript(value=generic, slice=[first, *_]):
            last = (written_name(generic) or "").rpartition(".")[2]
            if last in ("Optional", "Annotated") and isinstance(first.slice, cst.Index):
                yield from types_named(first.slice.value)
        case cst.Name(value="None") | cst.Subscript():
            return
        case cst.Name() | cst.Attribute():
            yield annotation
