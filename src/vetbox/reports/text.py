"""The report for people: one block per finding with its code, then what was hidden, then a sum."""

import re
import textwrap
from collections.abc import Iterator

from vetbox.findings import Failure, Finding, Location, Severity
from vetbox.reports.escaping import visible
from vetbox.reports.frames import MIN_COLUMNS, Line, frame, last_line
from vetbox.reports.model import CheckReport
from vetbox.reports.summary import summary
from vetbox.reports.traces import trace_lines

TEXT_COLUMNS = 96
STYLED = frozenset(Severity)
SENTENCE = re.compile(r"(?<=[.!?])\s")


def render(report: CheckReport, columns: int | None = None) -> str:
    """The report without colours, for files, pipes, tests and terminals that have none."""
    lines = layout(report, columns)
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)


def layout(report: CheckReport, columns: int | None = None) -> Iterator[Line]:
    """The report line by line, each piece with the name of its style.

    Code and advice are fitted to a terminal of so many `columns`.
    """
    for finding in report.findings:
        yield from finding_block(finding, report, columns)
    for failure in report.failures:
        yield from failure_block(failure, report, columns)
    if report.suppressed:
        yield from suppressed_block(report.suppressed)
    yield from summary(report)


def finding_block(
    finding: Finding, report: CheckReport, columns: int | None = None
) -> Iterator[Line]:
    where = finding.location
    lines = report.lines(where.path)
    margin = " " * (len(str(last_line(where, lines))) + 2)
    tags = [f"CWE-{number}" for number in finding.cwe]
    tags += [finding.tool] if finding.tool != "rules" else []
    tags += [f"also {', '.join(finding.also_reported_by)}"] if finding.also_reported_by else []
    yield from headline(finding.severity, finding.code, finding.message)
    yield (
        (f"{margin}╭─ ", "gutter"),
        (place(where.path, where.line, where.column), "path"),
        ("".join(f" · {tag}" for tag in tags), "dim"),
    )
    yield from frame(where, lines, columns)
    yield from trace_lines(finding.trace, lines, margin, columns)
    rule = report.rules.get(finding.code)
    if rule is not None and rule.instead:
        yield from advice(rule.instead, margin, min(columns or TEXT_COLUMNS, TEXT_COLUMNS))
    yield ()


def headline(word: str, code: str, message: str) -> Iterator[Line]:
    """`error[eval-call] Dangerous call: eval() not allowed`, coloured by its first word."""
    style = word if word in STYLED else "error"
    yield (word, style), (f"[{code}] ", "code-name"), (visible(message), "message")


def place(path: str, line: int, column: int) -> str:
    return f"{visible(path)}:{line}:{column}"


def advice(text: str, margin: str, columns: int = TEXT_COLUMNS) -> Iterator[Line]:
    """The first sentence of what to do instead; `vetbox rules show` has the rest."""
    label = "╰─ instead: "
    first = SENTENCE.split(" ".join(text.split()), maxsplit=1)[0]
    most = max(MIN_COLUMNS, columns - len(margin + label))
    head, *rest = textwrap.wrap(first, most) or [""]
    yield (f"{margin}╰─ ", "gutter"), ("instead: ", "advice"), (head, "")
    for line in rest:
        yield ((margin + " " * len(label) + line, ""),)


def failure_block(
    failure: Failure, report: CheckReport, columns: int | None = None
) -> Iterator[Line]:
    """Why a file was not analysed, with the code where one character of it is the reason."""
    where = location_of(failure)
    lines = report.lines(failure.path) if failure.column else ()
    margin = " " * max(3, len(str(last_line(where, lines))) + 2)
    yield from headline("not analysed", failure.kind, failure.message)
    yield (f"{margin}╭─ ", "gutter"), (place(where.path, where.line, where.column), "path")
    yield from frame(where, lines, columns)
    yield ()


def location_of(failure: Failure) -> Location:
    """One character of a file that was not analysed: its first where none is to blame."""
    line, column = failure.line or 1, failure.column or 1
    return Location(failure.path, line, column, line, column + 1)


def suppressed_block(findings: tuple[Finding, ...]) -> Iterator[Line]:
    yield ((f"Suppressed by comments ({len(findings)}):", "dim"),)
    for finding in findings:
        where, comment = finding.location, finding.suppressed
        reason = f" -- {comment.reason}" if comment and comment.reason else ""
        text = f"  {place(where.path, where.line, where.column)} {finding.code}{visible(reason)}"
        yield ((text, "dim"),)
    yield ()
