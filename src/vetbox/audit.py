"""The audit log: one line for every tool call a program makes, without its secrets."""

import hashlib
import json
import threading
from datetime import UTC, datetime
from pathlib import Path

from vetbox.errors import VetboxError
from vetbox.files.folders import Folder

FOLDER = (".onetool", "log")
FILE = "audit.jsonl"
# Two files of this size are kept: about 20,000 calls each.
MAX_BYTES = 5_000_000


_written = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


class AuditError(VetboxError):
    """A call could not be logged."""


class AuditLog:
    """`.onetool/log/audit.jsonl` of one project; safe to use from many threads."""

    def __init__(self, project: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self._project, self._max_bytes = project, max_bytes
        self._lock = threading.Lock()

    def record(
        self,
        run_id: str,
        tool: str,
        arguments: object,
        *,
        outcome: str,
        duration_ms: float,
        **details: str,
    ) -> None:
        """Add one line; of `arguments` only their digest is kept. Raises AuditError."""
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "run_id": run_id,
            "tool": tool,
            "arguments_sha256": digest(arguments),
            "outcome": outcome,
            "duration_ms": round(duration_ms, 3),
            **details,
        }
        line = _written(entry) + "\n"
        try:
            self._append(line.encode())
        except (OSError, VetboxError) as error:
            raise AuditError(f"The call of {tool} cannot be logged: {error}") from error

    def _append(self, line: bytes) -> None:
        with self._lock, Folder.open(self._project, *FOLDER, create=True) as folder:
            if folder.append(FILE, line) > self._max_bytes:
                folder.rename(FILE, FILE + ".1")


def digest(value: object) -> str:
    """SHA-256 of a text in UTF-8, or of what Python would print for any other value."""
    text = value if isinstance(value, str) else repr(value)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
