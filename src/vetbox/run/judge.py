"""Tidying and judging code in worker processes: what stalls a parser ends only one of them."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from vetbox.errors import VetboxError
from vetbox.findings import Finding, Location, Severity
from vetbox.run.program import normalised
from vetbox.validation import CODE_PATH, ValidationResult, validate_python_code
from vetbox.workers import JSON, WorkerCancelled, WorkerDied, WorkerError, WorkerPool

WORKERS = 2
MEMORY_BYTES = 1_000_000_000
TIMEOUT_S = 20.0  # the slowest code that the gate lets through takes half of it


class JudgementError(VetboxError):
    """Code that could not be judged, and so is not executed."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The code as it would be executed, its indentation made valid, and the verdict on it."""

    code: str
    verdict: ValidationResult


def judged(
    code: str, *, check_security: bool = True, cancel: threading.Event | None = None
) -> Judgement:
    """The code tidied and judged; raises JudgementError when that cannot be done."""
    request: JSON = {"code": code, "check_security": check_security}
    try:
        answer = _asked(request, cancel)
    except WorkerCancelled:
        raise JudgementError("The run was cancelled before the code was judged.") from None
    except WorkerError as error:
        raise JudgementError(f"Not executed, because it cannot be judged: {error}") from None
    said = cast(dict[str, Any], answer)
    findings = tuple(_finding(one) for one in said["findings"])
    return Judgement(said["code"], ValidationResult(said["errors"], said["warnings"], findings))


def _asked(request: JSON, cancel: threading.Event | None) -> JSON:
    """A worker's answer; one that died may have been killed while idle, so another is asked."""
    try:
        return _judges().call(request, timeout_s=TIMEOUT_S, cancel=cancel)
    except WorkerDied:
        return _judges().call(request, timeout_s=TIMEOUT_S, cancel=cancel)


def warm() -> None:
    """Start the judges now rather than with the first code."""
    _judges().warm()


@cache
def _judges() -> WorkerPool:
    return WorkerPool(f"{__name__}:judging", size=WORKERS, memory_bytes=MEMORY_BYTES)


def judging(config: JSON) -> Callable[[JSON, object], JSON]:
    """The worker's side; the rules are loaded before the first request."""
    validate_python_code("0")

    def answer(request: JSON, emit: object) -> JSON:
        match request:
            case {"code": str(code), "check_security": bool(check)}:
                tidy = normalised(code)
                return _written(tidy, validate_python_code(tidy, check_security=check))
        raise TypeError("a request has code and check_security")

    return answer


def _written(code: str, verdict: ValidationResult) -> JSON:
    findings: list[JSON] = [_finding_written(finding) for finding in verdict.findings]
    errors, warnings = cast(JSON, verdict.errors), cast(JSON, verdict.warnings)
    return {"code": code, "errors": errors, "warnings": warnings, "findings": findings}


def _finding_written(finding: Finding) -> JSON:
    at = finding.location
    span: list[JSON] = [at.line, at.column, at.end_line, at.end_column]
    words: list[JSON] = [finding.tool, finding.code, finding.message, finding.severity.value]
    return [*words, span, finding.callee, finding.source, list(finding.cwe)]


def _finding(said: list[Any]) -> Finding:
    tool, code, message, severity, span, callee, source, cwe = said
    place = Location(CODE_PATH, *span)
    return Finding(
        tool,
        code,
        message,
        Severity(severity),
        place,
        callee=callee,
        source=source,
        cwe=tuple(cwe),
    )
