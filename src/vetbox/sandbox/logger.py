"""Structured log events of a sandbox: a name and its fields, on a standard logger."""

import json
import logging
from collections.abc import Mapping

from pydantic import JsonValue

from vetbox.sandbox.limits import Limit
from vetbox.sandbox.models import ExecutionPolicy, SandboxResult

# What a limit is called as a security event; the other limits are named like themselves.
EVENT_TYPES: Mapping[Limit, str] = {
    Limit.FUEL: "fuel_exhaustion",
    Limit.TIME: "timeout",
    Limit.MEMORY: "memory_exhaustion",
    Limit.OUTPUT: "output_flood",
    Limit.TOOL_CALLS: "tool_call_flood",
}


_LOGGER = logging.getLogger("vetbox.sandbox")
_LOGGER.addHandler(logging.NullHandler())  # a program that configures no logging sees none


class SandboxLogger:
    """Writes events to a logger: the message is the name and the fields as JSON.

    A record carries them apart as well, in its attributes `event` and `fields`.
    """

    def __init__(self, logger: logging.Logger | None = None) -> None:
        self._logger = logger or _LOGGER

    def log_execution_start(self, runtime: str, policy: ExecutionPolicy) -> None:
        """`execution.start`: the runtime and the policy it is about to run under."""
        if self._logger.isEnabledFor(logging.INFO):
            self._log(logging.INFO, "execution.start", runtime=runtime, **_limits(policy))

    def log_execution_complete(self, result: SandboxResult) -> None:
        """`execution.complete`: how the run ended and what it used up."""
        self._log(
            logging.INFO,
            "execution.complete",
            runtime="python",
            success=result.success,
            exit_code=result.exit_code,
            limit=result.limit,
            duration_ms=round(result.duration_ms, 3),
            fuel_consumed=result.fuel_consumed,
            memory_used_bytes=result.memory_used_bytes,
            tool_calls=result.tool_calls,
        )

    def log_security_event(self, event_type: str, details: Mapping[str, JsonValue]) -> None:
        """`security.<event_type>`: a program met a limit of its policy."""
        self._log(logging.WARNING, f"security.{event_type}", **details)

    def _log(self, level: int, event: str, **fields: JsonValue) -> None:
        if self._logger.isEnabledFor(level):
            extra = {"event": event, "fields": fields}
            self._logger.log(level, "%s %s", event, json.dumps(fields), extra=extra)


def _limits(policy: ExecutionPolicy) -> dict[str, JsonValue]:
    """The policy without its environment, whose values may be secret."""
    return policy.model_dump(mode="json", exclude={"env", "mounts"})
