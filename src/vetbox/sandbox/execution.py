"""Running untrusted Python: from a policy and a text to a result."""

import dataclasses
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vetbox.sandbox.box import Box, open_box
from vetbox.sandbox.errors import SandboxError
from vetbox.sandbox.guest import wire
from vetbox.sandbox.job import Ending, Job
from vetbox.sandbox.limits import CANCELLED, Limit
from vetbox.sandbox.models import ExecutionPolicy, SandboxResult
from vetbox.sandbox.tools import TimedToolbox, Toolbox
from vetbox.sandbox.watch import Watch
from vetbox.sandbox.workspace import FileDelta, Identity, delta, inventory, opened


@dataclass(frozen=True, slots=True)
class Program:
    """A text to run; `payload` is what the guest package's entry gets with it."""

    code: str
    filename: str = "user_code.py"
    inject_setup: bool = True
    payload: object = None


def run_untrusted_python(  # noqa: PLR0913 - three of them by name only
    program: Program | str,
    policy: ExecutionPolicy | None = None,
    workspace: Path | None = None,
    *,
    box: Box | None = None,
    toolbox: Toolbox | None = None,
    cancel: threading.Event | None = None,
) -> SandboxResult:
    """Run a program in a workspace (or a private one) with the host's tools at hand.

    `box` is where it runs, by default worker processes with the default interpreter; setting
    `cancel` ends the run. Raises SandboxError where the box fails; a program that does is a result.
    """
    policy = policy or ExecutionPolicy()
    toolbox = toolbox or Toolbox()
    box = box or open_box(policy.memory_bytes)
    program = Program(program) if isinstance(program, str) else program
    with opened(workspace) as folder:
        before = {} if workspace is None else inventory(folder)
        job = _job(program, policy, folder, before, toolbox)
        watch = Watch(policy.timeout_seconds, cancel)
        with TimedToolbox(toolbox, watch, policy.max_message_bytes) as timed:
            ending = box.run(job, timed, cancel, watch.begin)
            if timed.cut is not None:
                ending = dataclasses.replace(ending, limit=timed.cut)
        return _result(ending, delta(before, inventory(folder)), folder, policy, toolbox)


def _job(
    program: Program,
    policy: ExecutionPolicy,
    folder: Path,
    before: Mapping[str, Identity],
    toolbox: Toolbox,
) -> Job:
    _check_mounts(policy)
    return Job(
        program=_order(program, policy, toolbox),
        workspace=os.path.abspath(folder),  # a worker may have started in another folder
        mounts=tuple((os.path.abspath(mount.host), mount.guest) for mount in policy.mounts),
        fuel=policy.fuel_budget,
        memory=policy.memory_bytes,
        timeout=policy.timeout_seconds,
        stdout_max=policy.stdout_max_bytes,
        stderr_max=policy.stderr_max_bytes,
        disk=policy.max_disk_bytes,
        files=policy.max_files,
        file_size=policy.max_disk_bytes + max((size for _, size, _ in before.values()), default=0),
        tool_calls=policy.max_tool_calls,
        message_max=policy.max_message_bytes,
    )


def _check_mounts(policy: ExecutionPolicy) -> None:
    for mount in policy.mounts:
        if not Path(mount.host).is_dir():
            raise SandboxError(f"There is no folder {mount.host} to mount at {mount.guest}.")


def _order(program: Program, policy: ExecutionPolicy, toolbox: Toolbox) -> str:
    """What the guest's boot reads."""
    return wire.dumps(
        {
            "code": program.code,
            "filename": program.filename,
            "inject_setup": program.inject_setup,
            "env": dict(policy.env),
            "payload": program.payload,
        },
        toolbox.tags,
    )


def _result(
    ending: Ending, files: FileDelta, folder: Path, policy: ExecutionPolicy, toolbox: Toolbox
) -> SandboxResult:
    value, refused = _value(ending, toolbox)
    error = _LIMIT_SENTENCES[ending.limit](policy) if ending.limit else ending.error or refused
    stderr = _with_error(ending.stderr, error, policy.stderr_max_bytes)
    return SandboxResult(
        success=error is None and ending.exit_code == 0,
        stdout=ending.stdout,
        stderr=stderr,
        exit_code=ending.exit_code,
        value=value,
        limit=ending.limit,
        error=error,
        fuel_consumed=ending.fuel,
        memory_used_bytes=ending.memory,
        duration_ms=ending.duration_ms,
        startup_ms=ending.startup_ms,
        stdout_truncated=ending.stdout_truncated,
        stderr_truncated=ending.stderr_truncated,
        files_created=files.created,
        files_modified=files.modified,
        files_deleted=files.deleted,
        workspace_path=str(folder),
        tool_calls=ending.tool_calls,
        metadata=ending.metadata,
    )


def _value(ending: Ending, toolbox: Toolbox) -> tuple[object, str | None]:
    """The value and nothing, or nothing and why what the guest sent is not a value."""
    if ending.value is None:
        return None, None
    try:
        return wire.loads(ending.value, toolbox.tags), None
    except wire.WireError as error:
        return None, f"The program's result is {error}."


# The first word is the one to search a log for.
_LIMIT_SENTENCES: Mapping[Limit, Callable[[ExecutionPolicy], str]] = {
    Limit.FUEL: lambda p: f"OutOfFuel: the program used up its fuel_budget of {p.fuel_budget:,}.",
    Limit.TIME: lambda p: (
        f"TimeoutError: the program ran longer than timeout_seconds, {p.timeout_seconds:g}."
    ),
    Limit.OUTPUT: lambda p: (
        f"OutputFlood: the program printed far more than stdout_max_bytes, {p.stdout_max_bytes:,}, "
        f"or stderr_max_bytes, {p.stderr_max_bytes:,}."
    ),
    Limit.TOOL_CALLS: lambda p: (
        f"ToolCallFlood: the program made more than max_tool_calls, {p.max_tool_calls:,}."
    ),
    Limit.CANCELLED: lambda _: CANCELLED,
}


def _with_error(stderr: str, error: str | None, cap: int) -> str:
    """What the program printed and the sentence behind it, within the cap."""
    if error is None:
        return stderr
    separator = "" if not stderr or stderr.endswith("\n") else "\n"
    line = f"{separator}{error}\n".encode()
    room = max(0, cap - len(line))
    return (stderr.encode()[:room] + line[:cap]).decode("utf-8", "ignore")
