"""Source text of what a metavariable is bound to, without comments."""

import libcst as cst
from libcst._nodes.internal import CodegenState

from vetbox.rules.patterns.bindings import Bound
from vetbox.rules.walk import Tree

_LAYOUT = cst.Module(body=[])


def written_of(bound: Bound, tree: Tree) -> str:
    """The code as it is written; of what stands in quotes just that."""
    if bound.inner or not bound.nodes:
        return bound.text or ""
    return _code(bound, tree)


def text_of(bound: Bound, tree: Tree | None = None) -> str:
    """An identifier, a string's content, or the code as it is written."""
    return bound.text if bound.text is not None else _code(bound, tree)


def _code(bound: Bound, tree: Tree | None) -> str:
    return ", ".join(_remembered(node, tree).strip().rstrip(",") for node in bound.nodes)


def _remembered(node: cst.CSTNode, tree: Tree | None) -> str:
    """Its text; the same block is asked for at every place that a rule looks at in it."""
    if tree is None:
        return _code_alone(node)
    known = tree.written.get(node)
    if known is None:
        known = tree.written[node] = _code_alone(node)
    return known


def _code_alone(node: cst.CSTNode) -> str:
    state = CodegenState(_LAYOUT.default_indent, _LAYOUT.default_newline)
    node._codegen(state)
    return "".join(token for token in state.tokens if not token.startswith("#"))
