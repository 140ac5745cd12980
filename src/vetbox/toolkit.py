"""What a pack may know of vetbox: the context its functions are called with, and its errors.

A pack is a module of functions. Each public one is a tool; one whose first parameter is a
`ToolContext` is given the run's, and callers do not see that parameter.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from vetbox.errors import VetboxError


class ToolError(VetboxError):
    """A tool cannot do what it was asked; the program can catch it, the text says why."""


class ProjectPath(PurePosixPath):
    """The path on the host of a configured project, or of something in it."""


@dataclass(frozen=True, slots=True)
class ToolCard:
    """One tool as a reader sees it: `name` is `pack.tool`, `doc` its whole description."""

    name: str
    signature: str
    doc: str

    @property
    def summary(self) -> str:
        return self.doc.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class PackCard:
    """One pack: `origin` is internal, extension or mcp."""

    name: str
    origin: str
    doc: str
    tools: tuple[ToolCard, ...]


@dataclass(frozen=True, slots=True)
class RuleCard:
    """One rule of the judge: what it forbids, why, and what to write in its place."""

    id: str
    message: str
    severity: str
    why: str
    instead: str


@dataclass(frozen=True, slots=True)
class Match:
    """A line that a search found; `line` counts from 1."""

    path: str
    line: int
    text: str


class ProjectFiles(Protocol):
    """The files below the project's root; paths are relative to it, links are never followed.

    Every method raises ToolError for what it may not or cannot do.
    """

    def read(self, path: str | PurePosixPath, *, max_bytes: int) -> bytes:
        """The whole content of a regular file of at most `max_bytes`."""

    def write(self, path: str | PurePosixPath, data: bytes) -> None:
        """Put `data` in place of the file, where `security.writable` allows that path."""

    def matching(self, pattern: str, *, limit: int) -> Sequence[str]:
        """The first `limit` paths, in order, that a glob such as `src/**/*.py` matches."""

    def search(
        self, expression: str, *, pattern: str, ignore_case: bool, limit: int
    ) -> Sequence[Match]:
        """The first `limit` lines that an RE2 expression matches in files that a glob does."""


class ToolContext(Protocol):
    """What a run lends to the packs it calls."""

    @property
    def files(self) -> ProjectFiles:
        """The files of the project."""

    @property
    def projects(self) -> Mapping[str, str]:
        """The configured projects: their paths by name."""

    @property
    def aliases(self) -> Mapping[str, str]:
        """The tools, as `pack.tool`, by their short names."""

    @property
    def snippets(self) -> Mapping[str, Mapping[str, object]]:
        """The configured snippets by name: description, parameters and body."""

    @property
    def cancel(self) -> threading.Event:
        """Set when nobody waits for the answer any more."""

    def packs(self) -> Sequence[PackCard]:
        """Every pack that this run can call."""

    def rules(self) -> Sequence[RuleCard]:
        """The rules that programs are held to."""

    def settings(self) -> Mapping[str, object]:
        """The configuration in effect; secrets stand as references."""

    def health(self) -> Mapping[str, object]:
        """What works and what does not."""

    def page(
        self, handle: str, *, offset: int, limit: int, search: str | None
    ) -> Mapping[str, object]:
        """`limit` lines of a kept result from line `offset` (1-based) of those with `search`."""
