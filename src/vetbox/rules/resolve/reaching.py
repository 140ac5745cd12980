"""Reaching definitions: which bindings of a name a use may see, in order and at branches."""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

import libcst as cst

from vetbox.late_dataclasses import dataclass
from vetbox.rules.resolve.scopes import COMPREHENSIONS, Binding, Caught, Deleted, Scope
from vetbox.rules.walk import Tree, children_of

# Asked by type: isinstance is slow on libcst's abstract classes.
_LOOPS = frozenset({cst.For, cst.While})
# A binding below one of these may not happen, or not before the use.
_UNSURE = frozenset(
    (cst.If, cst.Else, cst.For, cst.While, cst.Try, cst.TryStar, cst.ExceptHandler,
     cst.ExceptStarHandler, cst.MatchCase, cst.MatchOr, cst.With, cst.IfExp,
     cst.BooleanOperation, cst.Comparison, cst.Assert, *COMPREHENSIONS)
)  # fmt: skip
FUNCTIONS = frozenset({cst.FunctionDef, cst.Lambda})
_FORKS = frozenset(
    (cst.If, cst.IfExp, cst.While, cst.For, cst.Try, cst.TryStar, cst.Match, cst.BooleanOperation)
)


_PASSING = frozenset({Deleted, Caught})

MAX_TOLD_APART = 60
"""A name that is bound more often may be any of it, everywhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """The bindings that may hold, and whether the name may be unbound in this scope."""

    bindings: Sequence[Binding]
    maybe_unbound: bool


def reaching(tree: Tree, use: cst.CSTNode, scope: Scope, name: str, *, in_place: bool) -> Reached:
    """What a use sees of a scope's bindings; `in_place` when it runs in order with them."""
    bindings = scope.bindings[name]
    if not in_place or len(bindings) > MAX_TOLD_APART:
        return _later(tree, scope, name, bindings)
    seen = list(_seen(tree, use, bindings, _way_up(tree, use)))
    unbound = not (seen and seen[-1][1]) or any(_is_gone(tree, b, use) for b, _ in seen)
    return Reached([binding for binding, _ in seen], unbound)


def _later(tree: Tree, scope: Scope, name: str, bindings: Sequence[Binding]) -> Reached:
    """What code sees that runs when the scope's own has run: every binding."""
    known: Reached | None = scope.seen_later.get(name)
    if known is None:
        sure = any(is_sure(tree, binding, scope) for binding in bindings)
        sure = sure or _in_every_branch(tree, bindings, scope)
        deleted = any(type(binding.given) in _PASSING for binding in bindings)
        unbound = not sure or deleted or len(bindings) > MAX_TOLD_APART
        known = scope.seen_later[name] = Reached(bindings, unbound)
    return known


def _is_gone(tree: Tree, binding: Binding, use: cst.CSTNode) -> bool:
    """Has the name been taken away by the time of the use, if this has happened?"""
    if type(binding.given) is not Caught:
        return type(binding.given) is Deleted
    handler = tree.parent(tree.parent(binding.node) or binding.node)
    return all(around is not handler for around in tree.ancestors(use))


_WayUp: TypeAlias = dict[int, cst.CSTNode | None]
"""The nodes around a use by id(), each with its child on the way to the use."""


def _way_up(tree: Tree, use: cst.CSTNode) -> _WayUp:
    way: _WayUp = {id(use): None}
    parents = tree.parents
    child, above = use, parents.get(id(use))
    while above is not None:
        way[id(above)] = child
        child, above = above, parents.get(id(above))
    return way


def _seen(
    tree: Tree, use: cst.CSTNode, bindings: Sequence[Binding], above: _WayUp
) -> Iterator[tuple[Binding, bool]]:
    """From the last binding before the use backwards to one that surely happened."""
    at = tree.order[id(use)]
    ordered = sorted(bindings, key=lambda binding: tree.order[id(binding.node)], reverse=True)
    elsewhere = _in_functions(tree, ordered, above)
    for binding in ordered:
        if id(binding) in elsewhere or (
            tree.order[id(binding.node)] > at and _in_common_loop(tree, binding.node, above)
        ):
            yield binding, False
    start = 0
    for binding in ordered:
        here = tree.order[id(binding.node)]
        if here > at or binding.node is use or id(binding) in elsewhere:
            continue
        if here < start:
            return
        relation = _relation(tree, binding.node, above)
        if relation == "excluded" and not _in_common_loop(tree, binding.node, above):
            continue
        if relation == "unsure" and not start:
            start = _start_of_full_choice(tree, binding.node, above, bindings)
        yield binding, relation == "sure" or bool(start)
        if relation == "sure":
            return


def _in_functions(tree: Tree, bindings: Sequence[Binding], above: _WayUp) -> Collection[int]:
    """The bindings, by id(), that happen whenever a function is called: by `global`."""
    if not tree.by_type.get(cst.Global) and not tree.by_type.get(cst.Nonlocal):
        return ()
    return {
        id(binding)
        for binding in bindings
        if any(
            type(around) in FUNCTIONS and id(around) not in above
            for around in tree.ancestors(binding.node)
        )
    }


def _start_of_full_choice(
    tree: Tree, node: cst.CSTNode, above: _WayUp, bindings: Sequence[Binding]
) -> int:
    """Where the compound statement begins of which every branch binds the name; 0 for none."""
    whole = node
    for around in tree.ancestors(node):
        if id(around) in above:
            break
        whole = around
    nodes = {id(binding.node) for binding in bindings}
    return tree.order[id(whole)] if binds_in_every_branch(whole, nodes) else 0


