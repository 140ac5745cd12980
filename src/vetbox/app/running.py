"""`run` for clients: a command and how it ended."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from vetbox.app.judgement import Reason
from vetbox.boundary import Params

if TYPE_CHECKING:
    from vetbox.run.command import CommandResult

MAX_COMMAND = 1_000_000  # characters


class RunParams(Params):
    """What to run."""

    command: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_COMMAND,
            description="Python that may call tools, such as `fs.read(path='a.py')`. The last "
            "expression or a top-level `return` is the result; `ot.tools()` lists what there is.",
        ),
    ]


class RunAnswer(BaseModel):
    """How a command ended; `result` is the text to read."""

    result: str
    success: bool
    isolation: str
    error_type: str | None
    line_number: int | None
    limit: str | None
    findings: list[Reason]
    duration_ms: float
    fuel: int
    run_id: str
    stored: str | None

    @classmethod
    def of(cls, ended: "CommandResult") -> "RunAnswer":
        return cls(
            result=ended.result,
            success=ended.success,
            isolation=ended.isolation,
            error_type=ended.error_type,
            line_number=ended.line_number,
            limit=ended.limit,
            findings=[Reason.of(finding) for finding in ended.findings],
            duration_ms=ended.duration_ms,
            fuel=ended.fuel,
            run_id=ended.run_id,
            stored=ended.stored,
        )
