"""Records: findings and failures as JSON, for a cache or a pipe; the file's path is left out."""

from typing import Any, TypeAlias, cast

from vetbox.findings import (
    Confidence,
    Edit,
    Failure,
    FailureKind,
    Finding,
    Fix,
    Location,
    Safety,
    Severity,
    Step,
    Suppression,
)

Record: TypeAlias = list[Any]
"""What json.dumps takes; only this module looks inside."""


def finding_record(finding: Finding) -> Record:
    """Everything but the path."""
    hidden = finding.suppressed
    return [
        finding.tool,
        finding.code,
        finding.message,
        finding.severity,
        _span(finding.location),
        finding.confidence,
        finding.cwe,
        finding.native_severity,
        finding.callee,
        finding.source,
        _fix_record(finding.fix),
        [[_span(step.location), step.note] for step in finding.trace],
        [hidden.comment, hidden.line, hidden.reason] if hidden else None,
        finding.also_reported_by,
    ]


def finding_of(record: Record, path: str) -> Finding:
    """The finding again; raises ValueError, TypeError or KeyError for what is no record."""
    tool, code, message, severity, span, confidence, cwe, native, callee, source, *rest = record
    fix, trace, hidden, others = rest
    return Finding(
        tool=tool,
        code=code,
        message=message,
        severity=Severity(severity),
        location=_location(span, path),
        confidence=Confidence(confidence),
        cwe=tuple(cwe),
        native_severity=native,
        callee=callee,
        source=source,
        fix=_fix(fix, path),
        trace=tuple(Step(_location(at, path), note) for at, note in trace),
        suppressed=Suppression(*hidden) if hidden else None,
        also_reported_by=tuple(others),
    )


def failure_record(failure: Failure) -> Record:
    return [failure.kind, failure.message, failure.line, failure.column]


def failure_of(record: Record, path: str) -> Failure:
    kind, message, line, column = record
    return Failure(path, FailureKind(kind), message, line, column)


def _span(location: Location) -> Record:
    return [location.line, location.column, location.end_line, location.end_column]


def _location(span: Record, path: str) -> Location:
    line, column, end_line, end_column = span
    return Location(path, line, column, end_line, end_column)


def _fix_record(fix: Fix | None) -> Record | None:
    if fix is None:
        return None
    return [[[_span(edit.location), edit.text] for edit in fix.edits], fix.safety, fix.imports]


def _fix(record: Record | None, path: str) -> Fix | None:
    if record is None:
        return None
    edits, safety, imports = record
    made = tuple(Edit(_location(span, path), text) for span, text in edits)
    return Fix(made, Safety(safety), tuple(cast("list[str]", imports)))
