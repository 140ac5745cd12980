"""Code patterns at a node, and around one; each pattern searches a block once."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import libcst as cst

from vetbox.rules.budget import Budget
from vetbox.rules.language import formula as f
from vetbox.rules.matching.facts import ResolverFacts
from vetbox.rules.patterns import Bindings, Matcher, Search, StatementMatcher
from vetbox.rules.patterns.kinds import kinds_of
from vetbox.rules.patterns.pattern import Statement, parse_pattern
from vetbox.rules.patterns.tree import block_of
from vetbox.rules.remembering import Found
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import Kinds

MATCH_STEPS = 200_000
"""Steps one pattern may take on one file; the slowest shipped rule needs under a tenth of it."""
_LABELS: Mapping[type[cst.CSTNode], str] = {
    cst.Arg: "keyword",
    cst.AsName: "name",
    cst.Attribute: "attr",
    cst.ClassDef: "name",
    cst.For: "target",
    cst.FunctionDef: "name",
    cst.ImportAlias: "name",
    cst.ImportFrom: "module",
    cst.NameItem: "item",
    cst.Param: "name",
}
_IMPORTS = (cst.ImportAlias, cst.ImportFrom)
BLOCKS = (cst.Module, cst.IndentedBlock, cst.SimpleStatementSuite)
_IS_BLOCK = Kinds(*BLOCKS)
_IS_STATEMENT = Kinds(cst.BaseSmallStatement, cst.BaseCompoundStatement)


def ways(code: f.Code, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Iterator[Bindings]:
    """Every way the code at a node matches; a run of statements is at its first one."""
    if not kinds_of(code.pattern)[type(node)]:
        return iter(())
    if env.values:
        return _ways(code, node, facts, env)
    key = "at", code, id(node)
    known: Found[Bindings] | None = facts.searches.get(key)
    if known is None:
        known = facts.searches[key] = Found(_ways(code, node, facts.weak, env))
    return iter(known)


def _ways(code: f.Code, node: cst.CSTNode, facts: Resolver, env: Bindings) -> Iterator[Bindings]:
    pattern = parse_pattern(code.pattern)
    if pattern.expression is not None:
        if isinstance(pattern.expression, cst.Name) and _is_label(node, facts):
            return
        if isinstance(pattern.expression, cst.Attribute) and _is_no_expression(node, facts):
            return
        yield from _matcher(code, facts).expression(pattern.expression, node, env)
    elif pattern.handler is not None:
        if isinstance(node, (cst.ExceptHandler, cst.ExceptStarHandler)):
            yield from StatementMatcher(_matcher(code, facts), code.nested).handler(
                pattern.handler, node, env
            )
    elif isinstance(node, cst.NamedExpr):
        if len(pattern.statements) == 1:
            matcher = _statement_matcher(code, facts)
            yield from matcher.statement(pattern.statements[0], node, env)
    else:
        yield from _runs_from(code, node, facts, env)


def _is_label(node: cst.CSTNode, facts: Resolver) -> bool:
    """Is it a name that stands for nothing by itself: an attribute's, a function's, a keyword?"""
    parent = facts.tree.parent(node) if isinstance(node, cst.Name) else None
    return parent is not None and getattr(parent, _LABELS.get(type(parent), ""), None) is node


def _is_no_expression(node: cst.CSTNode, facts: Resolver) -> bool:
    """Is it the last name of a chain, which all of that stands for, or a module's name?"""
    parent = facts.tree.parent(node)
    if isinstance(parent, cst.Attribute):
        is_last = isinstance(node, cst.Name) and parent.attr is node
        return is_last or _is_no_expression(parent, facts)
    return isinstance(parent, _IMPORTS)


def is_run(code: f.Code) -> bool:
    """Is it of several statements, which begin before a place that they are around?"""
    return len(parse_pattern(code.pattern).statements) > 1


def ways_around(
    code: f.Code, node: cst.CSTNode, facts: Resolver, env: Bindings
) -> Iterator[Bindings]:
    """Every way in which the pattern matches something that the node is part of."""
    pattern = parse_pattern(code.pattern)
    inside: cst.CSTNode = node
    for around in (node, *facts.tree.ancestors(node)):
        if pattern.statements and _IS_BLOCK[type(around)]:
            yield from _covering(code, around, inside, facts, env)
        elif not pattern.statements:
            yield from ways(code, around, facts, env)
        elif is_elif(around, facts):
            yield from _covering(code, around, around, facts, env)
        if _IS_STATEMENT[type(around)]:
            inside = around


def _matcher(code: f.Code, facts: Resolver) -> Matcher:
    known = ResolverFacts(facts, code.resolve, code.assigned, code.defaults)
    return Matcher(known, _budget(code, facts))


def _budget(code: f.Code, facts: Resolver) -> Budget:
    """One for a pattern and a module, however often it is asked."""
    budget: Budget = facts.budgets.setdefault(code.pattern, Budget(MATCH_STEPS))
    return budget


def _statement_matcher(code: f.Code, facts: Resolver) -> StatementMatcher:
    return StatementMatcher(_matcher(code, facts), code.nested)


def _runs_from(
    code: f.Code, node: cst.CSTNode, facts: Resolver, env: Bindings
) -> Iterator[Bindings]:
    block = _block_around(node, facts) if _IS_STATEMENT[type(node)] else None
    if block is not None:
        for run in _search(code, block, facts).runs_from(node):
            yield from filter(None, [env.merged(run.bindings)])


def _covering(
    code: f.Code, block: cst.CSTNode, inside: cst.CSTNode, facts: Resolver, env: Bindings
) -> Iterator[Bindings]:
    """The runs of a block that reach over one of its statements."""
    order = facts.tree.order
    here = order[id(inside)]
    budget = _budget(code, facts)
    for run in _search(code, block, facts).runs_over(inside):
        if order[id(run.first)] > here:
            return
        if here <= order[id(_direct(run.last, block, facts))]:
            budget.spend()  # a run may be around as many places as there are runs
            yield from filter(None, [env.merged(run.bindings)])


def _direct(statement: cst.CSTNode, block: cst.CSTNode, facts: Resolver) -> cst.CSTNode:
    """The statement of the block itself in which a nested one stands."""
    found = statement
    for around in chain((statement,), facts.tree.ancestors(statement)):
        if around is block:
            return found
        if _IS_STATEMENT[type(around)]:
            found = around
    return found


def _search(code: f.Code, block: cst.CSTNode, facts: Resolver) -> Search:
    """The search for a pattern in a block, with all that it has found so far."""
    key = (code, id(block))
    known: Search | None = facts.searches.get(key)
    if known is None:
        matcher = _statement_matcher(code, facts.weak)
        known = matcher.search(parse_pattern(code.pattern).statements, _statements(block))
        facts.searches[key] = known
    return known


def _statements(block: cst.CSTNode) -> Sequence[Statement]:
    if isinstance(block, cst.If):  # an `elif`, see _block_around
        return (block,)
    return block_of(block) if isinstance(block, (cst.Module, cst.BaseSuite)) else ()


def _block_around(node: cst.CSTNode, facts: Resolver) -> cst.CSTNode | None:
    """The block that a statement is in; an `elif` is alone in the `else` that it stands for."""
    if is_elif(node, facts):
        return node
    return next((a for a in facts.tree.ancestors(node) if _IS_BLOCK[type(a)]), None)


def is_elif(node: cst.CSTNode, facts: Resolver) -> bool:
    """Is it a branch that is written as a part of the one before?"""
    return isinstance(node, cst.If) and isinstance(facts.tree.parent(node), cst.If)
