"""An interpreter as native code on disk, and how a run starts in it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

# How the engine compiles, so that it counts fuel and notices epochs.
ENGINE = MappingProxyType({"consume_fuel": True, "epoch_interruption": True})

CODE, START = "image.cwasm", "image.json"


@dataclass(frozen=True, slots=True)
class Snapshotted:
    """The memory is that of a started interpreter: run the stub at an address.

    `slots` are the addresses at which libc keeps the names of the mounts.
    """

    stub: int
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FromScratch:
    """Nothing is known about the interpreter: start it as its own main does, with a source."""

    source: str


Start: TypeAlias = Snapshotted | FromScratch


@dataclass(frozen=True, slots=True)
class Image:
    """What a host loads; `python` is the interpreter's version, if it is a known one."""

    code: Path
    start: Start
    sha256: str
    python: str | None

    @classmethod
    def read(cls, folder: Path) -> "Image":
        """From the folder it was written to."""
        return cls.from_json(folder, json.loads((folder / START).read_text()))

    @classmethod
    def from_json(cls, folder: Path, data: Mapping[str, Any]) -> "Image":
        """The image in a folder, from what `to_json` gave."""
        known = data["start"]
        start: Start = (
            FromScratch(known["source"])
            if "source" in known
            else Snapshotted(known["stub"], tuple(known["slots"]))
        )
        return cls(folder / CODE, start, data["sha256"], data["python"])

    def to_json(self) -> dict[str, Any]:
        """All of it but the folder."""
        return {"start": asdict(self.start), "sha256": self.sha256, "python": self.python}

    @property
    def metadata(self) -> dict[str, str | None]:
        """What a result says about the interpreter it came from."""
        start = "snapshot" if isinstance(self.start, Snapshotted) else "plain"
        return {"start": start, "interpreter_sha256": self.sha256, "python": self.python}
