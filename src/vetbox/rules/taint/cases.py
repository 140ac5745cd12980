"""Cases: what a `match` says of its subject, and the names that it binds."""

import libcst as cst

from vetbox.rules.patterns.tree import children
from vetbox.rules.taint.values import UNKNOWN, Value


def case_fits(case: cst.MatchCase, subject: Value) -> bool | None:
    """Does the case certainly fit, or certainly not? None when that is not known."""
    if case.guard is not None:
        return None
    pattern = case.pattern
    if isinstance(pattern, cst.MatchAs) and pattern.pattern is None:
        return True
    if subject.constant is UNKNOWN:
        return None
    options = (
        [element.pattern for element in pattern.patterns]
        if isinstance(pattern, cst.MatchOr)
        else [pattern]
    )
    known = [_literal(option) for option in options]
    if UNKNOWN in known:
        return None
    return subject.constant in known


def is_written_out(pattern: cst.MatchPattern) -> bool:
    """Does it fit only what the program has written down?"""
    if isinstance(pattern, cst.MatchOr):
        return all(is_written_out(option.pattern) for option in pattern.patterns)
    return _literal(pattern) is not UNKNOWN


def _literal(pattern: cst.MatchPattern) -> object:
    if isinstance(pattern, cst.MatchValue) and isinstance(
        pattern.value, (cst.SimpleString, cst.ConcatenatedString, cst.Integer, cst.Float)
    ):
        return pattern.value.evaluated_value
    return UNKNOWN


def captures(node: cst.CSTNode) -> list[str]:
    own = []
    if isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
        own.append(node.name.value)
    return own + [name for child in children(node) for name in captures(child)]
