"""Assignments: the targets that a node assigns to, loops and context managers among them."""

import ast
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import TypeAlias

from vetbox.rules.language import formula as f
from vetbox.rules.screening.holding import TreeConditions
from vetbox.rules.screening.naming import Naming
from vetbox.rules.screening.occurrences import Occurrences
from vetbox.rules.sifting import formulas
from vetbox.rules.sifting.assigning import given_values, kept_values, parts_of

Given: TypeAlias = tuple[ast.expr, ast.expr | None]
"""A target or a key, and what goes there, where that is told."""
GivenAndKept: TypeAlias = tuple[Sequence[Given], Sequence[Given]]


class Assignments(formulas.Line):
    """The part of what is asked of nodes that is about targets."""

    conditions: TreeConditions
    _naming: Naming
    _words: Occurrences

    def assign(self, formula: f.Assign, node: ast.AST) -> bool:
        given, kept = self._targets_of(node, formula.forms)
        return any(self._is_given(formula, target, value) for target, value in given) or any(
            self._is_item(formula, key, value) for key, value in kept
        )

    def _targets_of(
        self, node: ast.AST, forms: Set[str]
    ) -> tuple[Sequence[Given], Sequence[Given]]:
        """What the node gives to targets and keeps under keys, worked out once for all rules."""
        known = self._known_targets.get((node, forms))
        if known is None:
            passed = _given_in_passing(node) if "assign" in forms else ()
            given = (*given_values(node, forms), *((target, None) for target in passed))
            known = self._known_targets[node, forms] = (given, (*kept_values(node, forms),))
        return known

    @cached_property
    def _known_targets(self) -> dict[tuple[ast.AST, Set[str]], GivenAndKept]:
        return {}

    def _is_target(self, formula: f.Assign, target: ast.expr) -> bool:
        if formula.target.regex:
            return super()._is_target(formula, target)
        if isinstance(target, ast.Name) and formula.key is None and target not in self._changed:
            return target.id in formula.target
        return self._naming.may_be(formula.target, target) or any(
            word in formula.target
            for word in (getattr(target, "id", ""), getattr(target, "attr", ""))
        )

    def _is_given(self, formula: f.Assign, target: ast.expr, value: ast.expr | None) -> bool:
        if super()._is_given(formula, target, value):
            return True
        if not isinstance(target, ast.Subscript) or formula.key is not None:
            return False
        if not isinstance(target.slice, ast.Tuple):  # of several keys none is told
            return False
        return self._is_target(formula, target) and self._has_value(formula, value)

    @cached_property
    def _changed(self) -> Set[ast.AST]:
        """The variables whose values change, in `p[0] = x` and `p += x`."""
        kinds = self._words.by_kind
        held = {node.value for node in kinds.get(ast.Subscript, ())}
        return held | {node.target for node in kinds.get(ast.AugAssign, ())}

    def _is_item(self, formula: f.Assign, key: ast.expr, value: ast.expr | None) -> bool:
        def is_target(text: str) -> bool:
            return self._is_target(formula, ast.Name(text.rpartition(".")[2]))

        return self._has_value(formula, value) and self.conditions._text(key, is_target)


def _given_in_passing(node: ast.AST) -> Iterator[ast.expr]:
    """Attributes and elements, `builtins.print` of `for builtins.print in [f]`; no variables."""
    for target in _passing_targets(node):
        for part, _ in parts_of(target, None):
            if not isinstance(part, ast.Name):
                yield part


def _passing_targets(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.For(target=target) | ast.AsyncFor(target=target):
            yield target
        case ast.With(items=items) | ast.AsyncWith(items=items):
            yield from (item.optional_vars for item in items if item.optional_vars)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from (one.target for one in node.generators)
