"""What goes into the box and what comes out: the policy of a run, and its result."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from vetbox.sandbox.limits import Limit

MEGABYTE = 1_000_000
MINIMUM_MEMORY = (
    20 * MEGABYTE
)  # the initialised interpreter takes 15, and run()'s guest with it 17.5
OWN_FOLDERS = ("/app", "/usr/local/lib")  # the workspace and the standard library
MAXIMUM_MEMORY = 2_000 * MEGABYTE  # guest addresses have 32 bits


class Mount(BaseModel):
    """A host folder that the program sees, and cannot change, at an absolute path of its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str
    guest: str = Field(max_length=100)

    @field_validator("guest")
    @classmethod
    def _absolute(cls, guest: str) -> str:
        path = PurePosixPath(guest)
        if not path.is_absolute() or ".." in path.parts or len(path.parts) < 2:  # noqa: PLR2004
            raise ValueError("must be an absolute path such as /data, without '..'")
        return str(path)


class ExecutionPolicy(BaseModel):
    """What a program may use up. Bytes are decimal: 1 MB is 1,000,000 bytes.

    `fuel_budget` counts WebAssembly instructions, about 10 billion in a busy second;
    `max_disk_bytes` what the program may write in one run and `max_files` the files, folders and
    links it may make; `max_message_bytes` bounds one message over the bridge.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fuel_budget: Annotated[int, Field(gt=0, lt=1 << 62)] = 200_000_000_000
    memory_bytes: Annotated[int, Field(ge=MINIMUM_MEMORY, le=MAXIMUM_MEMORY)] = 128 * MEGABYTE
    timeout_seconds: Annotated[float, Field(gt=0, le=86_400)] = 30.0
    stdout_max_bytes: Annotated[int, Field(ge=0, le=100 * MEGABYTE)] = MEGABYTE
    stderr_max_bytes: Annotated[int, Field(ge=0, le=100 * MEGABYTE)] = 100_000
    max_disk_bytes: Annotated[int, Field(ge=0, lt=1 << 62)] = 64 * MEGABYTE
    max_files: Annotated[int, Field(ge=0, lt=1 << 62)] = 1_000
    max_tool_calls: Annotated[int, Field(ge=0)] = 10_000
    max_message_bytes: Annotated[int, Field(ge=1_000, le=40 * MEGABYTE)] = 10 * MEGABYTE
    env: Mapping[str, str] = Field(default_factory=dict)
    mounts: tuple[Mount, ...] = Field(default=(), max_length=4)

    @field_validator("env")
    @classmethod
    def _nameable(cls, env: Mapping[str, str]) -> Mapping[str, str]:
        for name, value in env.items():
            if not name or "=" in name or "\0" in name + value:
                raise ValueError(
                    f"{name!r} cannot be a variable: a name has no '=' and no null byte"
                )
        return env

    @field_validator("mounts")
    @classmethod
    def _apart(cls, mounts: tuple[Mount, ...]) -> tuple[Mount, ...]:
        """Of two folders at one place, or of one around the program's own, only one is seen."""
        places = [PurePosixPath(mount.guest) for mount in mounts]
        for number, place in enumerate(places):
            hidden = [own for own in OWN_FOLDERS if PurePosixPath(own).is_relative_to(place)]
            if hidden or place in places[:number]:
                raise ValueError(f"{place} is taken by {[*hidden, place][0]}; choose another place")
        return mounts


class SandboxResult(BaseModel):
    """How a run ended.

    `success` means the program came to its end with exit code 0. `duration_ms` (wall time) and
    `fuel_consumed` (WebAssembly instructions) are the program's own; the interpreter's start is in
    `startup_ms`. `memory_used_bytes` is the peak, the interpreter's own 15 MB included. `limit`
    names the limit that ended the run and `error` says it in a sentence. `value` is what the guest
    package's entry returned. File paths are relative to the workspace.
    """

    model_config = ConfigDict(frozen=True)

    success: bool
    stdout: str = ""
    stderr: str = ""
    exit_code: int | None = None
    value: object = None
    limit: Limit | None = None
    error: str | None = None
    fuel_consumed: int = 0
    memory_used_bytes: int = 0
    duration_ms: float = 0.0
    startup_ms: float = 0.0
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    files_created: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    files_deleted: tuple[str, ...] = ()
    workspace_path: str = ""
    tool_calls: int = 0
    metadata: Mapping[str, JsonValue] = Field(default_factory=dict)
