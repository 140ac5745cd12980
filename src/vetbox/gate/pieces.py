"""Pieces: a long case taken apart, so that a mutant is run on the lines that may notice it."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from vetbox.code.source import Source
from vetbox.gate.cases import Case, Claim
from vetbox.gate.kept import KeptPiece
from vetbox.late_dataclasses import dataclass

PIECE_LINES = 16  # a shorter piece costs as much: what is read of any file then outweighs it

Span = tuple[int, int]
"""The first and the last line of a statement."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some claims of a case; `text` is the code they are about, and what is assigned right above.

    It says by its words which mutants the piece may notice: `app = FastAPI()`, then `@app.put(…)`.
    """

    case: Case
    text: str


def pieces_of(case: Case) -> Iterator[Piece]:
    """Some claims each, with the code they are about and all code that no claim is about.

    Every line stays where it is. A piece is no proof before the rule itself holds on it: what its
    claims are about may need code that is claimed elsewhere.
    """
    parts = list(_parts(case))
    lines = case.source.text.split("\n")
    for group in _groups(parts):
        left_out = [part.span for part in parts if part not in group]
        source = _blanked(case.source, left_out) if left_out else case.source
        claims = tuple(claim for part in group for claim in part.claims)
        text = "\n".join("\n".join(lines[part.first - 1 : part.span[1]]) for part in group)
        yield Piece(replace(case, source=source, claims=claims), text)


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement with claims; `first` is the first line of the assignments right above it."""

    span: Span
    first: int
    claims: tuple[Claim, ...]


def _parts(case: Case) -> Iterator[_Part]:
    above: int | None = None
    for node, span in _statements(case.source):
        claims = tuple(claim for claim in case.claims if span[0] <= claim.first <= span[1])
        if claims:
            yield _Part(span, above or span[0], claims)
            above = None
        else:
            above = (above or span[0]) if isinstance(node, ast.Assign) else None


def _statements(source: Source) -> Iterator[tuple[ast.stmt, Span]]:
    """The statements of the module, each with its decorators and the comments right above it."""
    last = 0
    for node in source.tree.body:
        end = node.end_lineno or node.lineno
        yield node, (last + 1, end)
        last = end


def _groups(parts: Sequence[_Part]) -> Iterator[list[_Part]]:
    """Neighbours together until they have the lines of a piece."""
    group: list[_Part] = []
    for part in parts:
        group.append(part)
        if sum(last - first + 1 for first, last in (one.span for one in group)) >= PIECE_LINES:
            yield group
            group = []
    if group:
        yield group


def _blanked(source: Source, spans: Sequence[Span]) -> Source:
    lines = source.text.split("\n")
    for first, last in spans:
        lines[first - 1 : last] = [""] * (last - first + 1)
    return KeptPiece.from_text("\n".join(lines), source.path)
