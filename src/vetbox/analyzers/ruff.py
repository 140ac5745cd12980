"""Ruff: its security rules by default, any of its rules on demand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from vetbox.analyzers.base import Options, Reading, Words
from vetbox.analyzers.codes import ruff_cwe, ruff_severity
from vetbox.analyzers.external import (
    Batch,
    CommandLineTool,
    ToolMissingError,
    json_output,
)
from vetbox.analyzers.places import Places
from vetbox.boundary import WholeNumber
from vetbox.findings import Failure, FailureKind, Finding, Location
from vetbox.process import Surroundings
from vetbox.staging import StagedFile

Rule = Annotated[str, Field(pattern=r"^[A-Z]{1,6}[0-9]{0,5}$")]
Rules = Annotated[tuple[Rule, ...], Words()]
Version: TypeAlias = Literal["py38", "py39", "py310", "py311", "py312", "py313", "py314"]
NEWEST: Version = "py314"  # newer grammar than a project's own is no syntax error
SYNTAX, UNREAD = (None, "invalid-syntax"), "E902"
# Measured against hostile projects: no file, cache or comment of the target decides anything.
NEUTRAL = (
    *("--isolated", "--no-cache", "--no-fix", "--no-respect-gitignore", "--ignore-noqa"),
    *("--no-preview", "--exit-zero", "--output-format", "json"),
)


class RuffOptions(Options):
    """`select` and `ignore` take rule codes or their prefixes."""

    select: Annotated[tuple[Rule, ...], Words(least=1)] = ("S",)
    ignore: Rules = ()
    target_version: Version = NEWEST
    line_length: Annotated[int, WholeNumber(1, 320)] = 88


@dataclass(frozen=True)
class Ruff(CommandLineTool):
    """Files in, ruff's findings out."""

    name: ClassVar[str] = "ruff"
    options: RuffOptions = field(default_factory=RuffOptions)

    def command(self, place: Surroundings) -> Sequence[str | Path]:
        options = self.options
        return [
            *(installed(), "check", *NEUTRAL),
            *("--select", ",".join(options.select)),
            *(("--ignore", ",".join(options.ignore)) if options.ignore else ()),
            *("--target-version", options.target_version),
            *("--line-length", str(options.line_length), "--"),
        ]

    def read(self, output: bytes, files: Batch) -> Reading:
        entries = json_output(output)
        places = Places()
        named = [(entry, files[entry["filename"]]) for entry in entries]
        return Reading(
            tuple(finding(e, file, places) for e, file in named if not failed(e)),
            tuple(failure(e, file) for e, file in first_failures(named)),
        )


def installed() -> Path:
    """The ruff that was installed with vetbox, never one that PATH or a project offers."""
    try:
        from ruff import find_ruff_bin

        return Path(find_ruff_bin()).resolve(strict=True)
    except (ImportError, FileNotFoundError) as error:
        raise ToolMissingError("ruff is not installed; install vetbox again.") from error


def failed(entry: dict[str, object]) -> bool:
    return entry["code"] in (*SYNTAX, UNREAD)


def first_failures(
    named: Sequence[tuple[dict[str, object], StagedFile]],
) -> list[tuple[dict[str, object], StagedFile]]:
    """One syntax error breeds many; the first says it."""
    firsts: dict[str, tuple[dict[str, object], StagedFile]] = {}
    for entry, file in named:
        if failed(entry):
            firsts.setdefault(file.path, (entry, file))
    return list(firsts.values())


def failure(entry: dict[str, object], file: StagedFile) -> Failure:
    kind = FailureKind.UNREADABLE if entry["code"] == UNREAD else FailureKind.SYNTAX
    line, _ = row_and_column(entry["location"])
    return Failure(file.path, kind, str(entry["message"]), line)


def finding(entry: dict[str, object], file: StagedFile, places: Places) -> Finding:
    code = str(entry["code"])
    at = Location(
        file.path, *row_and_column(entry["location"]), *row_and_column(entry["end_location"])
    )
    return Finding(
        tool="ruff",
        code=code,
        message=str(entry["message"]),
        severity=ruff_severity(code),
        location=at,
        cwe=ruff_cwe(code),
        source=places.source(file, at),
    )


def row_and_column(place: object) -> tuple[int, int]:
    return (int(place["row"]), int(place["column"])) if isinstance(place, dict) else (1, 1)
