"""Patterned: whether a code pattern may match at a node of a fragment, by its outermost part.

The kinds of node are those at which the judge asks for a pattern (see matching.dispatch).
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import lru_cache
from typing import Any, TypeAlias

import libcst as cst

from vetbox.lexemes import bare
from vetbox.rules.language import formula as f
from vetbox.rules.patterns import is_line, parse_pattern
from vetbox.rules.patterns.spelling import DEEP, TYPED
from vetbox.rules.patterns.vocabulary import metavariable, quote_content
from vetbox.rules.sifting.values import ANY, Constants

_HOLE = re.compile(r"\$|\.\.\.|^=~/")
_Check: TypeAlias = Callable[[Any, ast.AST, Constants, Set[str]], bool]


def may_be(code: f.Code, node: ast.AST, constants: Constants, renamed: Set[str]) -> bool:
    """May the pattern match here? `renamed` are names that stand for something else."""
    pattern = parse_pattern(code.pattern)
    if len(pattern.statements) == 1:
        kind = _STATEMENTS.get(type(pattern.statements[0]))
        return kind is None or isinstance(node, kind)
    root = pattern.expression
    check = _CHECKS.get(type(root))
    return check is None or check(root, node, constants, renamed)


@lru_cache(maxsize=1_000)
def written_as(pattern: str, name: str) -> str | None:
    """How a pattern of one line writes a metavariable: as `text` in quotes, as `code`, or not."""
    variable = re.compile(rb"\$%s\b" % re.escape(name.encode()))
    if not variable.search(pattern.encode()) or not is_line(parse_pattern(pattern)):
        return None
    code = bare(pattern.encode())
    return "code" if code is None or variable.search(code) else "text"


def _call(root: cst.Call, node: ast.AST, constants: Constants, renamed: Set[str]) -> bool:
    if isinstance(root.func, cst.Name) and root.func.value in (DEEP, TYPED):
        return True
    return isinstance(node, ast.Call) and _is_of(root.func, node.func, renamed)


def _subscript(root: cst.Subscript, node: ast.AST, constants: Constants, renamed: Set[str]) -> bool:
    return isinstance(node, ast.Subscript) and _is_of(root.value, node.value, renamed)


def _is_of(pattern: cst.BaseExpression, node: ast.expr, renamed: Set[str]) -> bool:
    """By its last word, where both have one."""
    wanted, word = _last(pattern), _word(node)
    return wanted is None or word is None or word.strip("_") == wanted.strip("_") or word in renamed


def _last(pattern: cst.BaseExpression) -> str | None:
    last = pattern.attr if isinstance(pattern, cst.Attribute) else pattern
    plain = isinstance(last, cst.Name) and metavariable(last) is None
    return last.value if isinstance(last, cst.Name) and plain else None


def _word(node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        return None if node.attr == "__call__" else node.attr
    return node.id if isinstance(node, ast.Name) else None


def _dict(root: cst.Dict, node: ast.AST, constants: Constants, renamed: Set[str]) -> bool:
    """Every text that the pattern has for a key must be there, with what it has for its value."""
    if not isinstance(node, ast.Dict):
        return False
    pairs = list(zip(node.keys, node.values, strict=True))
    return all(
        any(
            key is None or (_may_say(key, name, constants) and _may_say(value, text, constants))
            for key, value in pairs
        )
        for name, text in _entries(root)
    )


def _entries(root: cst.Dict) -> Iterator[tuple[str, str | None]]:
    for element in root.elements:
        if isinstance(element, cst.DictElement):
            name = _plain_text(element.key)
            if name is not None:
                yield name, _plain_text(element.value)


def _plain_text(pattern: cst.BaseExpression) -> str | None:
    text = quote_content(pattern)
    return None if text is None or _HOLE.search(text) else text


def _may_say(node: ast.expr, text: str | None, constants: Constants) -> bool:
    values = constants.of(node)
    return text is None or values is ANY or text in values


_STATEMENTS: Mapping[type[object], type[ast.AST]] = {
    cst.Return: ast.Return,
    cst.Raise: ast.Raise,
    cst.Del: ast.Delete,
}
_CHECKS: Mapping[type[object], _Check] = {
    cst.Call: _call,
    cst.Subscript: _subscript,
    cst.Dict: _dict,
}
