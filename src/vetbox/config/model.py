"""The sections of `.onetool/onetool.yaml` and what each of their keys may hold."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from vetbox.config.upstream import Upstream
from vetbox.config.words import (
    Dotted,
    Folder,
    Host,
    InsidePath,
    Name,
    Origin,
    OwnName,
    Section,
    Text,
)

MAX_ENTRIES = 1_000
MAX_SNIPPET = 100_000  # characters of a snippet's body
MEGABYTE = 1_000_000


class Isolation(StrEnum):
    """What a program runs in."""

    SANDBOX = "sandbox"
    HOST = "host"


class ValidationErrors(StrEnum):
    """How invalid arguments are answered: as a JSON-RPC error, or as a tool's result."""

    PROTOCOL = "protocol"
    TOOL = "tool"


class SnippetParam(Section):
    """One value that a snippet is called with."""

    required: bool = False
    default: str | int | float | bool | None = None
    description: Text = ""


class Snippet(Section):
    """`$name k=v`: a template whose result is validated and run like any other code."""

    description: Text = ""
    params: Annotated[Mapping[Name, SnippetParam], Field(max_length=100)] = {}
    body: Annotated[str, Field(min_length=1, max_length=MAX_SNIPPET)]


class Output(Section):
    """How much of a result is shown at once, and how long the rest is kept."""

    max_inline_size: Annotated[int, Field(ge=1, le=10 * MEGABYTE)] = 50_000
    preview_lines: Annotated[int, Field(ge=0, le=1_000)] = 10
    result_ttl: Annotated[int, Field(ge=0, le=30 * 86_400)] = 3_600
    result_store_dir: InsidePath = "tmp"
    quota_bytes: Annotated[int, Field(ge=MEGABYTE, le=10_000 * MEGABYTE)] = 100 * MEGABYTE


class Security(Section):
    """What a program, or the project's tests, may do beyond computing."""

    isolation: Annotated[Isolation, Field(strict=False)] = Isolation.SANDBOX
    sanitize: bool = False
    triggers: Annotated[tuple[Text, ...], Field(max_length=100, strict=False)] = ()
    writable: Annotated[tuple[InsidePath, ...], Field(max_length=100, strict=False)] = ()
    test_folders: Annotated[tuple[Folder, ...], Field(max_length=100, strict=False)] = ()

    @property
    def test_paths(self) -> tuple[Path, ...]:
        """The folders outside the project that its tests may write to."""
        return tuple(Path(folder).expanduser() for folder in self.test_folders)


class ServerSettings(Section):
    """How `vetbox serve` answers its clients."""

    validation_errors: Annotated[ValidationErrors, Field(strict=False)] = ValidationErrors.PROTOCOL
    allowed_hosts: Annotated[tuple[Host, ...], Field(max_length=100, strict=False)] = ()
    allowed_origins: Annotated[tuple[Origin, ...], Field(max_length=100, strict=False)] = ()
    max_sessions: Annotated[int, Field(ge=1, le=10_000)] = 200
    max_calls: Annotated[int, Field(ge=1, le=256)] = 16


class SandboxSettings(Section):
    """Limits of a program in the sandbox; what is left out is the product's default.

    Their bounds are those of the sandbox's own policy, said here with their place in the file.
    """

    fuel_budget: Annotated[int, Field(gt=0, lt=1 << 62)] | None = None
    memory_bytes: Annotated[int, Field(ge=20 * MEGABYTE, le=2_000 * MEGABYTE)] | None = None
    timeout_seconds: Annotated[float, Field(gt=0, le=3_600)] | None = None
    stdout_max_bytes: Annotated[int, Field(gt=0, le=100 * MEGABYTE)] | None = None
    stderr_max_bytes: Annotated[int, Field(gt=0, le=100 * MEGABYTE)] | None = None
    max_disk_bytes: Annotated[int, Field(ge=0, lt=1 << 62)] | None = None
    max_files: Annotated[int, Field(ge=0, lt=1 << 62)] | None = None
    max_tool_calls: Annotated[int, Field(ge=0, lt=1 << 62)] | None = None


class ToolSettings(Section):
    """Which packs and tools a program sees, and how long one call may take in seconds."""

    disabled: Annotated[tuple[Dotted, ...], Field(max_length=MAX_ENTRIES, strict=False)] = ()
    timeout: Annotated[float, Field(gt=0, le=3_600)] = 30.0


class Config(Section):
    """A project's whole configuration; every section may be left out."""

    alias: Annotated[Mapping[OwnName, Dotted], Field(max_length=MAX_ENTRIES)] = {}
    snippets: Annotated[Mapping[Name, Snippet], Field(max_length=MAX_ENTRIES)] = {}
    servers: Annotated[Mapping[OwnName, Upstream], Field(max_length=100)] = {}
    projects: Annotated[
        Mapping[Name, Annotated[str, Field(max_length=4096, pattern=r"^[^\x00-\x1f\x7f]+$")]],
        Field(max_length=MAX_ENTRIES),
    ] = {}
    output: Output = Output()
    security: Security = Security()
    server: ServerSettings = ServerSettings()
    sandbox: SandboxSettings = SandboxSettings()
    tools: ToolSettings = ToolSettings()
    rules: Annotated[tuple[InsidePath, ...], Field(max_length=100, strict=False)] = ()

    @property
    def secret_names(self) -> tuple[str, ...]:
        """The environment variables that the servers' secrets are in."""
        return tuple(name for server in self.servers.values() for name in server.secret_names)

    @field_validator("alias")
    @classmethod
    def ends_at_a_tool(cls, alias: Mapping[str, str]) -> Mapping[str, str]:
        for name in alias:
            check_end(name, alias)
        return alias


def check_end(name: str, alias: Mapping[str, str]) -> None:
    """An alias leads to `pack.tool`, over other aliases or not, and never round in a circle."""
    path = [name]
    while (target := alias[path[-1]]) in alias:
        if target in path:
            raise ValueError(f"'{name}' refers to itself: {' -> '.join([*path, target])}")
        path.append(target)
    if "." not in target:
        raise ValueError(f"'{name}' must lead to pack.tool, not to '{target}'")
