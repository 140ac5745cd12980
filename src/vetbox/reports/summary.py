"""The last lines of the text report: the sum, and what it leaves out."""

from collections.abc import Iterator

from vetbox.counting import counted
from vetbox.findings import Severity
from vetbox.reports.frames import Line
from vetbox.reports.model import CheckReport


def summary(report: CheckReport) -> Iterator[Line]:
    if report.clean and not report.files:
        yield (("No Python files to check.", "message"),)
    elif report.clean:
        yield ("✓ ", "good"), (f"No findings in {counted(report.files, 'file')}.", "message")
    else:
        yield ("✗ ", "error"), (totals(report), "message")
    notes = [
        *hidden(report),
        *(f"{counted(n, 'file')} skipped: {why}" for why, n in report.skipped.items() if n),
    ]
    for note in notes:
        yield ((f"  {note}", "dim"),)


def totals(report: CheckReport) -> str:
    """`2 errors and 1 warning in 2 of 7 files; 1 file could not be analysed.`"""
    parts = [counted(report.count(level), str(level)) for level in Severity if report.count(level)]
    files = len({finding.location.path for finding in report.findings})
    text = f"{joined(parts)} in {files} of {counted(report.files, 'file')}" if parts else ""
    broken = (
        f"{counted(len(report.failures), 'file')} could not be analysed" if report.failures else ""
    )
    return "; ".join(filter(None, (text, broken))) + "."


def hidden(report: CheckReport) -> Iterator[str]:
    if report.suppressed:
        yield f"{counted(len(report.suppressed), 'finding')} suppressed by comments"
    if report.accepted:
        yield f"{counted(len(report.accepted), 'finding')} accepted by the baseline"


def joined(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
