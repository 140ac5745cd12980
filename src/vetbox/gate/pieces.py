"""Pieces: a long case taken apart, so that a mutant is run on the lines that may notice it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vetbox.gate.cases import Case, Claim
from vetbox.gate.kept import Kept
from vetbox.source import Source

PIECE_LINES = 16  # a shorter piece costs as much: what is read of any file then outweighs it

Span = tuple[int, int]
"""The first and the last line of a statement."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some claims of a case; `text` is the code they are about, without what it needs around it."""

    case: Case
    text: str


def pieces_of(case: Case) -> Iterator[Piece]:
    """Some claims each, with the code they are about and all code that no claim is about.

    Every line stays where it is. A piece is no proof before the rule itself holds on it: what its
    claims are about may need code that is claimed elsewhere.
    """
    claimed, parts = [], []
    for span in _statements(case.source):
        claims = [claim for claim in case.claims if span[0] <= claim.first <= span[1]]
        if claims:
            claimed.append(span)
            parts.append((span, claims))
    lines = case.source.text.split("\n")
    for spans, claims in _groups(parts):
        left_out = [span for span in claimed if span not in spans]
        source = _blanked(case.source, left_out) if left_out else case.source
        text = "\n".join("\n".join(lines[first - 1 : last]) for first, last in spans)
        yield Piece(replace(case, source=source, claims=tuple(claims)), text)


def _statements(source: Source) -> Iterator[Span]:
    """The statements of the module, each with its decorators and the comments right above it."""
    last = 0
    for node in source.tree.body:
        end = node.end_lineno or node.lineno
        yield last + 1, end
        last = end


def _groups(
    parts: Sequence[tuple[Span, list[Claim]]],
) -> Iterator[tuple[list[Span], list[Claim]]]:
    """Neighbours together until they have the lines of a piece."""
    spans: list[Span] = []
    claims: list[Claim] = []
    for span, own in parts:
        spans.append(span)
        claims += own
        if sum(last - first + 1 for first, last in spans) >= PIECE_LINES:
            yield spans, claims
            spans, claims = [], []
    if spans:
        yield spans, claims


def _blanked(source: Source, spans: Sequence[Span]) -> Source:
    lines = source.text.split("\n")
    for first, last in spans:
        lines[first - 1 : last] = [""] * (last - first + 1)
    return Kept.from_text("\n".join(lines), source.path)
