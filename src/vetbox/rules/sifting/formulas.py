"""Formulas at the nodes of a fragment: denied only where the judge would deny them too."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from vetbox.late_dataclasses import dataclass
from vetbox.rules.fragments import identifiers
from vetbox.rules.language import formula as f
from vetbox.rules.language.doubting import split_in
from vetbox.rules.sifting.alternatives import alternatives
from vetbox.rules.sifting.arguments import Given
from vetbox.rules.sifting.around import Around, may_be_around
from vetbox.rules.sifting.assigning import given_values, kept_values, offered
from vetbox.rules.sifting.binding import captured
from vetbox.rules.sifting.callees import is_looked_up, may_be_of
from vetbox.rules.sifting.code_patterns import NO_TEXTS, Patterned
from vetbox.rules.sifting.conditions import Conditions
from vetbox.rules.sifting.contained import may_hold_within
from vetbox.rules.sifting.importing import may_import
from vetbox.rules.sifting.kinds import Kinds
from vetbox.rules.sifting.metavariable_places import begins_with, written_as
from vetbox.rules.sifting.metavariables import (
    ALONE,
    Together,
    is_spelled,
    may_agree,
    may_be_called,
    may_be_parameters,
    may_be_spelled,
    regexes_of,
    together,
)
from vetbox.rules.sifting.naming import is_called, last_of, may_access, may_be_callee

_TYPE_PARAMETERS = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple"})
_PARTIAL = "partial"
_FROM_ELSEWHERE = frozenset({"call"})  # operator.call(f, x) calls its argument


@dataclass(eq=False)
class Line:
    """The nodes of a logical line, and what the file's names may lead to.

    `renamed` are names that stand for something called otherwise, `known` all that may lead to what
    a rule looks for; `around` is what stands around the line, where that is told, and `follows`
    whether it is known of a module or builtin what stands for it, if it is not known of all.
    """

    text: str
    nodes: Sequence[ast.AST]
    conditions: Conditions
    renamed: Set[str]
    known: Set[str]
    partial: bool = False
    around: Around | None = None
    follows: Callable[[str], bool] | None = None

    @property
    def _statements(self) -> Set[int]:
        """The expressions that are statements: docstrings, and calls for what they do."""
        return {id(node.value) for node in self.nodes if isinstance(node, ast.Expr)}

    def of(self, kinds: Kinds) -> Iterable[ast.AST]:
        """The nodes of some kinds."""
        if kinds is None:
            return self.nodes
        return [node for kind in kinds for node in self._by_kind.get(kind, ())]

    @cached_property
    def _by_kind(self) -> Mapping[type[ast.AST], Sequence[ast.AST]]:
        found = defaultdict[type[ast.AST], list[ast.AST]](list)
        for node in self.nodes:
            found[type(node)].append(node)
        return found

    def may_stand(self, formula: f.Formula) -> bool:
        """May the formula hold somewhere within what is around the line, or at what is?"""
        match formula:
            case f.All(parts=parts):
                return may_be_spelled(parts, self.text) and all(map(self.may_stand, parts))
            case f.Any(parts=parts):
                return any(map(self.may_stand, parts))
            case f.Focused(part=part):
                return self.may_stand(part)
            case f.Inside():
                return self.inside(formula, None)
            case f.Code(pattern=pattern):
                return begins_with(pattern) in self.text and self._may_be_around(formula)
        return True

    def may_hold(self, formula: f.Formula, node: ast.AST) -> bool:
        check = _CHECKS.get(type(formula))
        return check is None or check(self, formula, node)

    def any_holds(self, formula: f.Any, node: ast.AST) -> bool:
        split = split_in(formula)
        if split is not None:
            return self.may_hold(split.whole, node)
        parts = alternatives(formula.parts, node, self.renamed)
        return any(self.may_hold(part, node) for part in parts)

    # Calls ------------------------------------------------------------------------------------

    def call(self, formula: f.Call, node: ast.AST) -> bool:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # A decorator has no arguments that could be asked for.
            return not formula.arguments and any(
                self._is_called(formula, decorator) for decorator in node.decorator_list
            )
        if not isinstance(node, ast.Call):
            return False
        if not self._is_called(formula, node.func) and not self._calls_argument(formula, node):
            return False
        if self.partial and getattr(node.func, "attr", _PARTIAL) == _PARTIAL:
            return True
        given = Given.of(node)
        return not any(given.surely(absent) for absent in formula.absent) and all(
            self._may_be_given(argument, condition, given)
            for argument, condition in formula.arguments
        )

    def _is_called(self, formula: f.Call, callee: ast.expr) -> bool:
        return may_be_of(formula.names, callee, self)

    def _calls_argument(self, formula: f.Call, node: ast.Call) -> bool:
        if formula.resolve is not f.Resolve.DYNAMIC or is_looked_up(node.func, self):
            return False
        last = formula.names.last_words or frozenset()
        if isinstance(node.func, ast.Call) or not _FROM_ELSEWHERE.isdisjoint(
            identifiers(node.func)
        ):
            return any(is_called(w, last) or w in self.known for w in identifiers(node))
        return False

    def _may_hold(self, condition: f.Condition, node: ast.expr) -> bool:
        return self.conditions.may_hold(condition, node)

    def _may_be_given(self, argument: f.Argument, condition: f.Condition, given: Given) -> bool:
        values = given.candidates(argument)
        return values is None or any(self._may_hold(condition, value) for value in values)

    # Assignments ------------------------------------------------------------------------------

    def assign(self, formula: f.Assign, node: ast.AST) -> bool:
        given = given_values(node, formula.forms)
        if any(self._is_given(formula, target, value) for target, value in given):
            return True
        kept = kept_values(node, formula.forms)
        return any(self._is_item(formula, key, value) for key, value in kept)

    def _is_item(self, formula: f.Assign, key: ast.expr, value: ast.expr | None) -> bool:
        texts = self.conditions.constants.of(key)
        if texts is None or isinstance(key, ast.JoinedStr):
            return self._has_value(formula, value)
        last = (text.rpartition(".")[2] for text in texts if isinstance(text, str))
        named = map(ast.Name, last)
        return any(self._is_given(formula, name, value) for name in named)

    def _is_given(self, formula: f.Assign, target: ast.expr, value: ast.expr | None) -> bool:
        key: ast.expr | None = None
        container = target
        if isinstance(target, ast.Subscript):
            container, key = target.value, target.slice
        if formula.key is not None and key is None:
            return False
        if not self._is_target(formula, container):
            return False
        if formula.key is not None and key is not None and not self._may_hold(formula.key, key):
            return False
        return self._has_value(formula, value)

    def _has_value(self, formula: f.Assign, value: ast.expr | None) -> bool:
        if formula.value is None:
            return True
        return value is not None and any(
            self._may_hold(formula.value, one) for one in offered(value)
        )

    def _is_target(self, formula: f.Assign, target: ast.expr) -> bool:
        if formula.target.regex:
            last = last_of(target)
            return last is not None and f.re2_search(formula.target.regex, last)
        wanted = formula.target.last_words
        if wanted is None:
            return True
        if isinstance(target, ast.Name) and formula.key is None:  # it is what it is called
            return is_called(target.id, wanted)
        words = identifiers(target)
        return any(
            is_called(word.rpartition(".")[2], wanted) or word in self.renamed for word in words
        )

    # What is around ---------------------------------------------------------------------------

    def inside(self, formula: f.Inside, _: ast.AST | None) -> bool:
        return self._may_be_around(formula.part)

    def _may_be_around(self, formula: f.Formula) -> bool:
        """Only of blocks, functions and classes is it known which are there."""
        assignments = self.conditions.assignments
        return self.around is None or may_be_around(formula, self.around, assignments)

    # Names ------------------------------------------------------------------------------------

    def reference(self, formula: f.Name, node: ast.AST) -> bool:
        """An expression, or a name that a pattern captures; what binds one is no reference."""
        last = formula.names.last_words
        if last is None:
            return True
        match node:
            case ast.Name() | ast.Attribute():
                return may_be_callee(formula.names, node, self.renamed, self.known)
            case ast.Call() if formula.resolve is not f.Resolve.DYNAMIC:
                return False
            case ast.Call() | ast.Subscript():
                return any(is_called(w, last) or w in self.known for w in identifiers(node))
            case ast.Constant(value=value):
                return repr(value) in last  # None, True and False are names to libcst
            case ast.pattern():
                return any(is_called(w, last) or w in self.renamed for w in captured(node))
        return type(node).__name__ in _TYPE_PARAMETERS

    # Patterns ---------------------------------------------------------------------------------

    def all_hold(self, formula: f.All, node: ast.AST) -> bool:
        """All parts; what a metavariable of the line stands for is written there, or given."""
        parts = formula.parts
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.decorator_list:
            # Another part has led to the line of the `def`, which shows no decorator.
            shown = tuple(part for part in parts if not _is_decorated(part))
            parts = shown or parts
        return self._hold_together(parts, node, ALONE)

    def _hold_together(self, parts: tuple[f.Formula, ...], node: ast.AST, outer: Together) -> bool:
        """The parts, and what is asked of their metavariables, `outer` by what they are part of."""
        asked = together(parts, outer)
        if not may_agree(asked, node, self._patterns):
            return False
        if self.around is not None and not may_be_called(asked.named, self.around):
            return False
        if not asked.wheres:
            return all(self.may_hold(part, node) for part in parts)
        if self.around is not None and not may_be_parameters(parts, asked.wheres, self.around):
            return False
        return all(self._part_holds(part, node, asked) for part in parts)

    def _part_holds(self, part: f.Formula, node: ast.AST, asked: Together) -> bool:
        match part:
            case f.Code():
                return self._holds_where(part, node, asked)
            case f.Any() if split_in(part) is None:
                parts = alternatives(part.parts, node, self.renamed)
                return any(self._part_holds(one, node, asked) for one in parts)
            case f.All(parts=parts):
                return self._hold_together(parts, node, asked)
        return self.may_hold(part, node)

    def _holds_where(self, code: f.Code, node: ast.AST, asked: Together) -> bool:
        return self._patterns.may_be(code, node, asked.texts) and all(
            self._may_meet(code, one) for one in asked.wheres
        )

    def code(self, formula: f.Code, node: ast.AST) -> bool:
        return self._patterns.may_be(formula, node, NO_TEXTS)

    @cached_property
    def _patterns(self) -> Patterned:
        return Patterned(self.conditions.constants, self.renamed, self.known)

    def _may_meet(self, code: f.Code, where: f.Where) -> bool:
        if written_as(code.pattern, where.metavariable) != "text":
            return is_spelled(code, where, self.text)
        exprs = [node for node in self.nodes if isinstance(node, ast.expr)]
        return all(any(self._may_hold(one, expr) for expr in exprs) for one in regexes_of(where))

    # The rest ---------------------------------------------------------------------------------

    def string(self, formula: f.String, node: ast.AST) -> bool:
        if not formula.docstrings and id(node) in self._statements:
            return False
        if isinstance(node, ast.Constant):
            is_text = isinstance(node.value, (str, bytes))
            return is_text and self._may_hold(formula.condition, node)
        return isinstance(node, ast.JoinedStr) and self._may_hold(formula.condition, node)

    def definition(self, formula: f.Def, node: ast.AST) -> bool:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        if formula.decorator is not None and not self._is_below(formula.decorator, node):
            return False
        if node.name == "_":  # it was made up below a decorator
            return True
        given = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
        return node.name in formula.names and formula.parameters <= given

    def _is_below(self, wanted: f.Names, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Of the decorators, only those on the line are asked: each has a line of its own."""
        assignments = self.conditions.assignments
        for decorator in node.decorator_list:
            callee = decorator.func if isinstance(decorator, ast.Call) else decorator
            if may_be_callee(wanted, callee, self.renamed, self.known):
                return True
            if isinstance(callee, ast.Name) and assignments.is_bound(callee.id):
                return True
        return False

    def handler(self, formula: f.Except, node: ast.AST) -> bool:
        return isinstance(node, ast.ExceptHandler) and not (formula.bare and node.type is not None)


def _is_decorated(part: f.Formula) -> bool:
    return isinstance(part, f.Def) and part.decorator is not None


# What is not here may hold anywhere.
_CHECKS: Mapping[type[object], Callable[[Line, Any, ast.AST], bool]] = {
    f.All: Line.all_hold,
    f.Any: Line.any_holds,
    f.Focused: lambda line, formula, node: line.may_hold(formula.part, node),
    f.Call: Line.call,
    f.Attr: lambda line, formula, node: may_access(formula, node),
    f.Inside: Line.inside,
    f.Has: lambda line, it, node: may_hold_within(it.part, node, line.conditions.assignments),
    f.Code: Line.code,
    f.Assign: Line.assign,
    f.String: Line.string,
    f.Name: Line.reference,
    f.Except: Line.handler,
    f.Import: lambda line, formula, node: may_import(formula, node, line.renamed),
    # The layout refuses files with an identifier beyond ASCII.
    f.Identifier: lambda line, formula, node: False,
    f.Assert: lambda line, formula, node: isinstance(node, ast.Assert),
    f.Class: lambda line, formula, node: isinstance(node, ast.ClassDef),
    f.Def: Line.definition,
}
