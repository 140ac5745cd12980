"""Flake8, where it is installed: isolated, its comments ignored."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from vetbox.analyzers.base import Options, Reading, Words
from vetbox.analyzers.external import Batch, CommandLineTool, UnreadableOutputError, python_tool
from vetbox.analyzers.places import Places
from vetbox.boundary import WholeNumber
from vetbox.findings import Failure, FailureKind, Finding, Location, Severity
from vetbox.process import Surroundings
from vetbox.staging import StagedFile

Code = Annotated[str, Field(pattern=r"^[A-Z]{1,3}[0-9]{0,3}$")]
Codes = Annotated[tuple[Code, ...], Words()]
FORMAT = "%(path)s\t%(row)d\t%(col)d\t%(code)s\t%(text)s"
SYNTAX = ("E999", "E902")
BROKEN = ("F", "E9")
FIELDS = 5
MISUSE_WORDS = re.compile(rb"^(?:usage:|There was a critical error)", re.MULTILINE)


class Flake8Options(Options):
    """Code prefixes and the two limits."""

    select: Codes = ()
    ignore: Codes = ()
    max_line_length: Annotated[int, WholeNumber(1, 1_000)] = 79
    max_complexity: Annotated[int, WholeNumber(-1, 1_000)] = -1


@dataclass(frozen=True)
class Flake8(CommandLineTool):
    """Files in, flake8's lines out."""

    name: ClassVar[str] = "flake8"
    options: Flake8Options = field(default_factory=Flake8Options)

    def command(self, place: Surroundings) -> Sequence[str | Path]:
        options = self.options
        return [
            *python_tool("flake8", "--isolated", "--disable-noqa", "--exit-zero", "--jobs=1"),
            *(f"--format={FORMAT}", f"--max-line-length={options.max_line_length}"),
            f"--max-complexity={options.max_complexity}",
            *([f"--select={','.join(options.select)}"] if options.select else []),
            *([f"--ignore={','.join(options.ignore)}"] if options.ignore else []),
            "--",
        ]

    def read(self, output: bytes, files: Batch) -> Reading:
        if MISUSE_WORDS.search(output):
            raise UnreadableOutputError("flake8 failed")
        places = Places()
        entries = [(files[fields[0]], fields) for fields in lines(output)]
        return Reading(
            tuple(finding(file, e, places) for file, e in entries if e[3] not in SYNTAX),
            tuple(failure(file, e) for file, e in entries if e[3] in SYNTAX),
        )


def lines(output: bytes) -> Iterator[list[str]]:
    for line in output.decode("utf-8", "replace").split("\n"):
        fields = line.split("\t", FIELDS - 1)
        if len(fields) == FIELDS:
            yield fields
        elif line:
            raise UnreadableOutputError(f"not a line of flake8: {line[:80]}")


def failure(file: StagedFile, fields: list[str]) -> Failure:
    return Failure(file.path, FailureKind.SYNTAX, fields[4], int(fields[1]))


def finding(file: StagedFile, fields: list[str], places: Places) -> Finding:
    line, column, code = int(fields[1]), max(int(fields[2]), 1), fields[3]
    at = Location(file.path, line, column, line, column)
    return Finding(
        tool="flake8",
        code=code,
        message=fields[4],
        severity=Severity.ERROR if code.startswith(BROKEN) else Severity.WARNING,
        location=at,
        source=places.source(file, at),
    )
