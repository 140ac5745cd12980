"""What the caller reads: a value, a refusal with what to do instead, or an error and its line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from vetbox.errors import VetboxError
from vetbox.findings import FailureKind, Finding, Severity
from vetbox.run.executors import Execution, Isolation
from vetbox.run.guest.main import NO_MESSAGE
from vetbox.run.hints import hint, import_hint
from vetbox.run.outcome import Finished, Raised
from vetbox.run.output import NO_VALUE, serialize_result
from vetbox.run.packs import Catalogue
from vetbox.run.program import lines_of

MAX_MESSAGE = 20_000  # characters of an exception's text
MAX_LINE = 500  # characters of a line of the program
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)


class ReplyError(VetboxError):
    """A result that cannot be put into words."""


class RuleText(Protocol):
    """What a rule says of itself."""

    @property
    def why(self) -> str: ...

    @property
    def instead(self) -> str: ...


def refusal(findings: Iterable[Finding], rules: Mapping[str, RuleText], code: str) -> str:
    """Every finding that keeps a program from running, with its line, why and what to write."""
    blocking = [finding for finding in findings if finding.severity is Severity.ERROR]
    count = "1 problem" if len(blocking) == 1 else f"{len(blocking)} problems"
    entries = (_entry(finding, rules.get(finding.code), code) for finding in blocking)
    return "\n".join([f"Not executed: {count} found.", *entries])


def _entry(finding: Finding, rule: RuleText | None, code: str) -> str:
    is_syntax = finding.code == FailureKind.SYNTAX.value  # whose message has its line
    lines = [finding.message if is_syntax else f"line {finding.location.line}: {finding.message}"]
    source = _line(lines_of(code), finding.location.line) if is_syntax else finding.source.strip()
    if source:
        lines.append(f"  code: {source.splitlines()[0]}")
    if is_syntax and _FENCE.search(code):
        lines.append("  instead: Send one block of code, without text or other blocks around it.")
    if rule is not None and rule.why:
        lines.append(f"  why: {_one_line(rule.why)}")
    if rule is not None and rule.instead:
        lines.append(f"  instead: {_one_line(rule.instead)}")
    return "\n".join(lines)


def _line(lines: Sequence[str], number: int) -> str:
    """A line of the program as it is shown; nothing where there is none."""
    return lines[number - 1].strip()[:MAX_LINE] if 0 < number <= len(lines) else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def result_text(execution: Execution, finished: Finished) -> str:
    """The printed text, then the value."""
    printed = printed_text(execution)
    if not finished.value:
        return printed.removesuffix("\n") or NO_VALUE
    try:
        return printed + serialize_result(finished.value[0], finished.format)
    except (ValueError, RecursionError) as error:  # only a program that forges its value gets here
        raise ReplyError(f"The result cannot be shown: {error}") from None


def error_text(execution: Execution, code: str, catalogue: Catalogue) -> str:
    """`Type: message (line N)` and the calls that led there; or which limit ended the program."""
    said = execution.outcome
    if not isinstance(said, Raised):
        return execution.error
    place = f" (line {said.line})" if said.line else ""
    error = f"{said.type}: {_message(said.message)}{place}"
    if said.name is not None:
        error = f"{error}. {import_hint(said.name)}{catalogue.available(said.name)}"
    return "\n".join([error, *_calls(said, code)])


def with_hint(error: str, execution: Execution, isolation: Isolation) -> str:
    """The error and what to do instead, where there is something to say."""
    said = hint(execution, isolation)
    return error if said is None else f"{error}\n  hint: {said}"


def _message(text: str) -> str:
    if len(text) > MAX_MESSAGE:
        return f"{text[:MAX_MESSAGE]} … (the text was cut here)"
    return text or NO_MESSAGE


def _calls(raised: Raised, code: str) -> list[str]:
    """The lines of the program on the way to the error, when it is more than one."""
    if len(raised.frames) < 2:  # noqa: PLR2004 - the only call is the line named already
        return []
    lines = lines_of(code)
    return [
        f"  line {line}, in {function}: {_line(lines, line)}"
        for line, function in raised.frames
        if 0 < line <= len(lines)
    ]


def printed_text(execution: Execution) -> str:
    """Standard output, standard error and whether some of it is missing, each on its own lines."""
    cut = "(the printed text was cut here)" if execution.truncated else ""
    # The sandbox also writes what ended a program to the program's standard error.
    stderr = execution.stderr.replace(execution.error, "").strip("\n")
    parts = (execution.stdout, stderr, cut)
    return "".join(part if part.endswith("\n") else f"{part}\n" for part in parts if part)
