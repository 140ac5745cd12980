"""validate_python_code for clients: the verdict with its places and reasons."""

from collections.abc import Callable
from typing import Annotated

from pydantic import BaseModel, Field

from vetbox.app.endpoint import Call
from vetbox.boundary import Params
from vetbox.findings import Finding
from vetbox.workers import JSON, WorkerPool

ENTRY = f"{__name__}:judging"
WORKERS = 2
MEMORY_BYTES = 1_000_000_000
TIMEOUT_S = 20.0  # the slowest code that the gate lets through takes half of it
MAX_CODE = 1_000_000  # characters; what the gate before the parser accepts


Emit = Callable[[JSON], JSON]


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


class Judges:
    """Worker processes that judge code: what crashes or stalls a parser ends only one of them."""

    def __init__(self) -> None:
        self._pool = WorkerPool(ENTRY, size=WORKERS, memory_bytes=MEMORY_BYTES)

    def judge(self, params: ValidateParams, call: Call) -> Judgement:
        request = params.model_dump(mode="json")
        answer = self._pool.call(request, timeout_s=TIMEOUT_S, cancel=call.cancel)
        return Judgement.model_validate(answer)

    def close(self) -> None:
        self._pool.close()


def judging(config: JSON) -> Callable[[JSON, Emit], JSON]:
    """The handler that a worker runs."""

    def handle(request: JSON, emit: Emit) -> JSON:
        answer: JSON = judged(ValidateParams.model_validate(request)).model_dump(mode="json")
        return answer

    return handle


def judged(params: ValidateParams) -> Judgement:
    from vetbox.validation import validate_python_code

    verdict = validate_python_code(
        params.code, check_security=params.check_security, lint_warnings=params.lint_warnings
    )
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
    return "\n".join([f"The code is {verdict}.", *lines])
