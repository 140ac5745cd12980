"""Judging code in worker processes: what stalls a parser ends only one of them, and no server."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from vetbox.errors import VetboxError
from vetbox.findings import Finding, Location, Severity
from vetbox.run.program import normalised
from vetbox.toolkit import RuleCard
from vetbox.validation import CODE_PATH, ValidationResult, rules_for_code, validate_python_code
from vetbox.workers import JSON, WorkerCancelled, WorkerDied, WorkerError, WorkerPool

if TYPE_CHECKING:
    from vetbox.rules import RuleSet

WORKERS = 2
MEMORY_BYTES = 1_000_000_000
TIMEOUT_S = 20.0  # the slowest code that the gate lets through takes half of it


class JudgementError(VetboxError):
    """Code that could not be judged, and so is not executed."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The code that was judged, the verdict on it, and what the rules behind the verdict say."""

    code: str
    verdict: ValidationResult
    rules: Mapping[str, RuleCard]


class Judges:
    """The judges of one project: the shipped rules and its own, which are given by their paths.

    Safe to use from many threads; nothing is started before the first question.
    """

    def __init__(self, own_rules: Sequence[Path] = ()) -> None:
        self._pool = WorkerPool(
            f"{__name__}:judging",
            size=WORKERS,
            memory_bytes=MEMORY_BYTES,
            config=[str(path) for path in own_rules],
        )

    def judged(
        self,
        code: str,
        *,
        check_security: bool = True,
        lint_warnings: bool = False,
        tidy: bool = False,
        cancel: threading.Event | None = None,
    ) -> Judgement:
        """The verdict on code, with `tidy` once its indentation is made valid.

        Raises JudgementError when that cannot be said.
        """
        order: JSON = {
            "code": code,
            "check_security": check_security,
            "lint_warnings": lint_warnings,
            "tidy": tidy,
        }
        said = cast(dict[str, Any], self._asked(order, cancel))
        findings = tuple(_finding(one) for one in said["findings"])
        verdict = ValidationResult(said["errors"], said["warnings"], findings)
        return Judgement(said["code"], verdict, _cards(said["rules"]))

    def rules(self) -> Sequence[RuleCard]:
        """Every rule that code is held to. Raises JudgementError."""
        return list(_cards(cast(list[Any], self._asked(None, None))).values())

    def warm(self) -> None:
        """Start the workers now rather than with the first code."""
        self._pool.warm()

    def close(self) -> None:
        """End the workers."""
        self._pool.close()

    def _asked(self, order: JSON, cancel: threading.Event | None) -> JSON:
        """A worker's answer; one that died may have been killed while idle: another is asked."""
        try:
            try:
                return self._pool.call(order, timeout_s=TIMEOUT_S, cancel=cancel)
            except WorkerDied:
                return self._pool.call(order, timeout_s=TIMEOUT_S, cancel=cancel)
        except WorkerCancelled:
            raise JudgementError("The call was cancelled before the code was judged.") from None
        except WorkerError as error:
            raise JudgementError(f"Not executed, because it cannot be judged: {error}") from None


@cache
def judges_of(own_rules: tuple[Path, ...]) -> Judges:
    """The judges that all users of the same rules in this process share."""
    return Judges(own_rules)


# The worker's side ------------------------------------------------------------------------------


def judging(config: JSON) -> Callable[[JSON, object], JSON]:
    """The handler that a worker runs; the rules are loaded before the first request."""
    rules = rules_for_code([Path(path) for path in cast(list[str], config)])
    validate_python_code("0", rules=rules)

    def answer(request: JSON, emit: object) -> JSON:
        match request:
            case None:
                return [_card_written(rules, name) for name in rules.rules]
            case {"code": str(code), "tidy": bool(tidy), **options}:
                code = normalised(code) if tidy else code
                verdict = validate_python_code(code, rules=rules, **cast(dict[str, bool], options))
                return _written(code, verdict, rules)
        raise TypeError("a request is code with how to judge it, or nothing")

    return answer


def _written(code: str, verdict: ValidationResult, rules: "RuleSet") -> JSON:
    findings: list[JSON] = [_finding_written(finding) for finding in verdict.findings]
    named = dict.fromkeys(finding.code for finding in verdict.findings)
    cards: list[JSON] = [_card_written(rules, name) for name in named if name in rules.rules]
    errors, warnings = cast(JSON, verdict.errors), cast(JSON, verdict.warnings)
    return {
        "code": code,
        "errors": errors,
        "warnings": warnings,
        "findings": findings,
        "rules": cards,
    }


def _card_written(rules: "RuleSet", name: str) -> JSON:
    rule = rules.rules[name]
    return [rule.id, rule.message, rule.severity.value, rule.why, rule.instead]


def _cards(said: list[Any]) -> Mapping[str, RuleCard]:
    return {one[0]: RuleCard(*one) for one in said}


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
