"""Relevant parts: the expressions of a line on which the verdict of a formula depends."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, TypeGuard

from vetbox.code.nodes import nodes_of
from vetbox.late_dataclasses import dataclass
from vetbox.rules.filtering.reach import is_told_by_header
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.arguments import Given
from vetbox.rules.sifting.formulas import Line
from vetbox.rules.sifting.naming import is_called

Expressions: TypeAlias = list[ast.AST] | None
WHOLE: Final = None
"""All that is written on the line."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Answers for one line; `handed`: may a call be one of what it is given, by `operator.call`?"""

    line: Line
    handed: bool

    def binds(self, asked: Iterable[Expressions]) -> bool:
        """Does the line itself give a value to what decides: in a loop, a lambda, by `:=`?"""
        nodes = self.line.nodes
        bound = {node.id for node in nodes if _is_target(node)}
        bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        return any(word.partition(".")[0] in bound for word in _all_words(asked))

    def at(self, formula: f.Formula, node: ast.AST) -> Expressions:
        """What decides whether a formula that may hold at a node does."""
        match formula:
            case f.Any(parts=parts):
                return self._all([part for part in parts if self.line.may_hold(part, node)], node)
            case f.All(parts=parts):
                return self._all(parts, node)
            case f.Not(part=part) | f.Focused(part=part):
                return self.at(part, node)
            case f.Inside(part=part):
                is_plain = is_told_by_header(part) or not self.line.may_hold(formula, node)
                return [] if is_plain else WHOLE
            case f.Where(part=None):
                return []
            case f.Call() if isinstance(node, ast.Call):
                return self._call(formula, node)
            case f.Assign(target=f.Names(regex=regex)) if regex:
                return self._assigned(node)
            case f.Import() | f.Name() | f.Code() | f.String() | f.Assign():
                return [node]
        return WHOLE

    def _assigned(self, node: ast.AST) -> Expressions:
        """A target is asked for how it is spelled alone: the value decides."""
        match node:
            case ast.Assign(targets=[ast.Name() | ast.Attribute()], value=value):
                return [value]
            case ast.AnnAssign(target=ast.Name() | ast.Attribute(), value=ast.expr() as value):
                return [value]
        return [node]

    def _all(self, parts: Iterable[f.Formula], node: ast.AST) -> Expressions:
        found: list[ast.AST] = []
        for part in parts:
            asked = self.at(part, node)
            if asked is WHOLE:
                return WHOLE
            found += asked
        return found

    def _call(self, formula: f.Call, node: ast.Call) -> list[ast.AST]:
        """The callee, and the arguments that have to be there or must not."""
        match node.func:
            case ast.Name(id=word) | ast.Attribute(attr=word):
                pass
            case _:
                return [node]
        last = formula.names.last_words
        named = last is None or (is_called(word, last) and word not in self.line.renamed)
        if self.handed and not named:
            return [node]
        if not (formula.arguments or formula.absent or formula.no_splat):
            return [node.func]
        given = Given.of(node)
        if self.line.partial or given.splat or given.entries:
            return [node]
        values = (given.candidates(argument) or () for argument, _ in formula.arguments)
        return [node.func, *(value for some in values for value in some)]


def written(asked: Sequence[Expressions]) -> bytes | None:
    """The names and attributes of expressions, each with the name before its dot; None: all."""
    if WHOLE in asked:
        return None
    return " ".join(_all_words(asked)).encode()


def _is_target(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _all_words(asked: Iterable[Expressions]) -> set[str]:
    return {word for some in asked for node in some or () for word in _words(node)}


def _words(root: ast.AST) -> Iterator[str]:
    for node in nodes_of(root):
        match node:
            case ast.Name(id=name):
                yield name
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                yield f"{name}.{attr}"
            case ast.Attribute(attr=attr):
                yield f").{attr}"
