"""Assigning: what a node of a fragment gives to which target or key, in every form."""

import ast
from collections.abc import Iterator, Set

from vetbox.rules.language.defaulting import DEFAULT, HOLDERS
from vetbox.rules.sifting.assignments import defaults


def given_values(node: ast.AST, forms: Set[str]) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Targets and what they are given."""
    match node:
        case ast.Assign(targets=targets, value=value) if "assign" in forms:
            yield from (pair for target in targets for pair in parts_of(target, value))
        case ast.AnnAssign(target=target, value=ast.expr() as value) if "assign" in forms:
            yield target, value
        case ast.NamedExpr(target=target, value=value) if "assign" in forms:
            yield target, value
        case ast.AugAssign(target=target) if "assign" in forms:
            yield target, None
        case ast.keyword(arg=str() as name, value=value) if "keyword" in forms:
            yield ast.Name(name), value
        case ast.arguments() if "default" in forms:
            yield from ((ast.Name(name), value) for name, value in defaults(node))
        case ast.Compare(left=left, comparators=[value]) if "compare" in forms:
            yield from ((left, value), (value, left))


def parts_of(
    target: ast.expr, value: ast.expr | None
) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """`a` and `b` of `a, b = x, y`, each with its value where that is told."""
    if isinstance(target, ast.Starred):
        yield from parts_of(target.value, None)
        return
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value
        return
    given = value.elts if isinstance(value, (ast.Tuple, ast.List)) else ()
    starred = any(isinstance(one, ast.Starred) for one in (*target.elts, *given))
    paired = len(given) == len(target.elts) and not starred
    for at, part in enumerate(target.elts):
        yield from parts_of(part, given[at] if paired else None)


def kept_values(node: ast.AST, forms: Set[str]) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Keys and what is kept under them."""
    match node:
        case ast.Dict(keys=keys, values=values) if "item" in forms:
            yield from ((key, value) for key, value in zip(keys, values, strict=True) if key)
        case ast.Assign(targets=targets, value=value) if "item" in forms:
            pairs = (pair for target in targets for pair in parts_of(target, value))
            yield from ((key, part) for target, part in pairs for key in _keys(target))
        case ast.Compare(left=left, comparators=[value]) if "compare" in forms:
            yield from ((key, value) for key in _keys(left))
            yield from ((key, left) for key in _keys(value))


def _keys(target: ast.expr) -> Iterator[ast.expr]:
    """`k` of `d[k]` and `d.get(k)`."""
    match target:
        case ast.Subscript(slice=key):
            yield key
        case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            yield key


def offered(value: ast.expr) -> Iterator[ast.expr]:
    """The value, and each text that it may turn out to be: the `"b"` of `a or "b"`."""
    yield value
    yield from (text for text in _texts_within(value) if text is not value)


def _texts_within(value: ast.expr) -> Iterator[ast.expr]:
    match value:
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
            yield value
        case ast.BoolOp(values=parts):
            for part in parts:
                yield from _texts_within(part)
        case ast.IfExp(body=one, orelse=other):
            yield from _texts_within(one)
            yield from _texts_within(other)
        case ast.Call(func=ast.Name(id=word) | ast.Attribute(attr=word)) if word in HOLDERS:
            defaults = (one.value for one in value.keywords if one.arg == DEFAULT)
            for part in (*value.args[:1], *defaults):
                yield from _texts_within(part)
