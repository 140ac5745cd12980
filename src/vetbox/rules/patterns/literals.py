"""Literals of a pattern: numbers, texts and f-strings, also behind the names of constants."""

import libcst as cst

from vetbox.rules.budget import Budget
from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.bindings import Bindings, Bound
from vetbox.rules.patterns.tree import same
from vetbox.rules.patterns.vocabulary import (
    UNKNOWN,
    Facts,
    is_text_gap,
    only_text,
    quote_content,
    text_matches,
    text_of,
)
from vetbox.rules.patterns.ways import One, Ways, bind, in_order, when


def is_constant(node: cst.CSTNode, value: object, facts: Facts) -> bool:
    """Is it known to be this very value?"""
    known = facts.constant(node)
    return known is not UNKNOWN and type(known) is type(value) and known == value


def match_string(pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings, facts: Facts) -> Ways:
    """A text, `"..."` for any, `"$X"` for one that is bound."""
    wanted = quote_content(pattern)
    if wanted == "...":
        return when(facts.is_text(node), env)
    value = facts.constant(node)
    if not isinstance(value, str | bytes):
        return iter(())
    text = value if isinstance(value, str) else value.decode("latin-1")
    if wanted is None:
        return when(same(pattern, node), env)
    if wanted.startswith("$") and spelling.is_metavariable(wanted):
        return bind(wanted[1:], Bound(text, (node,), inner=True), env)
    return when(text_matches(wanted, text), env)


def match_formatted(
    pattern: cst.FormattedString,
    node: cst.CSTNode,
    env: Bindings,
    expression: One[cst.CSTNode],
    budget: Budget,
) -> Ways:
    """An f-string, `f"..."` for any, `f"...{$X}..."` for one with something in it."""
    if not isinstance(node, cst.FormattedString):
        return iter(())
    whole = only_text(pattern)
    if whole == "...":
        return iter((env,))
    if not any(isinstance(part, cst.FormattedStringExpression) for part in node.parts):
        return iter(())
    if whole is not None and spelling.is_metavariable(whole):
        return bind(whole[1:], Bound(text_of(node), (node,), inner=True), env)

    def part(wanted: cst.CSTNode, given: cst.CSTNode, known: Bindings) -> Ways:
        return _match_part(wanted, given, known, expression)

    return in_order(pattern.parts, node.parts, env, (part, is_text_gap), budget)


def _match_part(
    pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings, expression: One[cst.CSTNode]
) -> Ways:
    match pattern, node:
        case cst.FormattedStringText(), cst.FormattedStringText():
            return when(text_matches(pattern.value, node.value), env)
        case cst.FormattedStringExpression(), cst.FormattedStringExpression():
            return expression(pattern.expression, node.expression, env)
    return iter(())
