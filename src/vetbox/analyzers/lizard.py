"""Lizard, where it is installed: functions that are too complex, too long or take too much."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

from vetbox.analyzers import parsed_lizard
from vetbox.analyzers.base import Options, Reading
from vetbox.analyzers.external import Batch, CommandLineTool, UnreadableOutputError, python_tool
from vetbox.analyzers.places import Places
from vetbox.boundary import WholeNumber
from vetbox.findings import Failure, FailureKind, Finding, Location, Severity
from vetbox.process import Surroundings
from vetbox.staging import StagedFile

COLUMNS = (
    *("nloc", "complexity", "tokens", "arguments", "length", "location", "file"),
    *("function", "signature", "first", "last"),
)
# Lizard reads any text; this one parses it first.
SCRIPT = Path(parsed_lizard.__file__)
# Comments that make lizard forget a function or the rest of a file.
PRAGMA = re.compile(rb"(#\s*)(lizard|generated)(?=\s)", re.IGNORECASE)


class LizardOptions(Options):
    """What a function may at most have; beyond it is a finding."""

    max_complexity: Annotated[int, WholeNumber(1, 10_000)] = 15
    max_length: Annotated[int, WholeNumber(1, 100_000)] = 1_000
    max_arguments: Annotated[int, WholeNumber(0, 10_000)] = 100


@dataclass(frozen=True)
class Lizard(CommandLineTool):
    """Files in, oversized functions out."""

    name: ClassVar[str] = "lizard"
    listens: ClassVar[bool] = True
    options: LizardOptions = field(default_factory=LizardOptions)

    def command(self, place: Surroundings) -> Sequence[str | Path]:
        python, *_ = python_tool("lizard")
        return [python, "-I", SCRIPT, "--csv", "--languages", "python", "--"]

    def disarmed(self, data: bytes) -> bytes:
        return PRAGMA.sub(lambda found: found[1] + b"-" * len(found[2]), data)

    def read(self, output: bytes, files: Batch) -> Reading:
        places = Places()
        found: list[Finding] = []
        failures: list[Failure] = []
        for row in csv.reader(io.StringIO(output.decode("utf-8", "replace"))):
            match row:
                case [parsed_lizard.FAILED, copy, line, reason]:
                    failures.append(failure(files[copy], line, reason))
                case _ if len(row) == len(COLUMNS):
                    function = dict(zip(COLUMNS, row, strict=True))
                    found += self._findings(function, files[function["file"]], places)
                case _:
                    raise UnreadableOutputError(f"not a row of lizard: {row}")
        return Reading(tuple(found), tuple(failures))

    def _findings(
        self, function: dict[str, str], file: StagedFile, places: Places
    ) -> Iterator[Finding]:
        for measure, limit in (
            ("complexity", self.options.max_complexity),
            ("length", self.options.max_length),
            ("arguments", self.options.max_arguments),
        ):
            if int(function[measure]) > limit:
                yield finding(function, measure, limit, file, places)


def failure(file: StagedFile, line: str, reason: str) -> Failure:
    return Failure(file.path, FailureKind.SYNTAX, f"Syntax error: {reason}", int(line))


def finding(
    function: dict[str, str], measure: str, limit: int, file: StagedFile, places: Places
) -> Finding:
    line = int(function["first"])
    at = Location(file.path, line, 1, line, 1)
    return Finding(
        tool="lizard",
        code=measure,
        message=f"{function['function']} has {measure} {function[measure]}, more than {limit}",
        severity=Severity.WARNING,
        location=at,
        source=places.source(file, at),
    )
