"""Naming: whether an expression of a fragment may stand for something of a name."""

import ast
from collections.abc import Set

from vetbox.rules.language import formula as f
from vetbox.rules.sifting.fragments import identifiers
from vetbox.rules.sifting.givens import Givens


def may_be_named(names: f.Names, node: ast.expr, givens: Givens) -> bool:
    """By its last word, or because the file binds, returns or annotates what is written."""
    last = names.last_words
    if last is None:
        return True
    if isinstance(node, ast.Constant):
        return repr(node.value) in last  # None, True and False are names to libcst
    if isinstance(node, ast.Attribute):
        return is_called(node.attr, last) or givens.is_member(node.attr)
    if isinstance(node, ast.Name):
        return is_called(node.id, last) or givens.is_bound(node.id)
    words = identifiers(node)
    return any(is_called(word, last) or givens.is_anything(word) for word in words)


def may_be_callee(names: f.Names, node: ast.expr, renamed: Set[str], known: Set[str]) -> bool:
    """By its last word, or by a word that the sites have found to lead there."""
    last = names.last_words
    if last is None:
        return True
    if isinstance(node, ast.Attribute):
        if node.attr == "__call__":
            return may_be_callee(names, node.value, renamed, known)
        return is_called(node.attr, last) or node.attr in renamed
    if isinstance(node, ast.Name):
        return is_called(node.id, last) or node.id in renamed
    return any(is_called(word, last) or word in known for word in identifiers(node))


def is_called(word: str, last: Set[str]) -> bool:
    """`_os` is what a module calls its own os."""
    return word in last or word.strip("_") in last
