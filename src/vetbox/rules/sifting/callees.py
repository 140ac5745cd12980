"""Callees: whether what a line calls may be something of a name, as far as the file tells."""

import ast
from collections.abc import Callable, Set
from functools import lru_cache
from typing import Any, Protocol

from vetbox.rules.fragments import identifiers
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.assignments import NameAssignments
from vetbox.rules.sifting.conditions import Conditions
from vetbox.rules.sifting.naming import is_called, last_of, may_be_callee, may_end_so
from vetbox.rules.sifting.values import ANY

_PARTIAL = "partial"


class Line(Protocol):
    """What is known where the call stands; see `formulas.Line`."""

    conditions: Conditions
    renamed: Set[str]
    known: Set[str]
    partial: bool
    follows: Callable[[str], bool] | None


def may_be_of(names: f.Names, callee: ast.expr, line: Line) -> bool:
    """By its last word, a name that was followed, or one that nobody has followed."""
    assignments = line.conditions.assignments
    if is_looked_up(callee, line) and not _may_look_up(names, callee, line):
        return False
    if names.regex and not may_end_so(names, callee, assignments):
        return line.partial and last_of(callee) in (_PARTIAL, *line.renamed)
    if may_be_callee(names, callee, line.renamed, line.known):
        return True
    if line.follows is None or all(map(line.follows, _roots_of(names))):
        return False
    return _may_be_given_so(names, callee, assignments)


def is_looked_up(callee: ast.expr, line: Line) -> bool:
    """Is it `getattr(x, key)`, and nothing else?"""
    match callee:
        case ast.Call(func=ast.Name("getattr"), args=[base, key], keywords=[]):
            starred = isinstance(base, ast.Starred) or isinstance(key, ast.Starred)
            anything = line.conditions.assignments.is_anything("getattr")
            return not starred and "getattr" not in line.renamed and not anything
    return False


def _may_look_up(names: f.Names, callee: Any, line: Line) -> bool:
    """May the key be one that a name ends with? One that nobody knows is none to the judge."""
    last = names.last_words
    values = line.conditions.constants.of(callee.args[1])
    return (last is None or values is ANY) or any(
        isinstance(value, str) and is_called(value.rpartition(".")[2], last) for value in values
    )


@lru_cache(maxsize=1_000)
def _roots_of(names: f.Names) -> Set[str]:
    """The modules and builtins with which the names begin."""
    return frozenset(name.partition(".")[0] for name in names.exact)


def _may_be_given_so(names: f.Names, callee: ast.expr, assignments: NameAssignments) -> bool:
    """May it be called so by what the file binds, where nobody has looked what stands for names?"""
    last = names.last_words
    if last is not None and isinstance(callee, ast.Attribute) and not is_called(callee.attr, last):
        return False
    return any(map(assignments.is_bound, identifiers(callee)))
