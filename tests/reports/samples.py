"""A small report with one of everything."""

from vetbox.findings import (
    Confidence,
    Failure,
    FailureKind,
    Finding,
    Location,
    Severity,
    Step,
    Suppression,
)
from vetbox.reports.model import CheckReport

CODE = ["import subprocess", "def deploy(ref):", "    subprocess.run(ref, shell=True)"]
SHELL = Finding(
    tool="rules",
    code="shell-true",
    message="subprocess.run() runs its command through a shell (shell=True)",
    severity=Severity.WARNING,
    location=Location("app/deploy.py", 3, 25, 3, 35),
    cwe=(78,),
    source="shell=True",
)
EVAL = Finding(
    tool="rules",
    code="eval-call",
    message="Dangerous call: eval() not allowed",
    severity=Severity.ERROR,
    location=Location("app/calc.py", 1, 1, 2, 3),
    confidence=Confidence.MEDIUM,
    cwe=(95,),
    source="eval(\n x)",
)
HIDDEN = Finding(
    tool="rules",
    code="assert-used",
    message="assert disappears under -O",
    severity=Severity.INFO,
    location=Location("app/calc.py", 9, 5, 9, 11),
    suppressed=Suppression("# nosec", 9, "checked by the caller"),
)
FLOW = Finding(
    tool="rules",
    code="sql-from-request",
    message="Data of a request becomes part of a statement",
    severity=Severity.ERROR,
    location=Location("app/deploy.py", 3, 5, 3, 36),
    cwe=(89,),
    trace=(
        Step(Location("app/deploy.py", 2, 12, 2, 15), "http-input enters here"),
        Step(Location("app/deploy.py", 3, 20, 3, 23), "reaches the sink"),
    ),
)
BROKEN = Failure("app/old.py", FailureKind.SYNTAX, "Missing parentheses, in call to 'print'", 4)
FULL = CheckReport(
    findings=(SHELL, EVAL),
    failures=(BROKEN,),
    suppressed=(HIDDEN,),
    files=4,
    skipped={"ignored by .gitignore": 2},
    lines=lambda path: CODE if path == "app/deploy.py" else (),
)
FLOWING = CheckReport(findings=(FLOW,), files=1, lines=FULL.lines)
CLEAN = CheckReport(findings=(), files=1)
