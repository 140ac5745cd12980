"""May this code run? Syntax, then the agent profile's rules, then (when asked) ruff's opinion."""

import ast
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from vetbox.code.source import Source, SourceError
from vetbox.findings import Failure, FailureKind, Finding, Location, Severity
from vetbox.garbage import collected_later
from vetbox.rules import Profile, check, load_rules
from vetbox.style import lint_code
from vetbox.telling import tell

if TYPE_CHECKING:
    from vetbox.rules import RuleSet

__all__ = ["ValidationResult", "lint_code", "parse_function_call", "validate_python_code"]

CODE_PATH = "<code>"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """The verdict on a piece of code.

    `errors` and `warnings` are sentences, one per occurrence, in the order of the code; `findings`
    says for each of them where and why (style warnings of ruff have no finding).
    """

    errors: list[str]
    warnings: list[str]
    findings: tuple[Finding, ...] = ()

    @property
    def valid(self) -> bool:
        return not self.errors


def validate_python_code(
    code: str,
    *,
    check_security: bool = True,
    lint_warnings: bool = False,
    rules: "RuleSet | None" = None,
) -> ValidationResult:
    """Judge code that is about to run; never raises for any string.

    `check_security=False` skips every rule but not the parser; `lint_warnings` adds ruff's; `rules`
    take the place of the shipped ones.
    """
    rules = rules or agent_rules()
    with collected_later():
        try:
            source = Source.from_text(code, path=CODE_PATH)
            found = check(source, rules, profile=Profile.AGENT) if check_security else ()
            source.check_syntax()
        except SourceError as error:
            found = (refusal(error.failure),)
        except Exception as error:  # noqa: BLE001 - whatever the defect, the code is refused
            tell(_LOG.exception, "code could not be judged")
            found = (refusal(_unjudged(error)),)
    warnings = messages(found, Severity.WARNING)
    if lint_warnings:
        warnings += lint_code(code)
    return ValidationResult(messages(found, Severity.ERROR), warnings, found)


def _unjudged(error: Exception) -> Failure:
    """What is said where the engine itself is at fault; nothing it fails on may run."""
    sentence = (
        f"this code could not be judged, vetbox failed on it ({type(error).__name__}: {error}); "
        "write it another way, and report it with this code"
    )
    return Failure(CODE_PATH, FailureKind.CRASHED, sentence)


@cache
def agent_rules() -> "RuleSet":
    """The shipped rules, loaded once a process."""
    return load_rules()


def rules_for_code(own: Sequence[Path]) -> "RuleSet":
    """The shipped rules and a project's own, which add to them and never take one's place.

    A project's files may be within reach of the very code that is judged. Raises RuleError.
    """
    if not own:
        return agent_rules()
    added = load_rules(*own, shipped=False).rules
    return type(agent_rules()).of([*added.values(), *agent_rules().rules.values()])


def messages(findings: tuple[Finding, ...], severity: Severity) -> list[str]:
    return [finding.message for finding in findings if finding.severity is severity]


def refusal(failure: Failure) -> Finding:
    """Code that could not be read is an error of its own: never silence, never an exception."""
    line, column = failure.line or 1, failure.column or 1
    message = failure.message
    if failure.kind is FailureKind.SYNTAX:
        message = f"Syntax error at line {line}: {message}"
    location = Location(failure.path, line, column, line, column)
    return Finding("python", failure.kind.value, message, Severity.ERROR, location)


def parse_function_call(code: str) -> tuple[str, dict[str, object]] | None:
    """`("pack.search", {"query": "test"})` for one call with literal keyword arguments.

    None for valid Python that needs full execution; ValueError for anything Python rejects.
    """
    try:
        body = ast.parse(code.strip()).body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ValueError(f"Not a function call: {reason(error)}") from error
    match body:
        case [ast.Expr(ast.Call(func=callee, args=[], keywords=keywords))]:
            name, arguments = dotted_name(callee), literals(keywords)
            return None if name is None or arguments is None else (name, arguments)
        case _:
            return None


def reason(error: Exception) -> str:
    match error:
        case SyntaxError(msg=text, lineno=line):
            return f"{text} at line {line}"
        case MemoryError() | RecursionError():
            return "too deeply nested"
        case _:
            return str(error)


def dotted_name(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=base, attr=name):
            prefix = dotted_name(base)
            return prefix and f"{prefix}.{name}"
        case _:
            return None


def literals(keywords: list[ast.keyword]) -> dict[str, object] | None:
    """The values by name; None when one of them must be computed."""
    values: dict[str, object] = {}
    for keyword in keywords:
        if keyword.arg is None:
            return None
        if keyword.arg in values:
            raise ValueError(f"Not a function call: keyword argument repeated: {keyword.arg}")
        try:
            values[keyword.arg] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError):
            return None
    return values
