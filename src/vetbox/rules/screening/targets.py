"""Targets: the names that what stands left of a `=` gives something."""

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
