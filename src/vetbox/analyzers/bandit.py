"""Bandit: every one of its tests, with its comments and configuration switched off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from vetbox.analyzers.base import Options, Reading, Words
from vetbox.analyzers.external import Batch, CommandLineTool, json_output, python_tool
from vetbox.analyzers.places import Places
from vetbox.findings import Confidence, Failure, FailureKind, Finding, Severity
from vetbox.process import Surroundings
from vetbox.staging import StagedFile

Test = Annotated[str, Field(pattern=r"^B[0-9]{3}$")]
Tests = Annotated[tuple[Test, ...], Words()]
Level = Literal["low", "medium", "high"]
SEVERITIES = {"HIGH": Severity.ERROR, "MEDIUM": Severity.WARNING, "LOW": Severity.INFO}
CONFIDENCES = {"HIGH": Confidence.HIGH, "MEDIUM": Confidence.MEDIUM, "LOW": Confidence.LOW}
SYNTAX = "syntax error"


class BanditOptions(Options):
    """`tests` are the only ones to run, `skips` the ones not to; levels are minima."""

    tests: Tests = ()
    skips: Tests = ()
    severity_level: Level = "low"
    confidence_level: Level = "low"


@dataclass(frozen=True)
class Bandit(CommandLineTool):
    """Files in, bandit's findings out."""

    name: ClassVar[str] = "bandit"
    options: BanditOptions = field(default_factory=BanditOptions)

    def command(self, place: Surroundings) -> Sequence[str | Path]:
        options = self.options
        empty = place.folder / "bandit.ini"  # else bandit looks for one beside the files
        empty.write_text("[bandit]\n", encoding="utf-8")
        return [
            *python_tool("bandit", "--ini", str(empty), "--ignore-nosec", "-f", "json", "-q"),
            *("--exit-zero", "--severity-level", options.severity_level),
            *("--confidence-level", options.confidence_level),
            *(("--tests", ",".join(options.tests)) if options.tests else ()),
            *(("--skip", ",".join(options.skips)) if options.skips else ()),
            "--",
        ]

    def read(self, output: bytes, files: Batch) -> Reading:
        answer = json_output(output)
        places = Places()
        return Reading(
            tuple(finding(entry, files[entry["filename"]], places) for entry in answer["results"]),
            tuple(failure(files[entry["filename"]], entry["reason"]) for entry in answer["errors"]),
        )


def failure(file: StagedFile, reason: str) -> Failure:
    """Bandit exits 0 for files it could not read; here they are failures."""
    kind = FailureKind.SYNTAX if reason.startswith(SYNTAX) else FailureKind.UNSUPPORTED
    return Failure(file.path, kind, reason)


def finding(entry: Mapping[str, Any], file: StagedFile, places: Places) -> Finding:
    line, first = entry["line_number"], entry["col_offset"]
    last = max(entry["line_range"], default=line)
    at = places.by_bytes(file, (line, first), (last, max(entry["end_col_offset"], 0)))
    return Finding(
        tool="bandit",
        code=entry["test_id"],
        message=entry["issue_text"],
        severity=SEVERITIES.get(entry["issue_severity"], Severity.INFO),
        native_severity=entry["issue_severity"],
        confidence=CONFIDENCES.get(entry["issue_confidence"], Confidence.LOW),
        location=at,
        cwe=(entry["issue_cwe"]["id"],) if entry.get("issue_cwe") else (),
        source=places.source(file, at),
    )
