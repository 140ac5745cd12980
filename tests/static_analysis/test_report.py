import pytest

from vetbox.findings import Analysis, Finding, Location, Severity
from vetbox.static_analysis.report import NOT_COUNTED, ToolResult, tool_result
from vetbox.static_analysis.summary import summary_of


def analysis(tool: str, *words: str | None) -> Analysis:
    at = Location("a.py", 1, 1, 1, 2)
    return Analysis(
        tool,
        tuple(
            Finding(tool, "X1", "found", Severity.INFO, at, native_severity=word) for word in words
        ),
    )


def summary(*results: ToolResult) -> str:
    return summary_of(results, files=1, failed=0, skipped=0)


def test_a8_one_grade_is_part_of_the_sentence_and_several_are_listed() -> None:
    assert summary(
        tool_result(analysis("pylint", None, None, None), None),
        tool_result(analysis("bandit", "HIGH"), None),
    ) == (
        "Analysis complete. 4 issues found across 2 tools. Pylint found 3 issues. "
        "Bandit found 1 high severity issue."
    )
    assert summary(tool_result(analysis("bandit", "HIGH", "LOW", "LOW"), None)).endswith(
        "Bandit found 3 issues (1 high severity, 2 low severity)."
    )


def test_a12_a_tool_that_did_not_run_is_left_out_of_sums() -> None:
    missing = ToolResult(tool_name="radon", issue_count=NOT_COUNTED, error="Radon is missing.")
    assert summary(missing, tool_result(analysis("ruff", None), None)) == (
        "Analysis incomplete. 1 issue found across 1 tool. Ruff found 1 issue. Radon is missing."
    )


def test_what_is_not_listed_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vetbox.static_analysis.report.MAX_ISSUES", 2)
    result = tool_result(analysis("ruff", None, None, None), None)
    assert (result.issue_count, len(result.issues), result.issues_omitted) == (3, 2, 1)
    assert "1 issue counted and not listed" in summary(result)
