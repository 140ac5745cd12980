"""The answer of run_static_analysis, as clients see it."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from vetbox.findings import Analysis, Failure, Finding, Severity, Suppression
from vetbox.staging import Skipped

NOT_COUNTED = -1
MAX_ISSUES = 10_000  # listed for each tool; issue_count speaks of all
MAX_SKIPPED = 1_000  # entries listed; beyond, their number is given


class Answer(BaseModel):
    """Complete and unchangeable."""

    model_config = ConfigDict(frozen=True)


class Issue(Answer):
    """One problem at one place; lines and columns count from 1."""

    file_path: str
    line_number: int
    column_number: int
    end_line_number: int
    end_column_number: int
    code: str
    message: str
    severity: Severity
    native_severity: Annotated[
        str | None, Field(description="The tool's own word for the severity.")
    ] = None
    confidence: str
    cwe: tuple[int, ...] = ()
    also_reported_by: Annotated[
        tuple[str, ...],
        Field(description="Other tools that report the same statement for the same weakness."),
    ] = ()

    @classmethod
    def of(cls, finding: Finding) -> "Issue":
        return cls.model_validate(fields_of(finding))


class SuppressedIssue(Issue):
    """An issue that a comment in the file hides; it is listed, not counted."""

    suppressed_by: str
    suppressed_on_line: int
    reason: str | None = None

    @classmethod
    def by(cls, finding: Finding, why: Suppression) -> "SuppressedIssue":
        hiding = {"suppressed_by": why.comment, "suppressed_on_line": why.line}
        return cls.model_validate({**fields_of(finding), **hiding, "reason": why.reason})


class FileFailure(Answer):
    """A file that was not analysed: nothing is known about it."""

    file_path: str
    kind: str
    message: str
    line_number: int | None = None

    @classmethod
    def of(cls, failure: Failure) -> "FileFailure":
        return cls(
            file_path=failure.path,
            kind=failure.kind.value,
            message=failure.message,
            line_number=failure.line,
        )


class ToolResult(Answer):
    """What one tool said."""

    tool_name: str
    issue_count: Annotated[
        int,
        Field(description="Issues, without suppressed ones; -1 when the tool did not run."),
    ]
    issues: tuple[Issue, ...] = ()
    issues_omitted: Annotated[int, Field(description="Counted and not listed.")] = 0
    suppressed_count: int = 0
    suppressed: tuple[SuppressedIssue, ...] = ()
    failures: tuple[FileFailure, ...] = ()
    raw_output: str | None = None
    report_path: str | None = None
    error: str | None = None


class SkippedPath(Answer):
    """Something below a target that was left out on purpose."""

    path: str
    reason: str
    count: Annotated[int, Field(description="Python files left out with it.")]


Status: TypeAlias = Literal["success", "completed_with_issues", "error"]


class AnalysisReport(Answer):
    """The answers of all tools."""

    status: Status
    summary: str
    tool_results: tuple[ToolResult, ...]
    error_message: str | None = None
    files_analyzed: int = 0
    skipped: tuple[SkippedPath, ...] = ()


def fields_of(finding: Finding) -> dict[str, object]:
    at = finding.location
    return {
        "file_path": at.path,
        "line_number": at.line,
        "column_number": at.column,
        "end_line_number": at.end_line,
        "end_column_number": at.end_column,
        "code": finding.code,
        "message": finding.message,
        "severity": finding.severity,
        "native_severity": finding.native_severity,
        "confidence": finding.confidence.value,
        "cwe": finding.cwe,
        "also_reported_by": finding.also_reported_by,
    }


def tool_result(analysis: Analysis, error: str | None) -> ToolResult:
    """One tool's part of the answer; `error` is its own or says which files failed."""
    if analysis.error is not None:
        return ToolResult(tool_name=analysis.tool, issue_count=NOT_COUNTED, error=analysis.error)
    open_issues = [finding for finding in analysis.findings if finding.suppressed is None]
    hidden = [(f, f.suppressed) for f in analysis.findings if f.suppressed is not None]
    return ToolResult(
        tool_name=analysis.tool,
        issue_count=len(open_issues),
        issues=tuple(Issue.of(finding) for finding in open_issues[:MAX_ISSUES]),
        issues_omitted=max(0, len(open_issues) - MAX_ISSUES),
        suppressed_count=len(hidden),
        suppressed=tuple(SuppressedIssue.by(finding, why) for finding, why in hidden[:MAX_ISSUES]),
        failures=tuple(FileFailure.of(failure) for failure in analysis.failures[:MAX_ISSUES]),
        error=error,
    )


def skipped_paths(skipped: Sequence[Skipped]) -> tuple[SkippedPath, ...]:
    listed = [
        SkippedPath(path=each.path, reason=each.reason, count=each.count)
        for each in skipped[:MAX_SKIPPED]
    ]
    more = skipped[MAX_SKIPPED:]
    if more:
        count = sum(each.count for each in more)
        listed.append(SkippedPath(path="…", reason=f"{len(more):,} more entries", count=count))
    return tuple(listed)
