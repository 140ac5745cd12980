"""A command on its way through run(): what each stage makes of it, and how it ended."""

from dataclasses import dataclass

from vetbox.findings import Finding


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended; `result` is what the caller reads.

    `line_number` counts from the first line of the code as the caller wrote it, after its fence.
    `limit` names the limit that stopped it, `stored` is the handle of a result too large to show.
    """

    command: str
    result: str
    executor: str
    isolation: str
    success: bool
    error_type: str | None = None
    line_number: int | None = None
    findings: tuple[Finding, ...] = ()
    duration_ms: float = 0.0
    fuel: int = 0
    run_id: str = ""
    limit: str | None = None
    stored: str | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """What a command looks like after one step of its preparation."""

    name: str
    text: str
