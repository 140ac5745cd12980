"""Singles: classes that make one object and keep it, `cls._instance = cls()`; fields of classes."""

from collections.abc import Container, Iterator, Mapping, Sequence, Set

import libcst as cst

from vetbox.rules.patterns.tree import block_of, flat_statements, preorder
from vetbox.rules.patterns.vocabulary import Facts
from vetbox.rules.taint.calls.definitions import Function
from vetbox.rules.walk import identifier, last_word


def single_classes(functions: tuple[Function, ...]) -> frozenset[str]:
    """The classes of a module with a method that keeps the object."""
    likely = (one for one in functions if one.owner is not None and _is_of_class(one))
    return frozenset(one.owner for one in likely if one.owner and any(_keeps_object(one)))


def class_of_single(of: cst.BaseExpression, singles: Set[str], facts: Facts) -> str | None:
    """The class whose only object an expression gives, as `C.get()` and `C()` do."""
    match facts.behind(of) if singles and isinstance(of, cst.Name) else of:
        case cst.Call(func=cst.Name(value=name) | cst.Attribute(value=cst.Name(value=name))) if (
            name in singles
        ):
            return name
    return None


def _is_of_class(function: Function) -> bool:
    """May the class be the object that it is called on, or is a new object made there?"""
    first = next((identifier(one.name) for one in function.parameters), "")
    is_new = identifier(function.node.name) == "__init__"
    return first == "cls" or is_new or bool(function.node.decorators)


def _keeps_object(function: Function) -> Iterator[bool]:
    for statement in preorder(block_of(function.node.body)):
        match statement:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Attribute(value=cst.Name() as of))],
                value=cst.Call(func=made),
            ) if identifier(of) in ("cls", function.owner):
                is_new = isinstance(made, cst.Attribute) and last_word(made) == "__new__"
                yield is_new or last_word(made) in ("cls", function.owner)
            case cst.Assign(
                targets=[
                    cst.AssignTarget(cst.Attribute(value=cst.Name(), attr=cst.Name("__dict__")))
                ],
                value=cst.Attribute(),  # all objects have these fields
            ):
                yield True


def shared_containers(
    classes: Mapping[str, Sequence[cst.ClassDef]], held: Container[tuple[str, str]]
) -> Mapping[str, frozenset[str]]:
    """By class the names of its lists and tables that no method gives an object of its own."""
    return {
        name: frozenset(
            one
            for node in nodes
            for statement in flat_statements(node.body.body)
            for one in _containers(statement)
            if (name, one) not in held
        )
        for name, nodes in classes.items()
    }


def _containers(statement: cst.CSTNode) -> Iterator[str]:
    match statement:
        case cst.Assign(
            targets=[cst.AssignTarget(cst.Name() as name)],
            value=cst.List() | cst.Dict() | cst.Set(),
        ):
            yield identifier(name)
        case cst.AnnAssign(target=cst.Name() as name, value=cst.List() | cst.Dict() | cst.Set()):
            yield identifier(name)
