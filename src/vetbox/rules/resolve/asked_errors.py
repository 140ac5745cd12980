"""Asked errors: what an AttributeError was asked of, which it carries as its `obj`.

`try: os.nothing` lets the module out with the error, and that may go anywhere before it is asked.
"""

import re

import libcst as cst

from vetbox.rules.walk import Tree, identifier

CARRIER = "obj"
"""The attribute of an error."""
_HANDLING = frozenset(
    {"exception", "__exit__", "__aexit__", "excepthook", "return_exceptions", "exc_info"}
)
"""Words of what gets an error without a handler."""
_IN_TEXT = re.compile(rf"\b{CARRIER}\b")


def are_errors_asked(tree: Tree) -> bool:
    """May `x.obj` be of an error? Not where the program gives its own objects such an attribute."""
    if CARRIER not in tree.words or not _are_errors_handled(tree):
        return False
    named = [one for one in tree.of_type(cst.Attribute) if _is_carrier(one.attr)]  # type: ignore[attr-defined]
    return bool(named) and not (any(map(tree.is_target, named)) or _is_given(tree))


def _are_errors_handled(tree: Tree) -> bool:
    is_caught = any(tree.of_type(cst.ExceptHandler, cst.ExceptStarHandler))
    return is_caught or not tree.words.isdisjoint(_HANDLING)


def _is_given(tree: Tree) -> bool:
    """Is something made with it: `Row(obj=1)`, `obj: int` in a class, a field named in a text?"""
    if any(one.keyword and _is_carrier(one.keyword) for one in tree.of_type(cst.Arg)):  # type: ignore[attr-defined]
        return True
    if any(_IN_TEXT.search(one.value) for one in tree.of_type(cst.SimpleString)):  # type: ignore[attr-defined]
        return True
    bodies = (one.body for one in tree.of_type(cst.ClassDef))  # type: ignore[attr-defined]
    targets = (
        target
        for body in bodies
        for line in body.body
        if isinstance(line, cst.SimpleStatementLine)
        for statement in line.body
        for target in _targets(statement)
    )
    return any(isinstance(one, cst.Name) and _is_carrier(one) for one in targets)


def _targets(statement: cst.CSTNode) -> list[cst.BaseAssignTargetExpression]:
    if isinstance(statement, cst.Assign):
        return [one.target for one in statement.targets]
    return [statement.target] if isinstance(statement, cst.AnnAssign) else []


def _is_carrier(name: cst.Name) -> bool:
    return identifier(name) == CARRIER
