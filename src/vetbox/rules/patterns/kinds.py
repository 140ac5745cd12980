"""Kinds: the node types at which a pattern can match at all."""

from functools import lru_cache

import libcst as cst

from vetbox.rules.patterns import spelling
from vetbox.rules.patterns.pattern import parse_pattern
from vetbox.rules.patterns.statements import first_kinds
from vetbox.rules.walk import Kinds

_ANY = Kinds(cst.CSTNode)
_STATEMENTS = Kinds(cst.BaseSmallStatement, cst.BaseCompoundStatement, cst.NamedExpr)
_CALLS = Kinds(cst.Call, cst.Name)  # a variable stands for the call that it was assigned
_OPEN = frozenset(
    {cst.Name, cst.Attribute, cst.SimpleString, cst.ConcatenatedString, cst.Integer, cst.Float}
    | {cst.UnaryOperation, cst.Set, cst.Ellipsis}
)
"""Of expressions that match what is written otherwise: behind a name, `{...}` a dict, too."""


@lru_cache(maxsize=4096)
def kinds_of(text: str) -> Kinds:
    """Those at which a match of the pattern may begin."""
    pattern = parse_pattern(text)
    if pattern.handler is not None:
        return Kinds(cst.ExceptHandler, cst.ExceptStarHandler)
    if pattern.expression is None:
        first = first_kinds(pattern)
        return _STATEMENTS if first is None else Kinds(*first)
    match pattern.expression:
        case cst.Call(func=cst.Name(value=spelling.DEEP | spelling.TYPED)):
            return _ANY
        case cst.Call():
            return _CALLS
        case root if type(root) in _OPEN:
            return _ANY
        case root:
            return Kinds(type(root))
