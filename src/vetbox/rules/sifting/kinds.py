"""Kinds: the types of `ast` nodes at which a formula may hold; at others it need not be asked."""

import ast
from collections.abc import Callable, Mapping, Set
from typing import Any, TypeAlias

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.patterns import parse_pattern
from vetbox.rules.patterns.pattern import is_header
from vetbox.rules.patterns.spelling import DEEP, TYPED

Kinds: TypeAlias = Set[type[ast.AST]] | None
"""None: all there are."""

_FUNCTIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef})
_FORMS: Mapping[str, Set[type[ast.AST]]] = {
    "assign": frozenset({ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign}),
    "item": frozenset({ast.Dict, ast.Assign}),
    "keyword": frozenset({ast.keyword}),
    "default": frozenset({ast.arguments}),
    "compare": frozenset({ast.Compare}),
}
_HEADED = frozenset({*_FUNCTIONS, ast.ClassDef})
_STATED: Mapping[type[object], Set[type[ast.AST]]] = {
    cst.Assign: frozenset({ast.Assign, ast.AnnAssign, ast.NamedExpr}),
    cst.AugAssign: frozenset({ast.AugAssign}),
    cst.Return: frozenset({ast.Return}),
    cst.Raise: frozenset({ast.Raise}),
    cst.Del: frozenset({ast.Delete}),
}
_WRITTEN: Mapping[type[object], Set[type[ast.AST]]] = {
    cst.Call: frozenset({ast.Call}),
    cst.Subscript: frozenset({ast.Subscript}),
    cst.Dict: frozenset({ast.Dict}),
    cst.FormattedString: frozenset({ast.JoinedStr}),
    cst.Comparison: frozenset({ast.Compare}),
    cst.BinaryOperation: frozenset({ast.BinOp}),
}


def kinds_of(formula: f.Formula) -> Kinds:
    """No formula may hold at a node of another type (a test asks all of them)."""
    read = _READERS.get(type(formula))
    return None if read is None else read(formula)


def _of_any(formula: f.Any) -> Kinds:
    found: Set[type[ast.AST]] = frozenset()
    for part in formula.parts:
        kinds = kinds_of(part)
        if kinds is None:
            return None
        found |= kinds
    return found


def _of_all(formula: f.All) -> Kinds:
    found: Kinds = None
    for part in formula.parts:
        kinds = kinds_of(part)
        if kinds is not None:
            found = kinds if found is None else found & kinds
    return found


def _of_code(formula: f.Code) -> Kinds:
    """By the outermost part of the pattern, where it is that which the judge compares."""
    pattern = parse_pattern(formula.pattern)
    if pattern.statements:  # a run of several is at its first one
        return _HEADED if is_header(pattern) else _STATED.get(type(pattern.statements[0]))
    if formula.resolve is f.Resolve.DYNAMIC or _is_spelt(pattern.expression):
        return None
    return _WRITTEN.get(type(pattern.expression))


def _is_spelt(root: cst.BaseExpression | None) -> bool:
    """Is it a call that stands for another kind of pattern?"""
    match root:
        case cst.Call(func=cst.Name(value=word)):
            return word in (DEEP, TYPED)
    return False


def _of_attr(formula: f.Attr) -> Kinds:
    read = frozenset({ast.Attribute, ast.MatchClass})
    return read | {ast.Call} if formula.resolve is f.Resolve.DYNAMIC else read


def _of_assign(formula: f.Assign) -> Kinds:
    return frozenset(kind for form in formula.forms for kind in _FORMS[form])


_READERS: Mapping[type[object], Callable[[Any], Kinds]] = {
    f.Any: _of_any,
    f.All: _of_all,
    f.Focused: lambda formula: kinds_of(formula.part),
    f.Code: _of_code,
    f.Assign: _of_assign,
    f.Attr: _of_attr,
    f.Call: lambda _: _FUNCTIONS | {ast.Call, ast.ClassDef},
    f.String: lambda _: frozenset({ast.Constant, ast.JoinedStr}),
    f.Except: lambda _: frozenset({ast.ExceptHandler}),
    f.Import: lambda _: frozenset({ast.Call, ast.Import, ast.ImportFrom}),
    f.Identifier: lambda _: frozenset(),
    f.Assert: lambda _: frozenset({ast.Assert}),
    f.Class: lambda _: frozenset({ast.ClassDef}),
    f.Def: lambda _: _FUNCTIONS,
}
