"""The fix that a finding offers: what the match has in focus, or all of it, written anew."""

import libcst as cst

from vetbox.findings import Edit, Fix, Location
from vetbox.rules.fixes.imports import line_end
from vetbox.rules.fixes.rewrite import rewritten, rewritten_text
from vetbox.rules.fixes.template import in_brackets
from vetbox.rules.language.correction import Correction
from vetbox.rules.matching.coded import is_elif
from vetbox.rules.matching.formulas import match
from vetbox.rules.matching.match import Match
from vetbox.rules.resolve.names import Resolver

_HOLDERS: tuple[type[cst.CSTNode], ...] = (
    *(cst.AnnAssign, cst.Assign, cst.AugAssign, cst.Element, cst.Expr, cst.If, cst.Index),
    *(cst.Return, cst.While),
)
"""Where an expression has the place to itself."""


def mended(found: Match) -> cst.CSTNode:
    """The code that a fix is written over."""
    return found.focus or found.node


def offered(
    correction: Correction, found: Match, place: Location, facts: Resolver, file: str
) -> Fix | None:
    """What to write at the place of what is mended, or None where the rule cannot say.

    Its lines end as those of the file do: the part that was judged may have lost that.
    """
    whole = mended(found)
    if is_elif(whole, facts):
        return None  # what is written there would no longer hang on the branches before
    if correction.when is not None and match(correction.when, found.node, facts) is None:
        return None
    indent = _indent(whole, facts)
    node, newline = _bare(whole), facts.tree.module.default_newline
    text = rewritten(correction, node, found.bindings, indent=indent, newline=newline)
    if text is None:
        return None
    if node is whole and not _stands_alone(node, facts):
        text = in_brackets(node, text)
    if newline == "\n" and "\n" in text:
        text = text.replace("\n", line_end(file))
    return Fix((Edit(place, text),), correction.safety, correction.imports)


def offered_in_text(correction: Correction, text: str, place: Location) -> Fix | None:
    """What to write over a text of the file, or None where the rule cannot say."""
    new = rewritten_text(correction, text)
    return None if new is None else Fix((Edit(place, new),), correction.safety, correction.imports)


def _bare(node: cst.CSTNode) -> cst.CSTNode:
    """The expression without brackets around it, which are no part of its place."""
    if isinstance(node, cst.BaseExpression) and node.lpar:
        return node.with_changes(lpar=(), rpar=())
    return node


def _stands_alone(node: cst.CSTNode, facts: Resolver) -> bool:
    """Is there nothing beside an expression that could bind stronger than its parts?"""
    above = facts.tree.parent(node)
    if isinstance(above, cst.Arg):
        return not above.star
    return isinstance(above, _HOLDERS)


def _indent(node: cst.CSTNode, facts: Resolver) -> str:
    """The indentation of the block around a node."""
    module = facts.tree.module
    blocks = [a for a in facts.tree.ancestors(node) if isinstance(a, cst.IndentedBlock)]
    return "".join(block.indent or module.default_indent for block in reversed(blocks))
