"""The tools of other servers as the user approved them: a changed one is not called unseen."""

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vetbox.files.folders import Folder
from vetbox.toolkit import ToolError
from vetbox.trust import TrustStore, command

FILE = "servers.json"
MAX_BYTES = 10_000_000
MAX_NAMED = 5  # tools named in one error


@dataclass(frozen=True, slots=True)
class Approvals:
    """What each server of one project offered when it was first used since the project was trusted.

    `since` is the time of that trust: `vetbox trust` approves whatever the servers offer next.
    """

    folder: Path
    project: str
    since: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of(cls, store: TrustStore, project: Path) -> "Approvals":
        """The approvals that belong to the present trust in a project."""
        root = str(project.resolve())
        times = [one.time for one in store.projects() if one.project == root]
        return cls(store.folder, root, "".join(times))

    def check(self, server: str, tools: Mapping[str, str]) -> None:
        """Remember the digests of a server's tools, or raise ToolError when they have changed."""
        with self._lock:
            known = self._read()
            approved = known.setdefault(self._key(server), dict(tools))
            if approved == dict(tools):
                self._write(known)
                return
        changed = sorted(dict(approved.items() ^ tools.items()))
        named = ", ".join(changed[:MAX_NAMED]) + (", …" if len(changed) > MAX_NAMED else "")
        raise ToolError(
            f"The tools of '{server}' changed since they were approved ({named}): "
            f"look at them, then run {command(self.project)}."
        )

    def _key(self, server: str) -> str:
        return "\n".join([self.project, self.since, server])

    def _read(self) -> dict[str, dict[str, str]]:
        try:
            with Folder.open(self.folder) as folder:
                known = json.loads(folder.read(FILE, max_bytes=MAX_BYTES))
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise ToolError(f"{self.folder / FILE} is damaged: delete it.") from error
        return {str(key): dict(tools) for key, tools in known.items()}

    def _write(self, known: Mapping[str, Mapping[str, str]]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with Folder.open(self.folder) as folder:
            folder.replace(FILE, json.dumps(known, indent=1, sort_keys=True).encode())


def digest(tool: object) -> str:
    """SHA-256 of all that a server says of a tool."""
    return hashlib.sha256(json.dumps(tool, sort_keys=True).encode()).hexdigest()
