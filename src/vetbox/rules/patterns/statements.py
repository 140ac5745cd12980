"""Does a statement match a pattern? Its header first, then its block."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.patterns.assignments import assignments
from vetbox.rules.patterns.bindings import Bindings, Bound
from vetbox.rules.patterns.imports import match_import, match_import_from
from vetbox.rules.patterns.matching import Matcher
from vetbox.rules.patterns.pattern import Pattern, Statement
from vetbox.rules.patterns.runs import Search, is_gap_statement
from vetbox.rules.patterns.spelling import COMPLETION
from vetbox.rules.patterns.tree import block_of
from vetbox.rules.patterns.vocabulary import is_gap, metavariable, subexpressions
from vetbox.rules.patterns.ways import Ways, bind

Trying: TypeAlias = cst.Try | cst.TryStar
Handler: TypeAlias = cst.ExceptHandler | cst.ExceptStarHandler


@dataclass(frozen=True, slots=True)
class StatementMatcher:
    """Matches statements; `expressions` matches what they hold.

    `nested`: a gap passes into definitions.
    """

    expressions: Matcher
    nested: bool = False

    def search(self, pattern: Sequence[Statement], block: Sequence[Statement]) -> Search:
        """The search for statements that follow each other in a block."""
        budget = self.expressions.budget
        return Search(self.statement, pattern, block, budget, nested=self.nested)

    def body(self, pattern: cst.BaseSuite, block: cst.BaseSuite, env: Bindings) -> Ways:
        """Is a block as the pattern's? After a gap more may follow than the pattern names."""
        return self._block(block_of(pattern), block_of(block), env)

    def _block(
        self, pattern: Sequence[Statement], block: Sequence[Statement], env: Bindings
    ) -> Ways:
        name = _any_block(pattern)
        if name is not None:
            yield from bind(name, Bound(None, tuple(block)), env)
            return
        is_whole = not any(map(is_gap_statement, pattern))
        for last, bindings in self.search(pattern, block).ways(0, 0, env):
            if not is_whole or last == len(block) - 1:
                yield bindings

    def _members(self, pattern: cst.ClassDef, node: cst.ClassDef, env: Bindings) -> Ways:
        """What a class has may stand anywhere in it."""
        wanted, given = block_of(pattern.body), block_of(node.body)
        search = Search(self.statement, wanted, given, self.expressions.budget, nested=False)
        for index in range(len(search.line)):
            for _, bindings in search.ways(0, index, env):
                yield bindings

    def statement(self, pattern: Statement, node: cst.CSTNode, env: Bindings) -> Ways:
        """Every way one statement matches."""
        matches = _STATEMENTS.get(type(pattern))
        if matches is None:
            return self.expressions.structure(pattern, node, env)
        return matches(self, pattern, node, env)

    def handler(self, pattern: Handler, node: Handler, env: Bindings) -> Ways:
        """One `except` clause: its type, its name and its block; `except ...` is any.

        One without a type, or a name, stands for itself alone.
        """
        if isinstance(pattern.type, cst.Ellipsis):
            yield from self.body(pattern.body, node.body, env)
            return
        if (pattern.type is None) != (node.type is None) or (
            pattern.name is None and node.name is not None
        ):
            return
        for typed in self.expressions.optional(pattern.type, node.type, env):
            for named in self.expressions.optional(pattern.name, node.name, typed):
                yield from self.body(pattern.body, node.body, named)

    def _expression_statement(self, pattern: cst.Expr, node: cst.CSTNode, env: Bindings) -> Ways:
        """An expression as a statement stands for any statement whose header computes it."""
        name = metavariable(pattern.value)
        if name is not None:
            found = node.value if isinstance(node, cst.Expr) else node
            yield from self.expressions.bind(name, found, env)
            return
        for part in subexpressions(node):
            yield from self.expressions.expression(pattern.value, part, env)

    def _assignment(self, pattern: cst.Assign, node: cst.CSTNode, env: Bindings) -> Ways:
        wanted = [target.target for target in pattern.targets]
        for targets, value in assignments(node, len(wanted)):
            given = zip(wanted, targets, strict=True)
            for bound in self._pairs(list(given), env):
                yield from self.expressions.expression(pattern.value, value, bound)

    def _pairs(
        self, pairs: Sequence[tuple[cst.BaseExpression, cst.BaseExpression]], env: Bindings
    ) -> Ways:
        if not pairs:
            yield env
            return
        for bound in self.expressions.expression(*pairs[0], env):
            yield from self._pairs(pairs[1:], bound)

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
            for named in self.expressions.label(pattern.name, node.name, decorated):
                for bound in self.expressions.parameters(pattern.params, node.params, named):
                    for typed in self.expressions.optional(pattern.returns, node.returns, bound):
                        yield from self.body(pattern.body, node.body, typed)

    def _class(self, pattern: cst.ClassDef, node: cst.CSTNode, env: Bindings) -> Ways:
        if not isinstance(node, cst.ClassDef):
            return
        for decorated in self._decorators(pattern.decorators, node.decorators, env):
            for named in self.expressions.label(pattern.name, node.name, decorated):
                for bound in self._bases(pattern, node, named):
                    yield from self._members(pattern, node, bound)

    def _bases(self, pattern: cst.ClassDef, node: cst.ClassDef, env: Bindings) -> Ways:
        """Each base and keyword of the pattern, in any order."""
        given = [*node.bases, *node.keywords]
        wanted = [base for base in (*pattern.bases, *pattern.keywords) if not is_gap(base)]
        return self.expressions.subset(wanted, given, env, self._base)

    def _base(self, pattern: cst.Arg, node: cst.Arg, env: Bindings) -> Ways:
        for named in self.expressions.optional(pattern.keyword, node.keyword, env):
            if pattern.keyword is not None or node.keyword is None:
                yield from self.expressions.expression(pattern.value, node.value, named)

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
            lambda p, n, e: self.expressions.expression(*_decorating(p, n), e),
        )

    def _headed(
        self,
        pattern: cst.If | cst.While | cst.For | cst.With,
        node: cst.CSTNode,
        env: Bindings,
    ) -> Ways:
        """A header and its block; an `else` only where the pattern has one."""
        if type(node) is not type(pattern) or _is_only_async(pattern, node):
            return
        for headed in self._header(pattern, node, env):
            for bound in self.body(pattern.body, node.body, headed):
                wanted = getattr(pattern, "orelse", None)
                yield from self._clause(wanted, getattr(node, "orelse", None), bound)

    def _header(self, pattern: cst.CSTNode, node: cst.CSTNode, env: Bindings) -> Ways:
        if isinstance(pattern, cst.With) and isinstance(node, cst.With):
            yield from self.expressions.subset(
                list(pattern.items), list(node.items), env, self._manager
            )
            return
        heads = [(getattr(pattern, n), getattr(node, n)) for n in _HEADERS[type(pattern)]]
        yield from self._pairs(heads, env)

    def _manager(self, pattern: cst.WithItem, node: cst.WithItem, env: Bindings) -> Ways:
        """`with $X` also stands for one with a name."""
        if metavariable(pattern.item) is not None and pattern.asname is None:
            return self.expressions.expression(pattern.item, node.item, env)
        return self.expressions.structure(pattern, node, env)

    def _clause(self, pattern: cst.CSTNode | None, node: cst.CSTNode | None, env: Bindings) -> Ways:
        if pattern is None:
            yield env
        elif isinstance(pattern, cst.If) and isinstance(node, cst.If):
            yield from self.statement(pattern, node, env)
        elif isinstance(pattern, cst.Else) and isinstance(node, cst.If):  # `elif`: in the `else`
            yield from self._block(block_of(pattern.body), (node,), env)
        elif isinstance(pattern, (cst.Else, cst.Finally)) and type(node) is type(pattern):
            yield from self.body(pattern.body, node.body, env)

    def _try(self, pattern: Trying, node: cst.CSTNode, env: Bindings) -> Ways:
        """Its block, each handler that the pattern has, and no clause that it has not."""
        if not isinstance(node, (cst.Try, cst.TryStar)) or _says_less(pattern, node):
            return
        for tried in self.body(pattern.body, node.body, env):
            wanted: list[Handler] = [*pattern.handlers]
            for handled in self.expressions.subset(wanted, [*node.handlers], tried, self.handler):
                for bound in self._clause(pattern.orelse, node.orelse, handled):
                    yield from self._clause(_real(pattern.finalbody), node.finalbody, bound)

    def _import(self, pattern: cst.Import, node: cst.CSTNode, env: Bindings) -> Ways:
        return match_import(self.expressions, pattern, node, env)

    def _import_from(self, pattern: cst.ImportFrom, node: cst.CSTNode, env: Bindings) -> Ways:
        return match_import_from(self.expressions, pattern, node, env)

    def _match(self, pattern: cst.Match, node: cst.CSTNode, env: Bindings) -> Ways:
        """Its subject, and each `case` that the pattern has, in any order."""
        if isinstance(node, cst.Match):
            for subject in self.expressions.expression(pattern.subject, node.subject, env):
                yield from self.expressions.subset(
                    list(pattern.cases), list(node.cases), subject, self._case
                )

    def _case(self, pattern: cst.MatchCase, node: cst.MatchCase, env: Bindings) -> Ways:
        for shaped in self._case_pattern(pattern.pattern, node.pattern, env):
            for guarded in self.expressions.optional(pattern.guard, node.guard, shaped):
                yield from self.body(pattern.body, node.body, guarded)

    def _case_pattern(
        self, pattern: cst.MatchPattern, node: cst.MatchPattern, env: Bindings
    ) -> Ways:
        """`case $X` stands for any."""
        match pattern:
            case cst.MatchAs(pattern=None, name=cst.Name() as name) if metavariable(name):
                return self.expressions.bind(metavariable(name) or "", _captured(node), env)
        return self.expressions.structure(pattern, node, env)

    def _scoped(self, pattern: cst.Global | cst.Nonlocal, node: cst.CSTNode, env: Bindings) -> Ways:
        """Each name of the pattern, in any order."""
        if not isinstance(node, (cst.Global, cst.Nonlocal)) or type(node) is not type(pattern):
            return iter(())
        return self.expressions.subset(
            list(pattern.names), list(node.names), env, self.expressions.structure
        )


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
    cst.TryStar: StatementMatcher._try,
    cst.Match: StatementMatcher._match,
    cst.Global: StatementMatcher._scoped,
    cst.Nonlocal: StatementMatcher._scoped,
}
_HEADERS: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.If: ("test",),
    cst.While: ("test",),
    cst.For: ("target", "iter"),
}


