"""Pylint, where it is installed: without any configuration of the target."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from vetbox.analyzers.base import Options, Reading, Words
from vetbox.analyzers.external import (
    Batch,
    CommandLineTool,
    ToolConfigurationError,
    UnreadableOutputError,
    json_output,
    python_tool,
)
from vetbox.analyzers.places import Places
from vetbox.boundary import WholeNumber
from vetbox.findings import Failure, FailureKind, Finding, Severity
from vetbox.process import Surroundings
from vetbox.staging import StagedFile

Message = Annotated[str, Field(pattern=r"^(?:[CEFIRW][0-9]{4}|[CEFIRW]|all|[a-z]+(?:-[a-z]+)*)$")]
Messages = Annotated[tuple[Message, ...], Words()]
USAGE = 32
SEVERITIES = {"fatal": Severity.ERROR, "error": Severity.ERROR, "warning": Severity.WARNING}
SYNTAX = ("E0001", "F0002", "F0010")  # syntax error, crash of its parser, cannot be read
CALL = "Command line"  # where pylint says is what it does not know of its options
# Each file is analysed by itself, so what it imports cannot be there.
ALONE = ("import-error", "no-name-in-module", "duplicate-code", "cyclic-import")
PRAGMA = re.compile(rb"(#[^\n]*\bpylint)(\s*):")


class PylintOptions(Options):
    """Message codes or names, and how many processes."""

    disable: Messages = ()
    enable: Messages = ()
    jobs: Annotated[int, WholeNumber(1, 4)] = 1
    max_line_length: Annotated[int, WholeNumber(1, 1_000)] = 100


@dataclass(frozen=True)
class Pylint(CommandLineTool):
    """Files in, pylint's messages out."""

    name: ClassVar[str] = "pylint"
    listens: ClassVar[bool] = True
    options: PylintOptions = field(default_factory=PylintOptions)

    def command(self, place: Surroundings) -> Sequence[str | Path]:
        options = self.options
        return [
            *python_tool("pylint", "--rcfile=/dev/null", "--output-format=json2", "--reports=no"),
            *("--persistent=no", "--score=no", f"--jobs={options.jobs}"),
            f"--max-line-length={options.max_line_length}",
            *([f"--enable={','.join(options.enable)}"] if options.enable else []),
            f"--disable={','.join((*ALONE, *options.disable))}",
            "--",
        ]

    def misused(self, returncode: int) -> bool:
        return returncode > 0 and bool(returncode & USAGE)

    def disarmed(self, data: bytes) -> bytes:
        return PRAGMA.sub(rb"\1\2;", data)

    def read(self, output: bytes, files: Batch) -> Reading:
        try:
            messages = json_output(output)["messages"]
        except (KeyError, TypeError) as error:
            raise UnreadableOutputError(str(error)) from error
        if wrong := [message["message"] for message in messages if message["path"] == CALL]:
            raise ToolConfigurationError(wrong[0])
        places = Places()
        named = [(message, files[message["absolutePath"]]) for message in messages]
        return Reading(
            tuple(finding(m, file, places) for m, file in named if m["messageId"] not in SYNTAX),
            tuple(failure(m, file) for m, file in named if m["messageId"] in SYNTAX),
        )


def failure(message: Mapping[str, Any], file: StagedFile) -> Failure:
    return Failure(file.path, FailureKind.SYNTAX, message["symbol"], message["line"])


def finding(message: Mapping[str, Any], file: StagedFile, places: Places) -> Finding:
    end = (message["endLine"], message["endColumn"]) if message["endLine"] else None
    at = places.by_bytes(file, (message["line"], message["column"]), end)
    return Finding(
        tool="pylint",
        code=message["messageId"],
        message=message["message"].replace(file.copy.stem, Path(file.path).stem),
        severity=SEVERITIES.get(message["type"], Severity.INFO),
        native_severity=message["type"],
        location=at,
        source=places.source(file, at),
    )
