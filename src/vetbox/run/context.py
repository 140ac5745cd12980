"""What a run lends to the packs it calls."""

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vetbox import __version__
from vetbox.config import Config
from vetbox.run.judge import Judges
from vetbox.run.packs import Catalogue
from vetbox.run.project_files import HostProjectFiles
from vetbox.run.result_store import OWN_FOLDER, ResultStore
from vetbox.toolkit import PackCard, RuleCard


class RunOver(threading.Event):
    """Set when a run is over, and as good as set when its caller has cancelled it."""

    def __init__(self, cancelled: threading.Event) -> None:
        super().__init__()
        self._cancelled = cancelled

    def is_set(self) -> bool:
        return super().is_set() or self._cancelled.is_set()


@dataclass(frozen=True, slots=True)
class RunContext:
    """The `ToolContext` of one run."""

    root: Path
    config: Config
    trusted: bool
    isolation: str
    catalogue: Catalogue
    store: ResultStore
    judges: Judges
    projects: Mapping[str, str]
    aliases: Mapping[str, str]
    cancel: threading.Event

    @property
    def files(self) -> HostProjectFiles:
        kept = f"{OWN_FOLDER}/{self.store.folder}"
        return HostProjectFiles(self.root, self.config.security.writable, (kept,), self.cancel)

    @property
    def snippets(self) -> Mapping[str, Mapping[str, object]]:
        dumped = {name: one.model_dump(mode="json") for name, one in self.config.snippets.items()}
        return {
            name: {k: one[k] for k in ("description", "params")} for name, one in dumped.items()
        }

    def packs(self) -> Sequence[PackCard]:
        return self.catalogue.cards

    def rules(self) -> Sequence[RuleCard]:
        return self.judges.rules()

    def settings(self) -> Mapping[str, object]:
        return self.config.model_dump(mode="json")

    def health(self) -> Mapping[str, object]:
        problems = list(self.catalogue.problems)
        return {
            "status": "degraded" if problems else "ok",
            "version": __version__,
            "isolation": self.isolation,
            "trusted": self.trusted,
            "packs": list(self.catalogue.packs),
            "problems": problems,
        }

    def page(
        self, handle: str, *, offset: int, limit: int, search: str | None
    ) -> Mapping[str, object]:
        return self.store.page(handle, offset=offset, limit=limit, search=search)


def projects_of(config: Config, root: Path) -> Mapping[str, str]:
    """The configured projects, `~` and paths relative to this project made absolute."""
    configured = config.projects.items()
    return {name: str(root / os.path.expanduser(path)) for name, path in configured}


def aliases_of(config: Config) -> Mapping[str, str]:
    """Every alias and the `pack.tool` it leads to, over other aliases or not."""
    return {name: _target(name, config.alias) for name in config.alias}


def _target(alias: str, aliases: Mapping[str, str]) -> str:
    target = aliases[alias]
    while target in aliases:  # the configuration refuses circles
        target = aliases[target]
    return target