_ALIKE: dict[type[cst.CSTNode], tuple[type[cst.CSTNode], ...]] = {
    cst.Assign: (cst.Assign, cst.AnnAssign, cst.NamedExpr),
    cst.Import: (cst.Import, cst.ImportFrom),
    cst.ImportFrom: (cst.ImportFrom, cst.Import),
    cst.Try: (cst.Try, cst.TryStar),
    cst.TryStar: (cst.TryStar, cst.Try),
}


def first_kinds(pattern: Pattern) -> tuple[type[cst.CSTNode], ...] | None:
    """The types of statement at which a match of statements may begin; None: of any."""
    for statement in pattern.statements:
        if not is_gap_statement(statement):
            kind = type(statement)
            return None if kind is cst.Expr else _ALIKE.get(kind, (kind,))
    return None


def _any_block(pattern: Sequence[Statement]) -> str | None:
    """The name of the metavariable that a pattern has for all of a block."""
    match pattern:
        case [cst.Expr(value=value)]:
            return metavariable(value)
    return None


def _is_only_async(pattern: cst.CSTNode, node: cst.CSTNode) -> bool:
    """`async def` stands for itself, `def` for both."""
    is_async = getattr(pattern, "asynchronous", None) is not None
    return is_async and getattr(node, "asynchronous", None) is None


