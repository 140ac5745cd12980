"""Metavariable places: where in a code pattern they stand, and what that says of a line."""

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

import libcst as cst

from vetbox.code.lexemes import bare
from vetbox.rules.patterns import is_line, parse_pattern
from vetbox.rules.patterns.vocabulary import metavariable

_FIRST_WORDS: Mapping[type[object], str] = {
    cst.Return: "return",
    cst.Raise: "raise",
    cst.Del: "del",
}


@lru_cache(maxsize=1_000)
def written_as(pattern: str, name: str) -> str | None:
    """How a pattern of one line writes a metavariable: as `text` in quotes, as `code`, or not.

    What a call is given that is a part of the pattern may be written elsewhere, behind a name.
    """
    parsed = parse_pattern(pattern)
    if not _mention(name).search(pattern.encode()) or not is_line(parsed):
        return None
    if not is_code(pattern, name):
        return "text"
    roots = (parsed.expression,) if parsed.expression else parsed.statements
    return "code" if any(_is_at_hand(name, root, is_root=True) for root in roots) else None


@lru_cache(maxsize=1_000)
def is_code(pattern: str, name: str) -> bool:
    """Does a pattern write a metavariable outside of quotes?"""
    code = bare(pattern.encode())
    return _mention(name).search(pattern.encode() if code is None else code) is not None


def _mention(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"\$%s\b" % re.escape(name.encode()))


def _is_at_hand(name: str, node: cst.CSTNode, *, is_root: bool = False) -> bool:
    """Is the metavariable a part of the pattern that is no part of a call in it?"""
    if metavariable(node) == name:
        return True
    if isinstance(node, cst.Call) and not is_root:
        return False
    return any(_is_at_hand(name, child) for child in node.children)


@lru_cache(maxsize=1_000)
def begins_with(pattern: str) -> str:
    """The word that stands on the line of whatever matches; empty where there may be none."""
    match parse_pattern(pattern).statements:
        case [first, *_]:
            return _FIRST_WORDS.get(type(first), "")
    return ""


class Assigned(NamedTuple):
    """A metavariable, and what a pattern has for the value that it is given.

    It is given in the same block, or `anywhere` within something around it.
    """

    name: str
    value: cst.BaseExpression
    anywhere: bool


@lru_cache(maxsize=1_000)
def assigned_first(pattern: str) -> Assigned | None:
    """The metavariable to which the first of several statements, or the only one, gives a value."""
    match parse_pattern(pattern).statements:
        case [cst.Assign(targets=[cst.AssignTarget(target=target)], value=value), *more]:
            name = metavariable(target)
            return None if name is None else Assigned(name, value, anywhere=not more)
    return None


def stands_for(pattern: str, name: str, node: ast.AST) -> ast.expr | None:
    """What a metavariable of a pattern is at a node, where its place tells; None: not told."""
    match node:
        case ast.Attribute(value=value) if _is_owner(pattern, name):
            return value
        case ast.Call(args=args):
            at = _place_in_call(pattern, name)
            starred = at is None or any(isinstance(one, ast.Starred) for one in args[: at + 1])
            return None if at is None or starred or at >= len(args) else args[at]
    return None


@lru_cache(maxsize=1_000)
def _is_owner(pattern: str, name: str) -> bool:
    root = parse_pattern(pattern).expression
    return isinstance(root, cst.Attribute) and metavariable(root.value) == name


@lru_cache(maxsize=1_000)
def _place_in_call(pattern: str, name: str) -> int | None:
    call = parse_pattern(pattern).expression
    given = takewhile(is_positional, call.args) if isinstance(call, cst.Call) else ()
    places = [at for at, one in enumerate(given) if metavariable(one.value) == name]
    return places[0] if places else None


def is_positional(argument: cst.Arg) -> bool:
    """Is it one that has its place, with no gap before it?"""
    gap = isinstance(argument.value, cst.Ellipsis)
    return argument.keyword is None and not argument.star and not gap
