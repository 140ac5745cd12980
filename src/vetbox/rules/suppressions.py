"""Suppressions: comments by which the people of a code base accept a finding, of whatever tool.

    # vetbox: ignore[shell-true, B602] -- the command is a constant    (rule ids and a reason)
    # nosec            # nosec B602, B607        # nosemgrep: rule-id
    # noqa             # noqa: S602

A comment speaks for the statement it stands in, one of its own line for the statement below. A
code of ruff or bandit accepts that weakness from every tool. What is accepted stays a finding, with
`suppressed` set; a comment of ours that accepts nothing becomes one.
"""

import io
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeAlias

from vetbox.findings import Confidence, Finding, Location, Severity, Suppression
from vetbox.late_dataclasses import dataclass
from vetbox.rules.excerpt.layout import Doubt, Layout, laid_out
from vetbox.rules.language.comments import INCOMPLETE, UNKNOWN, UNUSED
from vetbox.rules.language.weaknesses import cwe_of, families, same_check
from vetbox.rules.remembering import remembered

MARKS = ("vetbox:", "nosec", "noqa", "nosemgrep")
DIRECTIVE = re.compile(
    r"""\#\s*(?:
        vetbox:\s*ignore(?P<own>\[(?P<ids>[^\]\#]*)\])?(?:\s*--\s*(?P<reason>[^\#\n]*\S))?
        |nosec\b:?(?P<bandit>[\s,]*[Bb]\d{3}(?:[\s,]+[Bb]\d{3})*\b)?
        |noqa\b(?::[\s]*(?P<ruff>[A-Za-z]+\d+(?:[\s,]+[A-Za-z]+\d+)*))?
        |nosemgrep\b(?::[ \t]*(?P<semgrep>[\w.,\- ]*[\w]))?
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_WRITTEN = [re.compile(mark.encode()) for mark in MARKS]
_HASH = re.compile(b"#")
_IN_COMMENT = b" "[0]  # in a masked text
SEPARATOR = re.compile(r"[\s,]+")
MISSPELT = 0.88  # a letter too many or too few, or two that changed places
Span: TypeAlias = tuple[int, int]
"""The first and the last physical line of a statement."""


class Text(Protocol):
    """What is needed of a source."""

    @property
    def path(self) -> str: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Directive:
    """One comment; without `codes` it accepts everything in its statement."""

    comment: str
    line: int
    column: int
    statement: Span
    own: bool
    codes: tuple[str, ...]
    reason: str | None

    @property
    def complete(self) -> bool:
        """Ours say which rule and why; the comments of other tools need not."""
        return not self.own or bool(self.codes and self.reason)

    def accepts(self, finding: Finding) -> bool:
        if not self.complete or not self._covers(finding.location):
            return False
        return not self.codes or any(_means(code, finding) for code in self.codes)

    def _covers(self, at: Location) -> bool:
        first, last = self.statement
        return first <= at.line <= last


def suppressed(
    source: Text,
    findings: Sequence[Finding],
    *,
    rules: Collection[str] = (),
    others: Collection[str] = (),
) -> list[Finding]:
    """The findings, those that a comment accepts marked.

    `rules` are the ids that were checked: a comment that names one of them in vain is reported, as
    is one that misspells one of them. `others` are ids too, of rules that nobody asked.
    """
    found = list(findings)
    lowered = source.text.lower()  # six times as fast as a search that ignores case
    if not any(mark in lowered for mark in MARKS):
        return found
    spoken = directives(source.text)
    marked = [_marked(finding, spoken) for finding in found]
    return marked + list(_useless(source.path, spoken, found, rules, others))


def _marked(finding: Finding, spoken: Sequence[Directive]) -> Finding:
    for directive in spoken:
        if directive.accepts(finding):
            why = Suppression(directive.comment, directive.line, directive.reason)
            return replace(finding, suppressed=why)
    return finding


def _means(code: str, finding: Finding) -> bool:
    """Is it this finding's code, the same check of another tool, or the weakness behind it?"""
    if same_check(code, finding.code) or code.rpartition(".")[2] == finding.code:
        return True
    cwe = cwe_of(code)
    return cwe is not None and not families([cwe]).isdisjoint(families(finding.cwe))


def _useless(
    path: str,
    spoken: Sequence[Directive],
    findings: Sequence[Finding],
    rules: Collection[str],
    others: Collection[str],
) -> Iterator[Finding]:
    """Our own comments that accept nothing, for want of a finding, a reason or the right id."""
    for directive in spoken if rules else ():
        if not directive.complete:
            sentence = "A suppression needs a rule and a reason: # vetbox: ignore[RULE] -- reason"
            yield _about(path, directive, INCOMPLETE, sentence)
            continue
        for code in directive.codes if directive.own else ():
            alone = replace(directive, codes=(code,))
            if any(map(alone.accepts, findings)):
                continue
            if code in rules:
                sentence = f"This suppression of {code} accepts nothing; remove it"
                yield _about(path, directive, UNUSED, sentence)
            elif code not in others and (meant := _meant(code, {*rules, *others})):
                sentence = f"No rule is called {code}; did you mean {meant}?"
                yield _about(path, directive, UNKNOWN, sentence)


def _meant(code: str, ids: Collection[str]) -> str | None:
    """The id that a code misspells; None where it may well be the id of a rule not loaded here."""
    import difflib

    near = difflib.get_close_matches(code, sorted(ids), n=1, cutoff=MISSPELT)
    return near[0] if near else None


def _about(path: str, directive: Directive, code: str, message: str) -> Finding:
    end = directive.column + len(directive.comment)
    return Finding(
        tool="rules",
        code=code,
        message=message,
        severity=Severity.WARNING if code == INCOMPLETE else Severity.INFO,
        location=Location(path, directive.line, directive.column, directive.line, end),
        confidence=Confidence.HIGH,
        source=directive.comment,
    )


# Text to directives ---------------------------------------------------------------------------


@remembered
def directives(text: str) -> tuple[Directive, ...]:
    """Every suppressing comment of a file, in order."""
    comments, statements = _comments_and_statements(text)
    return tuple(
        _directive(match, line, column + match.start(), _statement(line, statements))
        for line, column, comment in comments
        for match in DIRECTIVE.finditer(comment)
    )


def _directive(match: "re.Match[str]", line: int, column: int, statement: Span) -> Directive:
    listed = match["ids"] or match["bandit"] or match["ruff"] or match["semgrep"] or ""
    return Directive(
        comment=match[0].rstrip(),
        line=line,
        column=column,
        statement=statement,
        own="vetbox" in match[0][:10].lower(),
        codes=tuple(code for code in SEPARATOR.split(listed) if code),
        reason=match["reason"],
    )


def _statement(line: int, statements: Sequence[Span]) -> Span:
    """The statement a line belongs to, else the one below it."""
    index = bisect_right(statements, (line, line))
    if index and statements[index - 1][1] >= line:
        return statements[index - 1]
    return statements[index] if index < len(statements) else (line, line)


Comment: TypeAlias = tuple[int, int, str]
"""Its line, its column from 1, its text from the `#` to the end of the line."""


def _comments_and_statements(text: str) -> tuple[list[Comment], list[Span]]:
    try:
        return _by_layout(text)
    except Doubt:
        return _by_tokens(text)


def _by_layout(text: str) -> tuple[list[Comment], list[Span]]:
    """Only the comments with a mark, and the statements that they stand in or above."""
    if "\r" in text:
        raise Doubt("line ends that no layout keeps")
    layout = laid_out(text)
    comments: list[Comment] = []
    spans: set[Span] = set()
    for start in sorted(set(_marked_comments(layout))):
        row = layout.data.count(b"\n", 0, start) + 1
        before, end = layout.data.rfind(b"\n", 0, start), layout.data.find(b"\n", start)
        comments.append((row, start - before, text[start : end if end >= 0 else len(text)]))
        spans.update(_statement_at(layout, start, row))
    return comments, sorted(spans)


def _marked_comments(layout: Layout) -> Iterator[int]:
    """Where the comments begin that hold a mark."""
    lowered = layout.data.lower()
    for mark in (found for written in _WRITTEN for found in written.finditer(lowered)):
        first = lowered.rfind(b"\n", 0, mark.start()) + 1
        hashes = (found.start() for found in _HASH.finditer(lowered, first, mark.start()))
        yield from [at for at in hashes if layout.masked[at] == _IN_COMMENT][:1]


def _statement_at(layout: Layout, comment: int, row: int) -> Iterator[Span]:
    """The rows of the statement that a comment in a row stands in, or else of the one below."""
    line = layout.line_at(comment)
    if line < 0 or layout.ends[line] < comment:
        line += 1
    if line < len(layout):
        first, end = layout.starts[line], layout.ends[line]
        newlines = partial(layout.data.count, b"\n")
        row += newlines(comment, first) - newlines(first, comment)
        yield row, row + newlines(first, max(first, end - 1))


def _by_tokens(text: str) -> tuple[list[Comment], list[Span]]:
    """Slower and sure; a file that Python's tokenizer refuses has no suppressions."""
    import tokenize  # start-up budget: hardly any file needs it

    comments: list[Comment] = []
    spans: list[Span] = []
    first = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments.append((token.start[0], token.start[1] + 1, token.string))
            elif token.type == tokenize.NEWLINE:
                spans.append((first or token.start[0], token.start[0]))
                first = 0
            elif token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT) and not first:
                first = token.start[0]
    except (tokenize.TokenError, SyntaxError, ValueError):
        return [], []
    return comments, spans
