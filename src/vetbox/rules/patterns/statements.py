"""Does a statement match a pattern? Its header first, then how its block begins."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from vetbox.rules.patterns.bindings import Bindings
from vetbox.rules.patterns.matching import Matcher, Ways
from vetbox.rules.patterns.pattern import Pattern, Statement
from vetbox.rules.patterns.runs import Search, is_gap_statement
from vetbox.rules.patterns.tree import block_of, same
from vetbox.rules.patterns.vocabulary import is_gap, metavariable, subexpressions


@dataclass(frozen=True, slots=True)
class StatementMatcher:
    """Matches statements; `expressions` matches what they hold."""

    expressions: Matcher

    def body(self, pattern: cst.BaseSuite, block: cst.BaseSuite, env: Bindings) -> Ways:
        """Does a block begin like the pattern's?"""
        for _, bindings in Search(self, block_of(pattern), block_of(block)).ways(0, 0, env):
            yield bindings

    def statement(self, pattern: Statement, node: cst.CSTNode, env: Bindings) -> Ways:
        """Every way one statement matches."""
        matches = _STATEMENTS.get(type(pattern))
        if matches is None:
            return self.expressions.structure(pattern, node, env)
        return matches(self, pattern, node, env)

    def handler(self, pattern: cst.ExceptHandler, node: cst.ExceptHandler, env: Bindings) -> Ways:
        """One `except` clause: its type, its name and how its block begins.

        One without a type stands for itself alone.
        """
        if pattern.type is None and node.type is not None:
            return
        for typed in self.expressions.optional(pattern.type, node.type, env):
            for named in self.expressions.optional(pattern.name, node.name, typed):
                yield from self.body(pattern.body, node.body, named)

    def _expression_statement(self, pattern: cst.Expr, node: cst.CSTNode, env: Bindings) -> Ways:
        """An expression as a statement stands for any statement whose header computes it."""
        if metavariable(pattern.value) is not None:
            if isinstance(node, cst.Expr):
                yield from self.expressions.expression(pattern.value, node.value, env)
            return
        for part in subexpressions(node):
            yield from self.expressions.expression(pattern.value, part, env)

    def _assignment(self, pattern: cst.Assign, node: cst.CSTNode, env: Bindings) -> Ways:
        wanted = pattern.targets[0].target
        for target, value in _assignments(node):
            for bound in self.expressions.expression(wanted, target, env):
                yield from self.expressions.expression(pattern.value, value, bound)

    def _annotated(self, pattern: cst.AnnAssign, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.AnnAssign):
            return
        for target in self.expressions.expression(pattern.target, node.target, env):
            for typed in self.expressions.structure(pattern.annotation, node.annotation, target):
                yield from self.expressions.optional(pattern.value, node.value, typed)

    def _function(self, pattern: cst.FunctionDef, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.FunctionDef) or _is_only_async(pattern, node):
            return
        for decorated in self._decorators(pattern.decorators, node.decorators, env):
            for named in self.expressions.expression(pattern.name, node.name, decorated):
                for bound in self.expressions.parameters(pattern.params, node.params, named):
                    for typed in self.expressions.optional(pattern.returns, node.returns, bound):
                        yield from self.body(pattern.body, node.body, typed)

    def _class(self, pattern: cst.ClassDef, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.ClassDef):
            return
        for decorated in self._decorators(pattern.decorators, node.decorators, env):
            for named in self.expressions.expression(pattern.name, node.name, decorated):
                for bound in self._bases(pattern, node, named):
                    yield from self.body(pattern.body, node.body, bound)

    def _bases(self, pattern: cst.ClassDef, node: cst.ClassDef, env: Bindings) -> Ways:
        wanted = [base for base in pattern.bases if not isinstance(base.value, cst.Ellipsis)]
        return self.expressions.subset(
            wanted,
            list(node.bases),
            env,
            lambda p, n, e: self.expressions.expression(p.value, n.value, e),
        )

    def _decorators(
        self,
        pattern: Sequence[cst.Decorator],
        node: Sequence[cst.Decorator],
        env: Bindings,
    ) -> Ways:
        return self.expressions.subset(
            list(pattern),
            list(node),
            env,
            lambda p, n, e: self.expressions.expression(_decorating(p, n), n.decorator, e),
        )

    def _headed(
        self,
        pattern: cst.If | cst.While | cst.For | cst.With,
        node: cst.CSTNode,
        env: Bindings,
    ) -> Ways:
        """A header and how its block begins; an `else` only where the pattern has one."""
        if type(node) is not type(pattern) or _is_only_async(pattern, node):
            return
        for headed in self._header(pattern, node, env):
            for bound in self.body(pattern.body, node.body, headed):
                wanted = getattr(pattern, "orelse", None)
                yield from self._clause(wanted, getattr(node, "orelse", None), bound)

    def _header(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        if isinstance(pattern, cst.With) and isinstance(node, cst.With):
            yield from self.expressions.subset(
                list(pattern.items), list(node.items), env, self.expressions.structure
            )
            return
        yield from self._parts(pattern, node, _HEADERS[type(pattern)], env)

    def _parts(
        self, pattern: cst.CSTNode, node: cst.CSTNode, names: Sequence[str], env: Bindings
    ) -> Ways:
        if not names:
            yield env
            return
        left, right = getattr(pattern, names[0]), getattr(node, names[0])
        for bound in self.expressions.expression(left, right, env):
            yield from self._parts(pattern, node, names[1:], bound)

    def _clause(self, pattern: cst.CSTNode | None, node: cst.CSTNode | None, env: Bindings) -> Ways:
        if pattern is None:
            yield env
        elif isinstance(pattern, cst.If) and isinstance(node, cst.If):
            yield from self.statement(pattern, node, env)
        elif isinstance(pattern, (cst.Else, cst.Finally)) and type(node) is type(pattern):
            yield from self.body(pattern.body, node.body, env)

    def _try(self, pattern: cst.Try, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.Try):
            return
        for tried in self.body(pattern.body, node.body, env):
            for handled in self.expressions.subset(
                list(pattern.handlers), list(node.handlers), tried, self.handler
            ):
                for bound in self._clause(pattern.orelse, node.orelse, handled):
                    yield from self._clause(_real(pattern.finalbody), node.finalbody, bound)

    def _import(self, pattern: cst.Import, node: cst.CSTNode, env: Bindings) -> Ways:
        """`import m` also stands for `from m import …`: both load the module."""
        if isinstance(node, cst.ImportFrom) and node.module is not None and not node.relative:
            for alias in pattern.names:
                yield from self.expressions.expression(alias.name, node.module, env)
        elif isinstance(node, cst.Import):
            yield from self.expressions.subset(
                list(pattern.names), list(node.names), env, self._alias
            )

    def _import_from(self, pattern: cst.ImportFrom, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.ImportFrom) or len(pattern.relative) != len(node.relative):
            return
        for bound in self.expressions.optional(pattern.module, node.module, env):
            if isinstance(pattern.names, cst.ImportStar) or isinstance(node.names, cst.ImportStar):
                if isinstance(pattern.names, cst.ImportStar) == isinstance(
                    node.names, cst.ImportStar
                ):
                    yield bound
            else:
                yield from self.expressions.subset(
                    list(pattern.names), list(node.names), bound, self._alias
                )

    def _alias(self, pattern: cst.ImportAlias, node: cst.ImportAlias, env: Bindings) -> Ways:
        for named in self._module_name(pattern.name, node.name, env):
            if pattern.asname is None:
                yield named
            elif node.asname is not None:
                yield from self.expressions.expression(pattern.asname.name, node.asname.name, named)

    def _module_name(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        """Module names are compared as written: they are not expressions of the program."""
        name = metavariable(pattern)
        if name is not None:
            return self.expressions.bind(name, node, env)
        return iter((env,) if same(pattern, node) else ())


_STATEMENTS: dict[
    type[cst.CSTNode], Callable[[StatementMatcher, Any, cst.CSTNode, Bindings], Ways]
] = {
    cst.Expr: StatementMatcher._expression_statement,
    cst.Assign: StatementMatcher._assignment,
    cst.AnnAssign: StatementMatcher._annotated,
    cst.FunctionDef: StatementMatcher._function,
    cst.ClassDef: StatementMatcher._class,
    cst.Import: StatementMatcher._import,
    cst.ImportFrom: StatementMatcher._import_from,
    cst.If: StatementMatcher._headed,
    cst.While: StatementMatcher._headed,
    cst.For: StatementMatcher._headed,
    cst.With: StatementMatcher._headed,
    cst.Try: StatementMatcher._try,
}
_HEADERS: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.If: ("test",),
    cst.While: ("test",),
    cst.For: ("target", "iter"),
}


_ALIKE: dict[type[cst.CSTNode], tuple[type[cst.CSTNode], ...]] = {
    cst.Assign: (cst.Assign, cst.AnnAssign),
    cst.Import: (cst.Import, cst.ImportFrom),
}


def first_kinds(pattern: Pattern) -> tuple[type[cst.CSTNode], ...] | None:
    """The types of statement at which a match of statements may begin; None: of any."""
    for statement in pattern.statements:
        if not is_gap_statement(statement):
            kind = type(statement)
            return None if kind is cst.Expr else _ALIKE.get(kind, (kind,))
    return None


def _is_only_async(pattern: cst.CSTNode, node: cst.CSTNode) -> bool:
    """`async def` stands for itself, `def` for both."""
    is_async = getattr(pattern, "asynchronous", None) is not None
    return is_async and getattr(node, "asynchronous", None) is None


def _decorating(pattern: cst.Decorator, node: cst.Decorator) -> cst.BaseExpression:
    """`@name(...)` also stands for `@name`, which is given nothing."""
    match pattern.decorator:
        case cst.Call(func=func, args=args) if not isinstance(node.decorator, cst.Call):
            return func if args and all(map(is_gap, args)) else pattern.decorator
    return pattern.decorator


def _real(clause: cst.Finally | None) -> cst.Finally | None:
    """None for the `finally: ...` that completes a `try` written without clauses."""
    if clause is not None and all(map(is_gap_statement, block_of(clause.body))):
        return None
    return clause


def _assignments(
    node: cst.CSTNode,
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    match node:
        case cst.Assign():
            yield from ((target.target, node.value) for target in node.targets)
        case cst.AnnAssign(value=cst.BaseExpression() as value):
            yield node.target, value
