"""Naming: whether an expression of a fragment may stand for something of a name."""

import ast
import re
from collections.abc import Mapping, Set
from functools import lru_cache

from vetbox.rules.fragments import identifiers
from vetbox.rules.language import formula as f
from vetbox.rules.language.anchors import INDIRECTIONS
from vetbox.rules.resolve.canonical import other_homes
from vetbox.rules.resolve.homes import home_words
from vetbox.rules.sifting.assignments import NameAssignments

_PLAIN = re.compile(r"(?:(?:\[[A-Za-z0-9_-]+\]|\\w|\w)[*+?]?)+\$")
"""A regular expression of word characters up to the end."""


def may_be_named(names: f.Names, node: ast.expr, assignments: NameAssignments) -> bool:
    """By its last word, or because the file binds, returns or annotates what is written."""
    last = names.last_words
    if last is None:
        return True
    if isinstance(node, ast.Constant):
        return repr(node.value) in last  # None, True and False are names to libcst
    if isinstance(node, ast.Attribute):
        return is_called(node.attr, last) or assignments.is_member(node.attr)
    if isinstance(node, ast.Name):
        return is_called(node.id, last) or assignments.is_bound(node.id)
    words = identifiers(node)
    return any(is_called(word, last) or assignments.is_anything(word) for word in words)


def may_be_callee(names: f.Names, node: ast.expr, renamed: Set[str], known: Set[str]) -> bool:
    """By its last word, or by a word that the sites have found to lead there."""
    last = names.last_words
    if last is None:
        return True
    if isinstance(node, ast.Attribute):
        if node.attr == "__call__":
            return may_be_callee(names, node.value, renamed, known)
        called = is_called(node.attr, last) and _may_hold(node, names, renamed)
        return called or node.attr in renamed
    if isinstance(node, ast.Name):
        return is_called(node.id, last) or node.id in renamed
    return any(is_called(word, last) or word in known for word in identifiers(node))


def may_access(formula: f.Attr, node: ast.AST) -> bool:
    """May it read one of the attributes, be it by a text or in a pattern?"""
    match node:
        case ast.Attribute(attr=attr):
            return attr in formula.names
        case ast.MatchClass(kwd_attrs=attrs):
            return any(attr in formula.names for attr in attrs)
    return isinstance(node, ast.Call) and formula.resolve is f.Resolve.DYNAMIC


def may_end_so(names: f.Names, node: ast.expr, assignments: NameAssignments) -> bool:
    """Whether the last word of a callee may be the one that a regular expression ends with."""
    ending = None if names.exact or names.globs else _ending(names.regex)
    match node:
        case ast.Name(id=word) | ast.Attribute(attr=word) if ending and word == word.strip("_"):
            return (
                f.re2_search(ending, word)
                or assignments.is_bound(word)
                or assignments.is_member(word)
            )
    return True


@lru_cache(maxsize=1_000)
def _ending(regex: str) -> str | None:
    """What the last word has to match, where that is plain to see: all that follows a dot."""
    head, dot, last = regex.rpartition(r"\.")
    if not dot and _PLAIN.fullmatch(regex.removeprefix("(?i)")):
        return regex
    plain = head and _PLAIN.fullmatch(last) and not {"(", "|"} & {*head} and head[-1] != "\\"
    return rf"\A{last}" if plain else None


def _may_hold(node: ast.Attribute, names: f.Names, renamed: Set[str]) -> bool:
    """Whether what stands before the dot may be the home of what is called so."""
    homes = _homes(names).get(node.attr.strip("_"))
    if homes is None:
        return True
    return any(
        is_called(word, homes) or word in renamed or word in INDIRECTIONS
        for word in identifiers(node.value)
    )


@lru_cache(maxsize=1_000)
def _homes(names: f.Names) -> Mapping[str, Set[str]]:
    """The last words of names, each with the words before it; without what any object may have."""
    found: dict[str, set[str]] = {}
    anywhere: set[str] = set()
    for name in (*names.exact, *names.globs):
        *before, last = name.split(".")
        if any("*" in part or "?" in part for part in (*before, last)):
            anywhere.add(last.strip("_"))
        homes = set(before) or {word for home in _builtin_homes(name) for word in home.split(".")}
        homes |= home_words(name)
        found.setdefault(last.strip("_"), set()).update(homes)
    return {last: homes for last, homes in found.items() if last not in anywhere}


def _builtin_homes(name: str) -> Set[str]:
    return other_homes(name) | {"builtins", "__builtins__", "f_builtins"}


def is_called(word: str, last: Set[str]) -> bool:
    """`_os` is what a module calls its own os."""
    return word in last or word.strip("_") in last


def last_of(node: ast.expr) -> str | None:
    """The last word of a plain name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None
