"""Radon, where it is installed: blocks whose cyclomatic complexity ranks badly."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from vetbox.analyzers.base import Options, Reading
from vetbox.analyzers.external import Batch, CommandLineTool, json_output, python_tool
from vetbox.analyzers.places import Places
from vetbox.findings import Failure, FailureKind, Finding, Severity
from vetbox.process import Surroundings
from vetbox.staging import StagedFile

SEVERITIES = {"E": Severity.ERROR, "F": Severity.ERROR, "D": Severity.WARNING}


class RadonOptions(Options):
    """`min_rank`: the best rank that is reported, A (1 to 5 paths) to F (over 40)."""

    min_rank: Literal["A", "B", "C", "D", "E", "F"] = "C"


@dataclass(frozen=True)
class Radon(CommandLineTool):
    """Files in, complex blocks out."""

    name: ClassVar[str] = "radon"
    options: RadonOptions = field(default_factory=RadonOptions)

    def command(self, place: Surroundings) -> Sequence[str | Path]:
        return [*python_tool("radon", "cc", "--json", f"--min={self.options.min_rank}"), "--"]

    def read(self, output: bytes, files: Batch) -> Reading:
        answer = json_output(output)
        places = Places()
        blocks = [(files[copy], found) for copy, found in answer.items()]
        return Reading(
            tuple(
                finding(block, file, places)
                for file, found in blocks
                if isinstance(found, list)
                for block in found
            ),
            tuple(failures(blocks)),
        )


def failures(blocks: Sequence[tuple[StagedFile, Any]]) -> Iterator[Failure]:
    for file, found in blocks:
        if isinstance(found, Mapping):
            sentence = str(found.get("error", "not analysed")).replace("<unknown>, ", "")
            yield Failure(file.path, FailureKind.SYNTAX, sentence)


def finding(block: Mapping[str, Any], file: StagedFile, places: Places) -> Finding:
    at = places.by_bytes(file, (block["lineno"], block["col_offset"]))
    rank, complexity = block["rank"], block["complexity"]
    return Finding(
        tool="radon",
        code=f"CC-{rank}",
        message=f"{block['type']} {block['name']} has a cyclomatic complexity of {complexity}",
        severity=SEVERITIES.get(rank, Severity.INFO),
        native_severity=rank,
        location=at,
        source=places.source(file, at),
    )
