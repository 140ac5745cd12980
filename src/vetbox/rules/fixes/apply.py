"""Applies fixes to a file's text: each edit changes its own span and nothing else."""

import ast
import re
from bisect import bisect, insort
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from vetbox.findings import Edit, Finding, Safety
from vetbox.late_dataclasses import dataclass
from vetbox.rules.fixes.imports import with_imports

Span: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""Where an edit begins and ends, each a line and a column."""
LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line for Python's tokenizer; a form feed does not."""
MAX_ROUNDS = 10
"""Fixes that overlap wait for the next round; real files need two."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The new text, the findings that are gone, and those whose fix was not taken."""

    text: str
    applied: tuple[Finding, ...]
    refused: tuple[Finding, ...] = ()


def fixed(text: str, check: Callable[[str], Sequence[Finding]], *, unsafe: bool = False) -> Fixed:
    """The text after every fix that holds.

    A round is kept only if the new text parses and the findings it was made for are gone;
    otherwise its fixes are tried one by one and the bad ones refused. `check` names the findings
    of a text, their fixes included.
    """
    check = lru_cache(maxsize=2)(check)  # of the text and of what it may become
    applied: list[Finding] = []
    refused: list[Finding] = []
    for _ in range(MAX_ROUNDS):
        wanted = [f for f in check(text) if _allowed(f, unsafe=unsafe) and not _seen(f, refused)]
        batch = _disjoint(wanted)
        if not batch:
            break
        after = _attempt(text, batch, check)
        if after is not None:
            text = after
            applied += batch
            continue
        text, good, bad = _one_by_one(text, batch, check)
        applied += good
        refused += bad
    return Fixed(text, tuple(applied), tuple(refused))


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with each edit's span replaced; spans must not overlap."""
    starts = [0, *(found.end() for found in LINE_END.finditer(text))]
    ordered = sorted(edits, key=lambda e: (e.location.line, e.location.column), reverse=True)
    for edit in ordered:
        where = edit.location
        first = starts[where.line - 1] + where.column - 1
        last = starts[where.end_line - 1] + where.end_column - 1
        text = text[:first] + edit.text + text[last:]
    return text


def _allowed(finding: Finding, *, unsafe: bool) -> bool:
    fix = finding.fix
    return fix is not None and finding.suppressed is None and (unsafe or fix.safety is Safety.SAFE)


def _seen(finding: Finding, refused: Sequence[Finding]) -> bool:
    return any((f.code, f.source) == (finding.code, finding.source) for f in refused)


def _disjoint(findings: Iterable[Finding]) -> list[Finding]:
    """Findings whose edits do not touch each other, the first of each knot."""
    taken: list[Span] = []
    chosen = []
    for finding in findings:
        spans = [_span(edit) for edit in finding.fix.edits] if finding.fix else []
        if all(_is_free(span, taken) for span in spans):
            for span in spans:
                insort(taken, span)
            chosen.append(finding)
    return chosen


def _is_free(span: Span, taken: Sequence[Span]) -> bool:
    """`taken` is sorted and disjoint, so the neighbours tell."""
    at = bisect(taken, span)
    before, after = taken[at - 1 : at], taken[at : at + 1]
    return all(end <= span[0] for _, end in before) and all(span[1] <= o for o, _ in after)


def _span(edit: Edit) -> Span:
    where = edit.location
    return (where.line, where.column), (where.end_line, where.end_column)


def _first_span(finding: Finding) -> Span:
    return min(map(_span, finding.fix.edits)) if finding.fix else ((0, 0), (0, 0))


def _attempt(
    text: str, batch: Sequence[Finding], check: Callable[[str], Sequence[Finding]]
) -> str | None:
    """The text after the batch, or None if it does not parse or a finding stays."""
    fixes = [finding.fix for finding in batch if finding.fix is not None]
    after = with_edits(text, (edit for fix in fixes for edit in fix.edits))
    after = with_imports(after, [module for fix in fixes for module in fix.imports])
    try:
        ast.parse(after)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return after if _fewer(check(text), check(after), batch) else None


def _fewer(before: Sequence[Finding], after: Sequence[Finding], batch: Sequence[Finding]) -> bool:
    """Are there as many findings fewer of each rule as the batch was to remove, and no new ones?"""
    codes = {finding.code for finding in (*before, *after)}
    return all(_count(after, code) <= _count(before, code) - _count(batch, code) for code in codes)


def _count(findings: Sequence[Finding], code: str) -> int:
    return sum(finding.code == code for finding in findings)


def _one_by_one(
    text: str, batch: Sequence[Finding], check: Callable[[str], Sequence[Finding]]
) -> tuple[str, list[Finding], list[Finding]]:
    """From the last to the first, so that the spans of those left stay true."""
    good: list[Finding] = []
    bad: list[Finding] = []
    for finding in sorted(batch, key=_first_span, reverse=True):
        after = _attempt_without_imports(text, finding, check)
        if after is None:
            bad.append(finding)
        else:
            text = after
            good.append(finding)
    imports = [module for finding in good if finding.fix for module in finding.fix.imports]
    return with_imports(text, imports), good, bad


def _attempt_without_imports(
    text: str, finding: Finding, check: Callable[[str], Sequence[Finding]]
) -> str | None:
    after = with_edits(text, finding.fix.edits if finding.fix else ())
    try:
        ast.parse(after)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return after if _fewer(check(text), check(after), [finding]) else None
