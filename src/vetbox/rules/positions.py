"""Where nodes stand: offsets into the module's text, recorded while statements are written out."""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import accumulate, pairwise

import libcst as cst
from libcst._nodes.internal import CodegenState

from vetbox.rules.page import Span
from vetbox.rules.walk import Tree


def spans(tree: Tree, text: str, nodes: Sequence[cst.CSTNode]) -> Mapping[int, Span]:
    """The span of each node of a text's tree by its id(), without the layout around it.

    Only its statement is written out where no other reads the same, else the statement around it.
    """
    found = tree.spans
    wanted = {id(node) for node in nodes if id(node) not in found}
    for node in nodes:
        for around in _around(tree, node):
            if id(node) in found:
                break
            found |= _spans_in(around, tree, text, wanted)
    return found


def extent(node: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
    """The nodes with which code begins and ends: a definition with its first decorator, and a block
    with the last of its statements, not with the empty lines and comments behind it.
    """
    first = node.decorators[0] if isinstance(node, _DEFINITIONS) and node.decorators else node
    last = node
    while below := [part for part in last.children if isinstance(part, _OF_STATEMENTS)]:
        last = below[-1]
    return first, last


def span_over(ends: tuple[cst.CSTNode, cst.CSTNode], found: Mapping[int, Span]) -> Span:
    """From the start of one node to the end of the other."""
    first, last = ends
    return found[id(first)][0], found[id(last)][1]


def _around(tree: Tree, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The statements that a node is in, itself first if it is one, and then the module."""
    if tree.module.has_trailing_newline:  # or the last one's text is not what is written out
        for inner, outer in pairwise((node, *tree.ancestors(node))):
            if type(outer) is cst.IndentedBlock or outer is tree.module:
                yield inner
    yield tree.module


def _spans_in(around: cst.CSTNode, tree: Tree, text: str, wanted: Set[int]) -> dict[int, Span]:
    """The spans of the wanted nodes in a statement, or none where it may be another's text."""
    state = _Recorder(tree.module.default_indent, tree.module.default_newline)
    state.wanted = wanted
    state.indent_tokens = [*_indents(around, tree)][::-1]
    around._codegen(state)
    start = 0 if around is tree.module else _only_place(text, "".join(state.tokens))
    if start is None:
        return {}
    ends = [*accumulate(map(len, state.tokens), initial=start)]
    last = len(state.tokens)  # of a file without a final newline, libcst takes one token back
    return {key: (ends[first], ends[min(end, last)]) for key, (first, end) in state.found.items()}


def _indents(node: cst.CSTNode, tree: Tree) -> Iterator[str]:
    """What each block around a node adds to its indentation, innermost first."""
    for outer in tree.ancestors(node):
        if isinstance(outer, (cst.IndentedBlock, cst.Match)):
            yield tree.module.default_indent if outer.indent is None else outer.indent


def _only_place(text: str, part: str) -> int | None:
    start = text.find(part)
    return start if start >= 0 and text.find(part, start + 1) < 0 else None


class _Recorder(CodegenState):
    """Notes at which token a wanted node begins and ends."""

    wanted: Set[int]

    def __init__(self, indent: str, newline: str) -> None:
        super().__init__(default_indent=indent, default_newline=newline)
        self.found: dict[int, Span] = {}
        self.open: list[int] = []

    def before_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted:
            self.open.append(len(self.tokens))

    def after_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted:
            start = self.open.pop()
            self.found.setdefault(id(node), (start, len(self.tokens)))

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> AbstractContextManager[None]:
        return self._recorded(node) if id(node) in self.wanted else _UNRECORDED

    @contextmanager
    def _recorded(self, node: cst.CSTNode) -> Iterator[None]:
        start = len(self.tokens)
        yield
        self.found[id(node)] = (start, len(self.tokens))


_DEFINITIONS = (cst.FunctionDef, cst.ClassDef)
_OF_STATEMENTS = (
    *(cst.BaseSuite, cst.BaseCompoundStatement, cst.SimpleStatementLine, cst.Else, cst.Finally),
    *(cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase),
)
_UNRECORDED: AbstractContextManager[None] = nullcontext()
"""Shared: most nodes are not asked about."""
