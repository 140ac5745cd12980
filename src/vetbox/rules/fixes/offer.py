"""The fix that a finding offers: the match's own text, written anew."""

import libcst as cst

from vetbox.findings import Edit, Fix, Location
from vetbox.rules.fixes.rewrite import rewritten
from vetbox.rules.language.correction import Correction
from vetbox.rules.matching.formulas import match
from vetbox.rules.matching.match import Match
from vetbox.rules.resolve.names import Resolver


def offered(correction: Correction, found: Match, place: Location, facts: Resolver) -> Fix | None:
    """What to write at the place of the match, or None where the rule cannot say."""
    if correction.when is not None and match(correction.when, found.node, facts) is None:
        return None
    indent = _indent(found.node, facts)
    text = rewritten(correction, _bare(found.node), found.bindings, indent=indent)
    if text is None:
        return None
    return Fix((Edit(place, text),), correction.safety, correction.imports)


def _bare(node: cst.CSTNode) -> cst.CSTNode:
    """The expression without brackets around it, which are no part of its place."""
    if isinstance(node, cst.BaseExpression) and node.lpar:
        return node.with_changes(lpar=(), rpar=())
    return node


def _indent(node: cst.CSTNode, facts: Resolver) -> str:
    """The indentation of the block around a node."""
    module = facts.tree.module
    blocks = [a for a in facts.tree.ancestors(node) if isinstance(a, cst.IndentedBlock)]
    return "".join(block.indent or module.default_indent for block in reversed(blocks))
