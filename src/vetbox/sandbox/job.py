"""One run as the host sees it: what it is given and how it ended; both cross to workers as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vetbox.sandbox.limits import Limit


class Crossing:
    """What crosses to a worker, or back, as JSON."""

    __slots__: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Every field as it is: unlike `dataclasses.asdict`, this copies nothing."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Job(Crossing):
    """A program (the JSON text the guest's boot reads) with its folders and limits.

    Times are seconds, sizes bytes; `mounts` are pairs of a host folder and a guest path.
    """

    program: str
    workspace: str
    mounts: tuple[tuple[str, str], ...]
    fuel: int
    memory: int
    timeout: float
    stdout_max: int
    stderr_max: int
    disk: int
    files: int
    file_size: int
    tool_calls: int
    message_max: int

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Job":
        """From what `to_json` gave, after a journey as JSON."""
        mounts = tuple((host, guest) for host, guest in data["mounts"])
        return cls(**{**data, "mounts": mounts})


@dataclass(frozen=True, slots=True)
class Ending(Crossing):
    """How a run ended. `value` is text of the wire; without it the program did not finish."""

    exit_code: int | None = None
    value: str | None = None
    limit: Limit | None = None
    error: str | None = None
    stdout: str = ""
    stderr: str = ""
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    fuel: int = 0
    memory: int = 0
    startup_ms: float = 0.0
    duration_ms: float = 0.0
    tool_calls: int = 0
    metadata: Mapping[str, str | None] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Ending":
        """From what `to_json` gave, after a journey as JSON."""
        limit = data["limit"]
        return cls(**{**data, "limit": None if limit is None else Limit(limit)})