def _decorating(
    pattern: cst.Decorator, node: cst.Decorator
) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """What to compare: `@name(...)` also stands for `@name`, and that for `@name()`."""
    match pattern.decorator, node.decorator:
        case cst.Call(), cst.Call():
            pass
        case cst.Call(func=func, args=args), given if all(map(is_gap, args)):
            return func, given
        case wanted, cst.Call(func=func, args=[]) if metavariable(wanted) is None:
            return wanted, func
    return pattern.decorator, node.decorator


def _says_less(pattern: Trying, node: Trying) -> bool:
    clauses = (pattern.orelse, node.orelse), (pattern.finalbody, node.finalbody)
    return any(wanted is None and given is not None for wanted, given in clauses)


def _captured(node: cst.MatchPattern) -> cst.CSTNode:
    """The variable that a `case` names, or the value that it asks for, where it is one."""
    match node:
        case cst.MatchAs(pattern=None, name=cst.Name() as name):
            return name
        case cst.MatchValue(value=value):
            return value
    return node


def _real(clause: cst.Finally | None) -> cst.Finally | None:
    """None for the `finally` that completes a `try` written without clauses."""
    match clause:
        case cst.Finally(body=body) if any(map(_is_completion, block_of(body))):
            return None
    return clause


def _is_completion(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.Expr(value=cst.Name(value=name)):
            return name == COMPLETION
    return False
