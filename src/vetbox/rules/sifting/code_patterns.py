"""Code patterns: whether one may match at a node of a fragment, by its outermost part.

The kinds of node are those at which the judge asks for a pattern (see matching.dispatch).
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import takewhile
from typing import Any, TypeAlias

import libcst as cst

from vetbox.code.nodes import nodes_of
from vetbox.rules.filtering.relaxed_regexes import finds_words
from vetbox.rules.fragments import identifiers
from vetbox.rules.language import formula as f
from vetbox.rules.patterns import parse_pattern
from vetbox.rules.patterns.arguments import CallPattern
from vetbox.rules.patterns.pattern import is_header
from vetbox.rules.patterns.spelling import CHAIN, DEEP, TYPED
from vetbox.rules.patterns.vocabulary import gap_name, is_gap, metavariable, quote_content
from vetbox.rules.resolve.computing import WORDS
from vetbox.rules.sifting.chains import JOINED, last_word_of, may_be_chain, written_name
from vetbox.rules.sifting.metavariable_places import Assigned, is_positional
from vetbox.rules.sifting.naming import is_called
from vetbox.rules.sifting.values import ANY, Constants, decoded

_HOLE = re.compile(r"\$|\.\.\.|^=~/")
_QUOTED = re.compile(r"\$([A-Z_][A-Z0-9_]*)")
Texts: TypeAlias = Mapping[str, Sequence[str]]
"""A metavariable → regular expressions that the text it stands for has to match."""
NO_TEXTS: Texts = {}
_Check: TypeAlias = Callable[["Patterned", Any, ast.AST, Texts], bool]


class Patterned:
    """Answers for one line.

    `renamed` are names that stand for something else, `known` may lead to what a rule looks for.
    """

    def __init__(self, constants: Constants, renamed: Set[str], known: Set[str]) -> None:
        self._constants = constants
        self._renamed = renamed
        self._known = known

    def may_be(self, code: f.Code, node: ast.AST, texts: Texts) -> bool:
        """May the pattern match here, its metavariables being what is told of them?"""
        pattern = parse_pattern(code.pattern)
        if is_header(pattern):
            return isinstance(node, _DEFINITIONS)
        if pattern.statements:
            return self._may_state(pattern.statements[0], node, texts)
        if code.resolve is f.Resolve.DYNAMIC:  # behind a lookup nothing is spelt as it is meant
            return True
        return self._may_match(pattern.expression, node, texts)

    def may_be_given(self, name: str, assigned: Assigned) -> bool:
        """May a name of the line have been assigned what a pattern has for its value?"""
        assignments = self._constants.assignments
        given = assignments.anywhere(name) if assigned.anywhere else assignments.of(name)
        return (
            given is None
            or any(self._may_hold(assigned.value, one, NO_TEXTS) for one in given)
            or assignments.is_unpacked(name)
        )

    def _may_state(self, statement: cst.CSTNode, node: ast.AST, texts: Texts) -> bool:
        kind = _STATEMENTS.get(type(statement))
        if kind is not None and not isinstance(node, kind):
            return False
        match statement, node:
            case cst.Return(value=cst.BaseExpression() as wanted), ast.Return(value=value):
                if isinstance(wanted, cst.Ellipsis):
                    return True
                return value is not None and self._may_hold(wanted, value, texts)
            case cst.Assign(targets=[wanted], value=given), ast.Assign():
                return any(
                    self._may_bind(wanted.target, target, texts) and self._may_be_word(given, value)
                    for target, value in _assigned(node)
                )
            case cst.Assign(targets=[wanted], value=given), ast.AnnAssign(target=target):
                bound = self._may_bind(wanted.target, target, texts)
                return bound and self._may_be_word(given, node.value)
            case cst.AugAssign(target=wanted), ast.AugAssign(target=target):
                return self._may_bind(wanted, target, texts)
        return True

    def _may_bind(self, pattern: cst.BaseExpression, node: ast.expr, texts: Texts) -> bool:
        if isinstance(pattern, cst.Name):
            return self._is_of(pattern, node)
        return self._may_match(pattern, node, texts)

    def _may_be_word(self, pattern: cst.BaseExpression, node: ast.expr | None) -> bool:
        """May a value be the True, False or None that a pattern has for it?"""
        if not isinstance(pattern, cst.Name) or pattern.value not in WORDS or node is None:
            return True
        values = self._constants.of(node)
        return values is ANY or WORDS[pattern.value] in values

    def _may_match(self, pattern: cst.CSTNode | None, node: ast.AST, texts: Texts) -> bool:
        check = _CHECKS.get(type(pattern))
        return check is None or check(self, pattern, node, texts)

    def _may_hold(self, pattern: cst.CSTNode, node: ast.expr, texts: Texts) -> bool:
        """The same of a part of a match, where a name also stands for the call it was given."""
        match pattern:
            case cst.Call(func=cst.Name(value=word), args=[inner, *_]) if word == DEEP:
                below = (one for one in nodes_of(node) if isinstance(one, ast.expr))
                return any(self._may_hold(inner.value, one, texts) for one in below)
            case cst.Call() if isinstance(node, ast.Name):
                given = self._constants.assignments.of(node.id)
                return given is None or any(self._may_be_so(pattern, g, texts) for g in given)
        return self._may_be_so(pattern, node, texts)

    def _may_be_so(self, pattern: cst.CSTNode, node: ast.expr, texts: Texts) -> bool:
        return self._goes_by_another(pattern, node) or self._may_match(pattern, node, texts)

    def _goes_by_another(self, pattern: cst.CSTNode, node: ast.AST) -> bool:
        """May what a part of the pattern names go by another name? The root's alone is followed."""
        name = written_name(pattern.func if isinstance(pattern, cst.Call) else pattern)
        if name is None:
            return False
        if isinstance(pattern, cst.Call):
            if not isinstance(node, ast.Call):
                return False
            node = node.func
        given = self._constants.assignments.is_anything
        match node:
            case ast.Attribute(attr=last) if last != "__call__" and not is_called(
                last, last_word_of(name)
            ):
                return given(last)  # else what is before the dot is all that may be another
            case ast.Name() | ast.Attribute():
                return any(map(given, identifiers(node)))
        return isinstance(node, JOINED)

    # Names, calls and subscripts --------------------------------------------------------------

    def _name(self, root: cst.Name, node: ast.AST, texts: Texts) -> bool:
        """A metavariable that stands for a name has its text."""
        regexes = texts.get(metavariable(root) or "", ())
        match node:
            case ast.Name(id=name):
                return all(f.re2_search(regex, name) for regex in regexes)
            case ast.Attribute() | ast.Call() | ast.Subscript() | ast.BinOp():
                return not any(map(finds_words, regexes))
        return True

    def _attribute(self, root: cst.Attribute, node: ast.AST, texts: Texts) -> bool:
        return self._is_of(root, node, texts)

    def _call(self, root: cst.Call, node: ast.AST, texts: Texts) -> bool:
        if isinstance(root.func, cst.Name) and root.func.value in (DEEP, TYPED):
            return True
        if not isinstance(node, ast.Call) or not self._is_of(root.func, node.func, texts):
            return False
        if not _takes(_given_in(root), node):
            return False
        wanted = list(takewhile(is_positional, root.args))
        return len(node.args) + _unpacked(node) >= len(wanted) and all(
            self._may_say(value, argument.value, texts)
            and self._may_hold(argument.value, value, texts)
            for argument, value in zip(wanted, node.args, strict=False)
        )

    def _subscript(self, root: cst.Subscript, node: ast.AST, texts: Texts) -> bool:
        if not isinstance(node, ast.Subscript) or not self._is_of(root.value, node.value, texts):
            return False
        match root.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=wanted))]:
                return self._may_say(node.slice, wanted, texts)
        return True

    def _comparison(self, root: cst.Comparison, node: ast.AST, texts: Texts) -> bool:
        if not isinstance(node, ast.Compare) or len(node.ops) != len(root.comparisons):
            return False
        if any(
            type(op).__name__ != _OPERATORS.get(type(one.operator), type(op).__name__)
            for one, op in zip(root.comparisons, node.ops, strict=True)
        ):
            return False
        wanted = (root.left, *(one.comparator for one in root.comparisons))
        compared = zip(wanted, (node.left, *node.comparators), strict=True)
        return all(self._may_hold(pattern, one, texts) for pattern, one in compared)

    def _operation(self, root: cst.BinaryOperation, node: ast.AST, texts: Texts) -> bool:
        return (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, _BINARY.get(type(root.operator), ast.operator))
            and self._may_hold(root.left, node.left, texts)
            and self._may_hold(root.right, node.right, texts)
        )

    def _may_say(self, node: ast.expr, wanted: cst.BaseExpression, texts: Texts) -> bool:
        """May it be the text that a pattern writes as one metavariable?"""
        name = _QUOTED.fullmatch(quote_content(wanted) or "")
        if name is None:
            return True
        values = self._constants.of(node)
        return values is ANY or any(
            all(f.re2_search(regex, decoded(value)) for regex in texts.get(name[1], ()))
            for value in values
            if isinstance(value, (str, bytes))
        )

    def _is_of(self, pattern: cst.BaseExpression, node: ast.AST, texts: Texts = NO_TEXTS) -> bool:
        if not may_be_chain(pattern, node, self._renamed, self._known):
            return False
        return written_name(pattern) is not None or self._is_spelt(pattern, node, texts)

    def _is_spelt(self, pattern: cst.BaseExpression, node: ast.AST, texts: Texts) -> bool:
        """What no import names is spelt as the pattern has it, down to where its chain begins."""
        match pattern, node:
            case cst.Attribute(value=owner, attr=attr), ast.Attribute(value=of, attr=name):
                regexes = texts.get(metavariable(attr) or "", ())
                if metavariable(attr) is None and attr.value not in (name, CHAIN):
                    return False
                if not all(f.re2_search(regex, name) for regex in regexes):
                    return False
                return attr.value == CHAIN or self._is_spelt(owner, of, texts)
            case ((cst.Call() | cst.BinaryOperation() | cst.Subscript() | cst.Name()), ast.expr()):
                return self._may_hold(pattern, node, texts)
        return True

    # Displays ---------------------------------------------------------------------------------

    def _formatted(self, root: cst.FormattedString, node: ast.AST, texts: Texts) -> bool:
        return isinstance(node, ast.JoinedStr)

    def _dict(self, root: cst.Dict, node: ast.AST, texts: Texts) -> bool:
        """Every text that the pattern has for a key must be there, with what it has for it."""
        if not isinstance(node, ast.Dict):
            return False
        pairs = list(zip(node.keys, node.values, strict=True))
        return all(
            any(
                key and self._may_be_text(key, name) and self._may_be_text(value, text)
                for key, value in pairs
            )
            for name, text in _entries(root)
        )

    def _may_be_text(self, node: ast.expr, text: str | None) -> bool:
        values = self._constants.of(node)
        return text is None or values is ANY or text in values


