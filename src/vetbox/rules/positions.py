"""Where nodes stand: offsets into the module's text, recorded while it is written out once."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import accumulate

import libcst as cst
from libcst._nodes.internal import CodegenState

Span = tuple[int, int]
"""Offsets of the first character and of the one after the last."""


def spans(module: cst.Module, nodes: Iterable[cst.CSTNode]) -> dict[int, Span]:
    """The span of each node by its id(), without the layout around it."""
    state = _Recorder(module.default_indent, module.default_newline)
    state.wanted = {id(node) for node in nodes}
    module._codegen(state)
    ends = [0, *accumulate(map(len, state.tokens))]
    last = len(state.tokens)  # of a file without a final newline, libcst takes one token back
    return {key: (ends[start], ends[min(end, last)]) for key, (start, end) in state.found.items()}


class _Recorder(CodegenState):
    """Notes at which token a wanted node begins and ends."""

    wanted: set[int]

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


_UNRECORDED: AbstractContextManager[None] = nullcontext()
"""Shared: most nodes are not asked about."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Line starts of a text as Python counts lines: LF, CR LF, CR."""

    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "Lines":
        starts = [0]
        for index, character in enumerate(text):
            if character == "\n" or (character == "\r" and text[index + 1 : index + 2] != "\n"):
                starts.append(index + 1)
        return cls(tuple(starts))

    def place(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1
