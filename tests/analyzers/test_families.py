from dataclasses import replace

from vetbox.analyzers import accepted_together, cross_referenced, merged
from vetbox.findings import Analysis, Finding, Location, Severity, Suppression

SOURCE = """\
import subprocess
subprocess.run(
    "ls",
    shell=True,
)
eval(input()); assert 1
"""


def read(path: str) -> str:
    return SOURCE


def found(tool: str, code: str, line: int, *cwe: int, path: str = "a.py") -> Finding:
    at = Location(path, line, 1, line, 2)
    return Finding(tool, code, "found", Severity.WARNING, at, cwe=cwe)


def analysis(*findings: Finding) -> Analysis:
    return Analysis(findings[0].tool, findings)


def names(findings: tuple[Finding, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(f"{f.tool}:{f.code}", f.also_reported_by) for f in findings]


def test_lines_of_one_statement_are_one_place() -> None:
    ours, theirs = analysis(found("rules", "shell", 4, 78)), analysis(found("ruff", "S602", 2, 78))
    first, second = cross_referenced([ours, theirs], read)
    assert names(first.findings) == [("rules:shell", ("ruff:S602",))]
    assert names(second.findings) == [("ruff:S602", ("rules:shell",))]


def test_tools_that_number_a_weakness_differently_mean_the_same() -> None:
    ruff, bandit = analysis(found("ruff", "S307", 6, 95)), analysis(found("bandit", "B307", 6, 78))
    assert names(merged([ruff, bandit], read)) == [("ruff:S307", ("bandit:B307",))]


def test_different_weaknesses_of_a_statement_stay_apart() -> None:
    ruff, bandit = analysis(found("ruff", "S307", 6, 95)), analysis(found("bandit", "B101", 6, 703))
    assert names(merged([ruff, bandit], read)) == [("bandit:B101", ()), ("ruff:S307", ())]


def test_two_findings_of_one_tool_both_stay() -> None:
    one = analysis(found("ruff", "S602", 2, 78), found("ruff", "S607", 3, 78))
    other = analysis(found("bandit", "B602", 4, 78))
    assert names(merged([one, other], read)) == [
        ("ruff:S602", ("bandit:B602",)),
        ("ruff:S607", ("bandit:B602",)),
    ]


def test_without_a_cwe_nothing_is_the_same() -> None:
    one, other = analysis(found("pylint", "W0123", 6)), analysis(found("flake8", "F401", 6))
    assert names(merged([one, other], read)) == [("flake8:F401", ()), ("pylint:W0123", ())]


def test_the_text_is_not_read_when_one_tool_spoke() -> None:
    def refuse(path: str) -> str:
        raise AssertionError(path)

    one, other = (
        analysis(found("ruff", "S307", 6, 95)),
        analysis(found("bandit", "B1", 6, 78, path="b.py")),
    )
    assert len(merged([one, other], refuse)) == 2


def test_what_a_comment_accepts_from_one_tool_it_accepts_from_all() -> None:
    accepted = replace(
        found("rules", "eval-call", 6, 95), suppressed=Suppression("# vetbox: …", 6, "why")
    )
    others = analysis(found("ruff", "S307", 6, 95), found("ruff", "S101", 6, 703))
    _, ruff = accepted_together([analysis(accepted), others], read)
    assert [finding.suppressed is not None for finding in ruff.findings] == [True, False]
