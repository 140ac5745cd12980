"""What every analyzer is: staged files in, an `Analysis` out."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from vetbox.boundary import Items, Params, invalid
from vetbox.boundary.params import from_json, list_from_json
from vetbox.findings import Analysis, Failure, Finding, position
from vetbox.staging import StagedFiles


def nobody(files: int, tool: str) -> None:
    """For a caller who does not want to know."""


@dataclass(frozen=True, slots=True)
class Job:
    """One call for analysis: whom to tell, when to stop. Setting `cancel` ends it in a second.

    `advance(files, tool)` hears from any thread that a tool is done with so many more files.
    """

    advance: Callable[[int, str], None] = nobody
    cancel: threading.Event = field(default_factory=threading.Event)


class Analyzer(Protocol):
    """A tool with its options."""

    @property
    def name(self) -> str: ...

    def analyze(self, files: StagedFiles, job: Job) -> Analysis:
        """What the tool says; paths are the project's. Raises Cancelled."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one run of a tool over some files said."""

    findings: tuple[Finding, ...] = ()
    failures: tuple[Failure, ...] = ()


def together(readings: Sequence[Reading]) -> Reading:
    """Several readings as one."""
    return Reading(
        tuple(finding for reading in readings for finding in reading.findings),
        tuple(failure for reading in readings for failure in reading.failures),
    )


class Options(Params):
    """What a caller may say to a tool: an allow-list, each key typed. `report` asks for a file."""

    report: Literal["json", "txt"] | None = None

    @model_validator(mode="before")
    @classmethod
    def underscored(cls, data: object) -> object:
        """`max-line-length`, as the tools themselves write it, is `max_line_length`."""
        if not isinstance(data, dict):
            return data
        return {str(key).replace("-", "_"): value for key, value in data.items()}


MAX_WORDS = 1_000
MAX_WORD = 100
"""Together below what the system takes as one argument of a command."""


@dataclass(frozen=True, slots=True)
class Words:
    """A list, or the comma-separated text that tools and the specification's examples use."""

    least: int = 0

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        listed = {**handler(schema), "minItems": self.least, "maxItems": MAX_WORDS}
        return {"anyOf": [listed, {"type": "string"}]}

    def read(self, value: object) -> tuple[object, ...]:
        """The words, each of bearable length."""
        value = from_json(value)
        if isinstance(value, str):
            value = tuple(word.strip() for word in value.split(",") if word.strip())
        words = list_from_json(value)
        Items(self.least, MAX_WORDS).counted(words)
        if any(isinstance(word, str) and len(word) > MAX_WORD for word in words):
            raise invalid(f"No code has more than {MAX_WORD} characters")
        return words


def ordered(analysis: Analysis) -> Analysis:
    """The same, each by its position: equal input gives equal bytes."""
    return replace(
        analysis,
        findings=tuple(sorted(analysis.findings, key=position)),
        failures=tuple(sorted(analysis.failures, key=lambda failure: (failure.path, failure.kind))),
    )
