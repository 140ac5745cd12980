"""The answer in words: one summary sentence after the other, and the whole report as text."""

from collections import Counter
from collections.abc import Sequence

from vetbox.counting import counted
from vetbox.reports.escaping import visible
from vetbox.static_analysis.report import NOT_COUNTED, AnalysisReport, Issue, ToolResult

SHOWN_ISSUES = 200  # per tool in the text; all of them are in the structured answer
GRADED = {"HIGH": "high severity", "MEDIUM": "medium severity", "LOW": "low severity"}


def summary_of(results: Sequence[ToolResult], *, files: int, failed: int, skipped: int) -> str:
    """`Analysis complete. 10 issues found across 2 tools. Bandit found 1 high severity issue. …`"""
    ran = [result for result in results if result.issue_count != NOT_COUNTED]
    total = sum(result.issue_count for result in ran)
    sentences = [
        "Analysis complete." if len(ran) == len(results) else "Analysis incomplete.",
        f"{counted(total, 'issue')} found across {counted(len(ran), 'tool')}.",
        *(tool_sentence(result) for result in ran if result.issue_count),
        *(str(result.error) for result in results if result.issue_count == NOT_COUNTED),
    ]
    hidden = sum(result.suppressed_count for result in ran)
    omitted = sum(result.issues_omitted for result in ran)
    if omitted:
        sentences.append(f"{counted(omitted, 'issue')} counted and not listed; name fewer targets.")
    if hidden:
        sentences.append(f"{counted(hidden, 'issue')} suppressed by comments.")
    if failed:
        sentences.append(f"{counted(failed, 'file')} could not be analysed.")
    if skipped:
        sentences.append(f"{counted(skipped, 'path')} skipped.")
    if not files and not failed:
        sentences.append("No Python files were found.")
    return " ".join(sentences)


def tool_sentence(result: ToolResult) -> str:
    """`Bandit found 1 high severity issue.`, `Pylint found 3 issues.`"""
    name, grades = result.tool_name.capitalize(), graded(result.issues)
    if len(grades) == 1:
        ((grade, number),) = grades.items()
        return f"{name} found {counted(number, f'{grade} issue')}."
    detail = ", ".join(f"{number} {grade}" for grade, number in grades.items())
    return f"{name} found {counted(result.issue_count, 'issue')}{f' ({detail})' if detail else ''}."


def graded(issues: Sequence[Issue]) -> dict[str, int]:
    """How many of each severity, worst first, for a tool with words of its own for it."""
    words = Counter(issue.native_severity for issue in issues)
    return {said: words[word] for word, said in GRADED.items() if words[word]}


def report_text(report: AnalysisReport) -> str:
    """The whole report for a reader."""
    blocks = [report.summary, *(tool_text(result) for result in report.tool_results)]
    if report.skipped:
        lines = [f"{visible(each.path)}: {each.reason} ({each.count})" for each in report.skipped]
        blocks.append("\n".join(["Skipped:", *lines]))
    return "\n\n".join(block for block in blocks if block)


def tool_text(result: ToolResult) -> str:
    shown = result.issues[:SHOWN_ISSUES]
    lines = [line_of(issue) for issue in shown]
    if len(result.issues) > len(shown):
        lines.append(f"… and {len(result.issues) - len(shown):,} more")
    lines += [
        f"{visible(f.file_path)}: not analysed: {visible(f.message)}"
        for f in result.failures[:SHOWN_ISSUES]
    ]
    return "\n".join([f"{result.tool_name}:", *lines]) if lines else ""


def line_of(issue: Issue) -> str:
    place = f"{visible(issue.file_path)}:{issue.line_number}:{issue.column_number}"
    also = f" [also {', '.join(issue.also_reported_by)}]" if issue.also_reported_by else ""
    return f"{place}: {issue.severity.value} {issue.code} {visible(issue.message)}{also}"
