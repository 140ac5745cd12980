"""Reach of patterns: the words by which a match is found in a file, and how near they are."""

from collections.abc import Iterator
from typing import TypeGuard

import libcst as cst

from vetbox.rules.patterns.pattern import Pattern, Statement, words_in
from vetbox.rules.patterns.runs import is_gap_statement
from vetbox.rules.patterns.spelling import DEEP, TYPED
from vetbox.rules.patterns.tree import block_of, children, preorder
from vetbox.rules.patterns.vocabulary import dotted, metavariable


def site_words(pattern: Pattern) -> frozenset[str]:
    """The last words of its dotted names: `os.fork()` is found by `fork`, whatever os is called."""
    roots = [pattern.expression, pattern.handler, *pattern.statements]
    found = frozenset(word for root in roots if root is not None for word in _last_words(root))
    return found or pattern.words


def is_kept(pattern: Pattern) -> bool:
    """Whether all its words are in calls within it, which may have been given a name before."""
    if not is_line(pattern):
        return False
    roots = [pattern.expression, *pattern.statements]
    outer = (word for root in roots if root is not None for word in _last_words(root, calls=False))
    return not any(outer)


def is_line(pattern: Pattern) -> bool:
    """Whether all of a match is on one logical line."""
    if pattern.expression is not None:
        return True
    return len(pattern.statements) == 1 and _is_simple(pattern.statements[0])


def is_hole(pattern: Pattern) -> bool:
    """Whether it stands for anything, around a place for the file as well: `$X`."""
    return pattern.expression is not None and metavariable(pattern.expression) is not None


def is_around_on_line(pattern: Pattern) -> bool:
    """Whether a match, where it is around a place, is on one logical line with it.

    What computes something deep within may be the head of a block.
    """
    root = pattern.expression
    if root is None:
        return is_line(pattern)
    is_deep = isinstance(root, cst.Call) and not _is_call(root)
    return not is_deep and metavariable(root) is None


def is_any_block(pattern: Pattern) -> bool:
    """Whether it stands for every block of its kind: `if $X: ...`."""
    match pattern.statements:
        case [cst.If(test=test, body=body, orelse=None)]:
            return metavariable(test) is not None and all(map(is_gap_statement, block_of(body)))
    return False


def is_run(pattern: Pattern) -> bool:
    """Whether a match is of statements without blocks, with gaps between them."""
    return all(isinstance(one, cst.BaseSmallStatement) for one in pattern.statements)


def is_local(pattern: Pattern) -> bool:
    """Whether a match, and what its variables stand for, is near every site of it.

    So it is for one expression, or one statement that is no class. A run of statements may lie in
    nested blocks, far from each other; each of them must have a site of its own, none may be a gap
    or hold others.
    """
    if len(pattern.statements) < 2:  # noqa: PLR2004 - a run is of two or more
        return not any(isinstance(one, cst.ClassDef) for one in pattern.statements)
    return all(_is_simple(one) and any(_last_words(one)) for one in pattern.statements)


def has_sure_start(pattern: Pattern) -> bool:
    """Whether what a run of simple statements begins with is found by a word of its own."""
    match pattern.statements:
        case [cst.BaseSmallStatement() as first, _, *_]:
            return any(_last_words(first))
    return True


def is_together(pattern: Pattern) -> bool:
    """Whether all of a match is in the function that some statement of it is in.

    It has no gaps, in which a function may stand, and no functions.
    """
    return bool(pattern.statements) and not any(map(_is_open, preorder(pattern.statements)))


def _is_open(statement: Statement) -> bool:
    return _is_gap(statement) or isinstance(statement, (cst.FunctionDef, cst.ClassDef))


def _is_simple(statement: Statement) -> bool:
    return isinstance(statement, cst.BaseSmallStatement) and not _is_gap(statement)


def _is_gap(statement: Statement) -> bool:
    return isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Ellipsis)


def _last_words(node: cst.CSTNode, *, calls: bool = True) -> Iterator[str]:
    """Those of the calls in it as well, or only what stands outside of these."""
    if isinstance(node, cst.Attribute) and dotted(node) is not None:
        yield node.attr.value
        return
    if isinstance(node, cst.Name):
        yield from words_in(node)
        return
    typed = node.args[1] if _is_typed(node) else None
    for child in children(node):
        if child is typed or (isinstance(node, cst.Arg) and child is node.keyword):
            continue
        if calls or not _is_call(child):
            yield from _last_words(child, calls=calls)


def _is_typed(node: cst.CSTNode) -> TypeGuard[cst.Call]:
    """Is it `$X: T`, in whose place T is not written?"""
    return isinstance(node, cst.Call) and getattr(node.func, "value", None) == TYPED


def _is_call(node: cst.CSTNode) -> bool:
    """Is it one, and none of those that spell a gap?"""
    if not isinstance(node, cst.Call):
        return False
    return not (isinstance(node.func, cst.Name) and node.func.value in (DEEP, TYPED))
