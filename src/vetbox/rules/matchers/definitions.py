"""Definitions and statements: def, class, decorators, except and assert."""

from collections.abc import Iterator

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.matchers.references import code_of, first_in, shown_name
from vetbox.rules.matching.conditions import holds
from vetbox.rules.matching.match import Match
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import identifier


def match_decorator(matcher: f.Decorator, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, cst.Decorator):
        return None
    name = first_in(matcher.names, _decorator_names(node, matcher.resolve, facts))
    return Match(node, {"callee": shown_name(name), "name": shown_name(name)}) if name else None


def _decorator_names(node: cst.Decorator, level: f.Resolve, facts: Resolver) -> frozenset[str]:
    return frozenset(name.removesuffix("()") for name in facts.names(node.decorator, level))


def match_def(matcher: f.Def, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, cst.FunctionDef) or identifier(node.name) not in matcher.names:
        return None
    if matcher.decorator is not None:
        found = (_decorator_names(d, matcher.resolve, facts) for d in node.decorators)
        if not any(first_in(matcher.decorator, names) for names in found):
            return None
    if not matcher.parameters <= {identifier(param.name) for param in _params(node.params)}:
        return None
    return Match(node, {"name": identifier(node.name), "callee": identifier(node.name)})


def _params(params: cst.Parameters) -> Iterator[cst.Param]:
    yield from (*params.posonly_params, *params.params, *params.kwonly_params)
    yield from (p for p in (params.star_arg, params.star_kwarg) if isinstance(p, cst.Param))


def match_class(matcher: f.Class, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, cst.ClassDef) or identifier(node.name) not in matcher.names:
        return None
    words = {"name": identifier(node.name)}
    if matcher.base is not None:
        base = _base(matcher.base, node, matcher, facts)
        if base is None:
            return None
        words |= {"base": shown_name(base), "callee": shown_name(base)}
    return Match(node, words)


def _base(wanted: f.Names, node: cst.ClassDef, matcher: f.Class, facts: Resolver) -> str | None:
    """The first of some names that a class inherits from, or one of its bases in the file does."""
    base = first_in(wanted, facts.union((arg.value for arg in node.bases), matcher.resolve))
    if base is not None or not matcher.inherited:
        return base
    above = (arg.value for one in facts.owners.above(node) for arg in one.bases)
    return first_in(wanted, facts.union(above, matcher.resolve))


def match_except(matcher: f.Except, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, (cst.ExceptHandler, cst.ExceptStarHandler)):
        return None
    if matcher.bare and node.type is not None:
        return None
    if matcher.types is not None and not _catches(matcher, node, facts):
        return None
    if matcher.body is not None and matcher.body not in _body_words(node.body):
        return None
    return Match(node, {"name": code_of(node.type) if node.type else "everything"})


def _catches(
    matcher: f.Except, node: cst.ExceptHandler | cst.ExceptStarHandler, facts: Resolver
) -> bool:
    caught = node.type
    if caught is None or matcher.types is None:
        return False
    parts = [e.value for e in caught.elements] if isinstance(caught, cst.Tuple) else [caught]
    return first_in(matcher.types, facts.union(parts, matcher.resolve)) is not None


def _body_words(body: cst.BaseSuite) -> frozenset[str]:
    """`pass` or `continue` and `empty` for a body that does nothing else."""
    statements = [
        small
        for statement in body.body
        for small in (
            statement.body if isinstance(statement, cst.SimpleStatementLine) else [statement]
        )
    ]
    match statements:
        case [cst.Pass()] | [cst.Expr(value=cst.Ellipsis())]:
            return frozenset({"pass", "empty"})
        case [cst.Continue()]:
            return frozenset({"continue", "empty"})
    return frozenset()


def match_assert(matcher: f.Assert, node: cst.CSTNode, facts: Resolver) -> Match | None:
    if not isinstance(node, cst.Assert):
        return None
    if matcher.test is not None and not holds(matcher.test, node.test, facts):
        return None
    return Match(node, {})
