"""validate_python_code for clients: the verdict with its places and reasons."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from vetbox.app.endpoint import Call
from vetbox.boundary import Params
from vetbox.findings import Finding, Severity

if TYPE_CHECKING:
    from vetbox.run.judge import Judges

MAX_CODE = 1_000_000  # characters; what the gate before the parser accepts


class ValidateParams(Params):
    """Code to judge."""

    code: Annotated[str, Field(max_length=MAX_CODE, description="Python source text")]
    check_security: Annotated[bool, Field(description="Apply the security rules")] = True
    lint_warnings: Annotated[bool, Field(description="Add ruff's style warnings")] = False


class Reason(BaseModel):
    """One finding behind a verdict."""

    rule: str
    message: str
    severity: str
    line: int
    column: int
    source: str

    @classmethod
    def of(cls, finding: Finding) -> "Reason":
        return cls(
            rule=finding.code,
            message=finding.message,
            severity=finding.severity.value,
            line=finding.location.line,
            column=finding.location.column,
            source=finding.source,
        )


class Judgement(BaseModel):
    """The verdict: code is valid when it has no errors."""

    valid: bool
    errors: list[str]
    warnings: list[str]
    findings: list[Reason]


def judgement(judges: "Judges", params: ValidateParams, call: Call) -> Judgement:
    """What the judges say of the code; it is judged as it is."""
    verdict = judges.judged(
        params.code,
        check_security=params.check_security,
        lint_warnings=params.lint_warnings,
        cancel=call.cancel,
    ).verdict
    reasons = [Reason.of(finding) for finding in verdict.findings]
    return Judgement(
        valid=verdict.valid, errors=verdict.errors, warnings=verdict.warnings, findings=reasons
    )


def as_text(judgement: Judgement) -> str:
    """The verdict in words, a line for each reason."""
    verdict = "valid" if judgement.valid else "not valid"
    lines = [
        f"{one.line}:{one.column}: {one.severity}: {one.message}" for one in judgement.findings
    ]
    found = sum(one.severity == Severity.WARNING.value for one in judgement.findings)
    style = [f"style: {warning}" for warning in judgement.warnings[found:]]
    return "\n".join([f"The code is {verdict}.", *lines, *style])
