"""kind=analyse_file: one hostile source file of a project, through run_static_analysis."""

from pathlib import Path

from answers.naming import name_of
from vetbox.static_analysis import StaticAnalysisParams, run_static_analysis


def answer(case: dict, root: Path) -> dict:
    project = root / "proj"
    params = StaticAnalysisParams.model_validate(
        {"target_paths": [case["path"]], "tools": ["rules"]}, context={"project": project}
    )
    report = run_static_analysis(params, project)
    [result] = report.tool_results
    kinds = [failure.kind for failure in result.failures]
    issues = [*result.issues, *result.suppressed]
    return {
        "outcome": kinds[0] if kinds else "parsed",
        "text": report.model_dump_json(),
        "findings": [
            f"{name_of(issue.message, issue.code)}@{issue.line_number}" for issue in issues
        ],
    }
