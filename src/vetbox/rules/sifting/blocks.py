"""Blocks: what a pattern of statements says of the block that holds what matches it."""

from collections.abc import Iterator, Mapping, Set
from functools import lru_cache

import libcst as cst

from vetbox.rules.patterns import parse_pattern
from vetbox.rules.patterns.arguments import parameter_list
from vetbox.rules.patterns.vocabulary import dotted, metavariable
from vetbox.rules.resolve.canonical import CARRIED, OTHER_BUILTINS

_ELSEWHERE = CARRIED | OTHER_BUILTINS | {"builtins", "__builtins__"}
"""Modules that may go by other names."""


@lru_cache(maxsize=1_000)
def opened_by(pattern: str) -> Set[str]:
    """The words one of which begins a block that holds what is inside of a match, if that is so."""
    parsed = parse_pattern(pattern)
    kinds = [_OPENERS.get(type(statement), frozenset[str]()) for statement in parsed.statements]
    return kinds[0] if len(kinds) == 1 else frozenset()


@lru_cache(maxsize=1_000)
def words_around(pattern: str) -> Set[str]:
    """Words that have to be in a file where such statements are around something."""
    parsed = parse_pattern(pattern)
    return parsed.words - _ELSEWHERE if parsed.statements else frozenset()


@lru_cache(maxsize=1_000)
def decorated_with(pattern: str) -> Set[str]:
    """The last words of the decorators that a pattern's function or class has."""
    match parse_pattern(pattern).statements:
        case [cst.FunctionDef() | cst.ClassDef() as scope]:
            return frozenset(filter(None, map(_last_word, scope.decorators)))
    return frozenset()


def _last_word(decorator: cst.Decorator) -> str | None:
    match decorator.decorator:
        case cst.Call(func=name) | name:
            last = name.attr if isinstance(name, cst.Attribute) else name
    return last.value if isinstance(last, cst.Name) and metavariable(last) is None else None


@lru_cache(maxsize=1_000)
def parameters_of(pattern: str) -> Set[str]:
    """The metavariables that a pattern's function has for parameters."""
    match parse_pattern(pattern).statements:
        case [cst.FunctionDef(params=parameters)]:
            names = (metavariable(one.name) for one in parameter_list(parameters))
            return frozenset(filter(None, names))
    return frozenset()


@lru_cache(maxsize=1_000)
def name_of(pattern: str) -> str | None:
    """The metavariable that a pattern's function, or class, has for its name."""
    match parse_pattern(pattern).statements:
        case [cst.FunctionDef(name=name) | cst.ClassDef(name=name)]:
            return metavariable(name)
    return None


@lru_cache(maxsize=1_000)
def begun_by(pattern: str) -> str | None:
    """The last word of what a run of statements begins by calling, if it begins so."""
    match parse_pattern(pattern).statements:
        case [cst.Expr(value=cst.Call(func=func)), _, *_]:
            name = dotted(func)
            return None if name is None else name.rpartition(".")[2]
    return None


@lru_cache(maxsize=1_000)
def returns(pattern: str) -> bool:
    """Does one of a pattern's statements return something?"""
    return any(isinstance(one, cst.Return) for one in parse_pattern(pattern).statements)


@lru_cache(maxsize=1_000)
def keywords_of(pattern: str) -> Set[str]:
    """Words that stand where the first of a pattern's statements does, in the head of a block.

    What is called may stand elsewhere, behind a name.
    """
    match parse_pattern(pattern).statements:
        case [cst.If(test=test) | cst.While(test=test), *_]:
            return frozenset(_keywords(test))
        case [cst.BaseSmallStatement() as first, *_]:
            return frozenset(_keywords(first))
    return frozenset()


def _keywords(node: cst.CSTNode) -> Iterator[str]:
    if not isinstance(node, cst.Call):
        yield from _KEYWORDS.get(type(node), ())
        for child in node.children:
            yield from _keywords(child)


_KEYWORDS: Mapping[type[object], tuple[str, ...]] = {
    cst.IfExp: ("if", "else"),
    cst.In: ("in",),
    cst.NotIn: ("not", "in"),
    cst.Lambda: ("lambda",),
}
_OPENERS: Mapping[type[object], frozenset[str]] = {
    cst.Try: frozenset({"try", "except", "else", "finally"}),
    cst.If: frozenset({"if", "elif", "else"}),
    cst.For: frozenset({"for", "async", "else"}),
    cst.While: frozenset({"while", "else"}),
    cst.With: frozenset({"with", "async"}),
    cst.FunctionDef: frozenset({"def", "async", "@"}),
    cst.ClassDef: frozenset({"class", "@"}),
}