@lru_cache(maxsize=1_000)
def _given_in(pattern: cst.Call) -> CallPattern:
    return CallPattern.of(pattern)


def _takes(pattern: CallPattern, node: ast.Call) -> bool:
    """Has the call the keywords of a pattern, and no more arguments than it leaves open?"""
    gaps = any(is_gap(one) or gap_name(one) for one in pattern.positional)
    least = len(node.args)
    if not gaps and not least <= len(pattern.positional) <= least + _unpacked(node):
        return False
    if any(one.arg is None and isinstance(one.value, ast.Dict) for one in node.keywords):
        return True  # what it spells counts as keywords
    named = [one.arg for one in node.keywords if one.arg is not None]
    asked = (name.value for name, _ in pattern.keywords if metavariable(name) is None)
    return all(name in named for name in asked) and (
        pattern.is_open or len(named) == len(pattern.keywords)
    )


def _assigned(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target with what it is given; in `a, b = c, d` both have their own."""
    for target in node.targets:
        yield target, node.value
        match target, node.value:
            case ((ast.Tuple() | ast.List()), (ast.Tuple() | ast.List())):
                yield from zip(target.elts, node.value.elts, strict=False)


def _unpacked(node: ast.Call) -> int:
    """How many `**` it has, each of which may stand where a pattern has a metavariable."""
    return sum(one.arg is None for one in node.keywords)


def _entries(root: cst.Dict) -> Iterator[tuple[str, str | None]]:
    for element in root.elements:
        if isinstance(element, cst.DictElement):
            name = _plain_text(element.key)
            if name is not None:
                yield name, _plain_text(element.value)


def _plain_text(pattern: cst.BaseExpression) -> str | None:
    text = quote_content(pattern)
    return None if text is None or _HOLE.search(text) else text


_OPERATORS: Mapping[type[object], str] = {
    cst.Equal: "Eq",
    cst.NotEqual: "NotEq",
    cst.Is: "Is",
    cst.IsNot: "IsNot",
    cst.In: "In",
    cst.NotIn: "NotIn",
    cst.LessThan: "Lt",
    cst.LessThanEqual: "LtE",
    cst.GreaterThan: "Gt",
    cst.GreaterThanEqual: "GtE",
}
_BINARY: Mapping[type[object], type[ast.operator]] = {
    cst.Add: ast.Add,
    cst.Divide: ast.Div,
    cst.Modulo: ast.Mod,
    cst.Multiply: ast.Mult,
    cst.Subtract: ast.Sub,
}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_STATEMENTS: Mapping[type[object], type[ast.AST] | tuple[type[ast.AST], ...]] = {
    cst.Assign: (ast.Assign, ast.AnnAssign, ast.NamedExpr),
    cst.AugAssign: ast.AugAssign,
    cst.Return: ast.Return,
    cst.Raise: ast.Raise,
    cst.Del: ast.Delete,
}
_CHECKS: Mapping[type[object], _Check] = {
    cst.Name: Patterned._name,
    cst.Attribute: Patterned._attribute,
    cst.Call: Patterned._call,
    cst.Subscript: Patterned._subscript,
    cst.Dict: Patterned._dict,
    cst.FormattedString: Patterned._formatted,
    cst.Comparison: Patterned._comparison,
    cst.BinaryOperation: Patterned._operation,
}
