"""The tool calls of one run: each is looked up, timed, logged and counted on its way."""

import threading
import time
from dataclasses import dataclass, field
from typing import Protocol

from vetbox.progress import Progress
from vetbox.run.pack_proxy import DESCRIBE
from vetbox.run.packs import Catalogue
from vetbox.toolkit import ToolContext


class Log(Protocol):
    """Where calls are recorded."""

    def record(
        self,
        run_id: str,
        tool: str,
        arguments: object,
        *,
        outcome: str,
        duration_ms: float,
        **details: str,
    ) -> None: ...


@dataclass(slots=True)
class ToolCalls:
    """Answers the questions of one program; `used` are the tools it called, in order."""

    run_id: str
    catalogue: Catalogue
    context: ToolContext
    log: Log
    progress: Progress
    used: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def source(self) -> str:
        """The tools that a result came from, or `run` when there are none."""
        return ", ".join(dict.fromkeys(self.used)) or "run"

    def answer(self, name: str, args: list[object], kwargs: dict[str, object]) -> object:
        """The tool's value, or what it raises; nothing of it is believed to be well-formed."""
        if name == DESCRIBE:
            return self.catalogue.describe(str(args[0]) if args else None)
        tool = self.catalogue.tool(name)
        self._announce(name)
        started, outcome = time.perf_counter(), "error"
        try:
            value = tool(self.context, tuple(args), kwargs)
            outcome = "ok"
        except Exception as error:
            outcome = type(error).__name__
            raise
        finally:
            duration_ms = (time.perf_counter() - started) * 1000
            arguments = [args, sorted(kwargs.items())]
            self.log.record(self.run_id, name, arguments, outcome=outcome, duration_ms=duration_ms)
        return value

    def _announce(self, name: str) -> None:
        with self._lock:
            self.used.append(name)
            count = len(self.used)
        self.progress(count, 0, name)
