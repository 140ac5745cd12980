"""Workflow commands that GitHub shows as annotations on the changed lines."""

from vetbox.findings import Failure, Finding, Severity
from vetbox.reports.escaping import visible
from vetbox.reports.model import CheckReport

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: CheckReport) -> str:
    lines = [annotation(finding) for finding in report.findings]
    lines += [failure_annotation(failure) for failure in report.failures]
    return "".join(line + "\n" for line in lines)


def annotation(finding: Finding) -> str:
    where = finding.location
    place = {
        "file": where.path,
        "line": where.line,
        "endLine": where.end_line,
        "col": where.column,
        "endColumn": where.end_column,
        "title": finding.code,
    }
    if where.line != where.end_line:  # GitHub ignores an annotation with columns over two lines
        del place["col"], place["endColumn"]
    return command(LEVELS[finding.severity], place, finding.message)


def failure_annotation(failure: Failure) -> str:
    place: dict[str, object] = {"file": failure.path, "line": failure.line or 1}
    if failure.column is not None:
        place["col"] = failure.column
    place["title"] = failure.kind.value
    return command("error", place, f"not analysed: {failure.message}")


def command(level: str, place: dict[str, object], message: str) -> str:
    properties = ",".join(f"{key}={escaped_property(str(value))}" for key, value in place.items())
    return f"::{level} {properties}::{escaped(message)}"


def escaped(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def escaped_property(text: str) -> str:
    return escaped(text).replace(":", "%3A").replace(",", "%2C")
