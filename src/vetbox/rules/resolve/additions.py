"""Additions: the statements that add an element to a dict under a key that they spell out."""

from collections.abc import Iterator, Mapping

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.walk import Tree, identifier


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """What is put in under a key (`spare`: if nothing is there), and the block it stands in.

    By `table["key"] = value`, `table.update(key=value)` or `table.setdefault("key", value)`.
    """

    key: str
    value: cst.BaseExpression
    block: cst.CSTNode | None
    spare: bool


def additions_in(tree: Tree) -> Mapping[str, list[Addition]]:
    """All of a module, by the names of the tables."""
    found: dict[str, list[Addition]] = {}
    for statement in tree.of_type(cst.Assign, cst.Expr):
        for name, key, value, spare in _added(statement):
            line = tree.parent(statement)
            block = tree.parent(line) if line is not None else None
            found.setdefault(name, []).append(Addition(key, value, block, spare))
    return found


def _added(statement: cst.CSTNode) -> Iterator[tuple[str, str, cst.BaseExpression, bool]]:
    match statement:
        case cst.Assign(
            targets=[
                cst.AssignTarget(
                    target=cst.Subscript(
                        value=cst.Name() as name,
                        slice=[cst.SubscriptElement(cst.Index(value=cst.SimpleString() as key))],
                    )
                )
            ],
            value=value,
        ):
            yield identifier(name), str(key.evaluated_value), value, False
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(value=cst.Name() as name, attr=cst.Name(value="update")),
                args=arguments,
            )
        ):
            for one in arguments:
                if one.keyword is not None:
                    yield identifier(name), identifier(one.keyword), one.value, False
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(value=cst.Name() as name, attr=cst.Name(value="setdefault")),
                args=[cst.Arg(value=cst.SimpleString() as key), cst.Arg(value=value)],
            )
        ):
            yield identifier(name), str(key.evaluated_value), value, True
