"""Contained: whether a simple statement may hold what a rule looks for within it."""

import ast

from vetbox.code.nodes import nodes_of
from vetbox.rules.language import formula as f
from vetbox.rules.sifting.assignments import NameAssignments
from vetbox.rules.sifting.naming import may_be_named

_SIMPLE = (
    *(ast.expr, ast.keyword),
    *(ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return),
)
_REFERENCES = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)


def may_hold_within(formula: f.Formula, node: ast.AST, assignments: NameAssignments) -> bool:
    """May it hold at something inside a node? Of blocks only the first line is there."""
    match formula:
        case f.Any(parts=parts):
            return any(may_hold_within(part, node, assignments) for part in parts)
        case f.All(parts=parts):
            return all(may_hold_within(part, node, assignments) for part in parts)
        case f.Name(names=names, resolve=level) if level is not f.Resolve.DYNAMIC:
            if not isinstance(node, _SIMPLE):
                return True
            named = (part for part in nodes_of(node) if isinstance(part, _REFERENCES))
            return any(may_be_named(names, part, assignments) for part in named)
        case f.Call(names=names, resolve=level) if level is not f.Resolve.DYNAMIC:
            if not isinstance(node, _SIMPLE):
                return True
            calls = (part for part in nodes_of(node) if isinstance(part, ast.Call))
            return any(may_be_named(names, call.func, assignments) for call in calls)
    return True
