"""The matchers: does one node satisfy one structured matcher, and what is there to say of it?"""

from collections.abc import Callable, Mapping, Set

import libcst as cst

from vetbox.rules.language import formula as f
from vetbox.rules.matchers.definitions import (
    match_assert,
    match_class,
    match_decorator,
    match_def,
    match_except,
)
from vetbox.rules.matchers.references import (
    first_in,
    is_imported,
    is_reference,
    match_attr,
    match_call,
    match_import,
    match_name,
    shown_name,
)
from vetbox.rules.matchers.targets import match_assign
from vetbox.rules.matchers.texts import match_identifier, match_string, match_string_ref
from vetbox.rules.matching.match import Match
from vetbox.rules.resolve.names import Resolver

__all__ = ["KINDS", "first_in", "is_imported", "is_reference", "match_one", "shown_name"]


def match_one(matcher: f.Formula, node: cst.CSTNode, facts: Resolver) -> Match | None:
    """The match of a structured matcher at a node."""
    kind = type(matcher)
    return _MATCHERS[kind](matcher, node, facts) if type(node) in KINDS[kind] else None


_MATCHERS: Mapping[type[object], Callable[..., Match | None]] = {
    f.Call: match_call,
    f.Import: match_import,
    f.Attr: match_attr,
    f.String: match_string,
    f.StringRef: match_string_ref,
    f.Name: match_name,
    f.Assign: match_assign,
    f.Decorator: match_decorator,
    f.Def: match_def,
    f.Class: match_class,
    f.Except: match_except,
    f.Assert: match_assert,
    f.Identifier: match_identifier,
}
KINDS: Mapping[type[object], Set[type[cst.CSTNode]]] = {
    f.Call: {cst.Call, cst.Decorator},
    f.Import: {cst.Import, cst.ImportFrom, cst.Call},
    f.Attr: {cst.Attribute, cst.Call, cst.MatchKeywordElement},
    f.String: {cst.SimpleString, cst.ConcatenatedString, cst.FormattedString},
    f.StringRef: {cst.Call, cst.Subscript},
    f.Name: {cst.Name, cst.Attribute, cst.Subscript, cst.Call},
    f.Assign: {
        *(cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.AugAssign, cst.For, cst.CompFor),
        *(cst.WithItem, cst.DictElement, cst.Arg, cst.Param, cst.Comparison),
    },
    f.Decorator: {cst.Decorator},
    f.Def: {cst.FunctionDef},
    f.Class: {cst.ClassDef},
    f.Except: {cst.ExceptHandler, cst.ExceptStarHandler},
    f.Assert: {cst.Assert},
    f.Identifier: {cst.Name},
}
"""The types of nodes that each looks at."""
