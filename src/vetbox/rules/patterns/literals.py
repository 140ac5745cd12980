"""Literals of a pattern: numbers, texts and f-strings, also behind the names of constants."""

from typing import TYPE_CHECKING

import libcst as cst

from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.bindings import Bindings
from vetbox.rules.patterns.elements import Ways
from vetbox.rules.patterns.tree import same
from vetbox.rules.patterns.vocabulary import (
    UNKNOWN,
    is_text_gap,
    number,
    only_text,
    quote_content,
    text_matches,
    text_of,
)

if TYPE_CHECKING:
    from vetbox.rules.patterns.matching import Matcher


def is_constant(matcher: "Matcher", node: cst.CSTNode, value: object) -> bool:
    """Is it known to be this very value?"""
    known = matcher.facts.constant(node)
    return known is not UNKNOWN and type(known) is type(value) and known == value


def match_number(
    matcher: "Matcher", pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings
) -> Ways:
    """`1` or `-1`, also behind a name."""
    value = number(pattern)
    if value is None:
        return matcher.same_kind(pattern, node, env)
    return matcher.when(is_constant(matcher, node, value), env)


def match_string(
    matcher: "Matcher", pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings
) -> Ways:
    """A text, `"..."` for any, `"$X"` for one that is bound."""
    wanted = quote_content(pattern)
    if wanted == "...":
        return matcher.when(matcher.facts.is_text(node), env)
    value = matcher.facts.constant(node)
    if not isinstance(value, str | bytes):
        return iter(())
    text = value if isinstance(value, str) else value.decode("latin-1")
    if wanted is None:
        return matcher.when(same(pattern, node), env)
    if wanted.startswith("$") and spelling.is_metavariable(wanted):
        return matcher.bind_text(wanted[1:], text, node, env)
    return matcher.when(text_matches(wanted, text), env)


def match_formatted(
    matcher: "Matcher", pattern: cst.FormattedString, node: cst.CSTNode, env: Bindings
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
        return matcher.bind_text(whole[1:], text_of(node), node, env)

    def part(wanted: cst.CSTNode, given: cst.CSTNode, known: Bindings) -> Ways:
        return _match_part(matcher, wanted, given, known)

    return matcher.sequence(pattern.parts, node.parts, env, part, is_text_gap)


def _match_part(matcher: "Matcher", pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
    match pattern, node:
        case cst.FormattedStringText(), cst.FormattedStringText():
            return matcher.when(text_matches(pattern.value, node.value), env)
        case cst.FormattedStringExpression(), cst.FormattedStringExpression():
            return matcher.expression(pattern.expression, node.expression, env)
    return iter(())