def _in_every_branch(tree: Tree, bindings: Sequence[Binding], scope: Scope) -> bool:
    """Does some statement of the scope's own body bind in each of its branches?"""
    nodes = {id(binding.node) for binding in bindings}
    statements = {id(s): s for s in (_statement_of(tree, b, scope) for b in bindings) if s}
    return any(binds_in_every_branch(statement, nodes) for statement in statements.values())


def _statement_of(tree: Tree, binding: Binding, scope: Scope) -> cst.CSTNode | None:
    """The statement of the scope's body in which a binding happens."""
    body = scope.node if isinstance(scope.node, cst.Module) else getattr(scope.node, "body", None)
    child = binding.node
    for above in tree.ancestors(child):
        if above is body:
            return child
        child = above
    return None


def binds_in_every_branch(node: cst.CSTNode, nodes: set[int]) -> bool:
    """Does the statement bind one of the target nodes whatever way it takes?"""
    match node:
        case cst.If(body=body, orelse=orelse):
            return (
                orelse is not None and _binds(body, nodes) and binds_in_every_branch(orelse, nodes)
            )
        case cst.Else(body=body) | cst.Finally(body=body):
            return _binds(body, nodes)
        case cst.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            tried = _binds(body, nodes) or (orelse is not None and _binds(orelse.body, nodes))
            caught = all(_binds(h.body, nodes) or _leaves(h.body) for h in handlers)
            return (tried and caught) or (final is not None and _binds(final.body, nodes))
        case cst.FunctionDef(name=name) | cst.ClassDef(name=name):
            return id(name) in nodes
        case cst.SimpleStatementLine():
            return _holds_one(node, nodes)
        case cst.MatchPattern():
            return True  # Python sees to it that each of its alternatives binds the same names
    return False


def _binds(block: cst.Module | cst.BaseSuite, nodes: set[int]) -> bool:
    if isinstance(block, cst.SimpleStatementSuite):
        return _holds_one(block, nodes)
    return any(binds_in_every_branch(statement, nodes) for statement in block.body)


def _holds_one(statement: cst.CSTNode, nodes: set[int]) -> bool:
    stack = [statement]
    while stack:
        node = stack.pop()
        if id(node) in nodes:
            return True
        stack += [child for child in children_of(node) if not _may_be_skipped(node, child)]
    return False


def _leaves(block: cst.BaseSuite) -> bool:
    """Does the block end by leaving, so that nothing after it runs?"""
    last = block.body[-1] if block.body else None
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return isinstance(small, (cst.Raise, cst.Return, cst.Continue, cst.Break))


def _in_common_loop(tree: Tree, node: cst.CSTNode, above: _WayUp) -> bool:
    return any(type(around) in _LOOPS and id(around) in above for around in tree.ancestors(node))


def is_sure(tree: Tree, binding: Binding, scope: Scope) -> bool:
    """Does it happen whenever the scope's code has run?"""
    for node in tree.ancestors(binding.node):
        if node is scope.node:
            return True
        if type(node) in _UNSURE or type(node) in FUNCTIONS:
            return False  # in a function: bound from there, by `global`
    return False


def _relation(tree: Tree, node: cst.CSTNode, above: _WayUp) -> str:
    """sure, unsure or excluded: has the binding happened when the use runs?"""
    child, unsure = node, False
    for common in tree.ancestors(node):
        if id(common) in above:
            if type(common) not in _FORKS:
                return "unsure" if unsure else "sure"
            relation = _at_fork(common, child, above[id(common)])
            return "unsure" if unsure and relation == "sure" else relation
        unsure = unsure or _may_be_skipped(common, child)
        child = common
    return "unsure"


def _may_be_skipped(around: cst.CSTNode, child: cst.CSTNode) -> bool:
    """May the node run without the child?"""
    if type(around) in _UNSURE:
        return not _is_header(around, child)
    return type(around) in FUNCTIONS and child is around.body  # type: ignore[attr-defined]


def _is_header(node: cst.CSTNode, child: cst.CSTNode) -> bool:
    """The parts of a compound that are evaluated whenever it is reached."""
    if type(node) is cst.With:
        return child is node.items[0]  # what it gives may swallow what the others raise
    if type(node) is cst.Comparison and child is node.comparisons[0]:
        return True
    headers = (getattr(node, name, None) for name in ("test", "iter", "left"))
    return any(child is header for header in headers)


def _at_fork(common: cst.CSTNode, ours: cst.CSTNode, theirs: cst.CSTNode | None) -> str:
    """The relation of two children of one node, ours being evaluated first."""
    match common:
        case cst.If() | cst.IfExp():
            return "sure" if ours is common.test else "excluded"
        case cst.While(test=test):
            return "sure" if ours is test else "unsure"
        case cst.For(body=body, orelse=orelse):
            headed = ours is not body and ours is not orelse
            return "sure" if headed and theirs is body else "unsure"
        case cst.Try(body=body, orelse=orelse) | cst.TryStar(body=body, orelse=orelse):
            if isinstance(ours, (cst.ExceptHandler, cst.ExceptStarHandler)):
                return "excluded" if isinstance(theirs, type(ours)) else "unsure"
            return "sure" if ours is body and theirs is orelse else "unsure"
        case cst.Match():
            same_case = isinstance(ours, cst.MatchCase) and isinstance(theirs, cst.MatchCase)
            return "excluded" if same_case else "sure"
        case cst.BooleanOperation(left=left):
            return "sure" if ours is left else "unsure"
    return "sure"
