"""Targets: the names that the left side of an assignment gives a value."""

import ast
from collections.abc import Iterator

from vetbox.rules.screening.words import words_in


def targets(target: ast.AST) -> Iterator[str]:
    """The variables and attributes that are given something; of `a[k]` the container."""
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Subscript(value=inner) | ast.Starred(value=inner):
            yield from targets(inner)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from targets(part)
        case _:
            yield from words_in(target)


def gives_items(loop: ast.For | ast.AsyncFor | ast.comprehension) -> bool:
    """`for k, v in x.items()`: each of the two is known as well as one would be."""
    match loop:
        case ast.For(target=target, iter=table) | ast.comprehension(target=target, iter=table):
            match target, table:
                case (
                    ast.Tuple(elts=[ast.Name(), ast.Name()]),
                    ast.Call(func=ast.Attribute(attr="items"), args=[], keywords=[]),
                ):
                    return True
    return False
