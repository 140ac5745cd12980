"""Discover and execute the tests of a trusted project."""

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from vetbox.process import Completed, Limits, run, surroundings
from vetbox.process.command import CHANNEL_VARIABLE
from vetbox.progress import Progress, no_progress
from vetbox.pytest_tools.command import command, discovery, environment, execution
from vetbox.pytest_tools.params import (
    DEFAULT_TIMEOUT_S,
    DiscoverTestsParams,
    ExecuteTestsParams,
)
from vetbox.pytest_tools.results import Channel, DiscoveredTests, Event, ExecutedTests, Session

LIMITS = Limits(
    memory_bytes=4_000_000_000,
    file_bytes=200_000_000,
    stdout_bytes=2_000_000,
    stderr_bytes=200_000,
)
# Pytest's exit codes: 0 all passed, 1 some failed, 5 none collected.
RESULTS = (0, 1, 5)
WRONG = {
    2: "pytest was interrupted or could not collect the tests",
    3: "pytest met an internal error",
    4: "pytest refused how it was called",
}
COLLECTION_FAILED = 2
SAID = 500  # characters of pytest's own last words in an error message
INTERNAL, TRACEBACK = "INTERNALERROR>", "Traceback (most recent call last)"

# Beside the project and a private folder: devices, memory that is shared, and what it is itself.
WRITABLE = (Path("/dev"), Path("/proc/self"))


def execute_tests(
    params: ExecuteTestsParams,
    project: Path,
    *,
    folders: Sequence[Path] = (),
    progress: Progress = no_progress,
    cancel: threading.Event | None = None,
) -> ExecutedTests:
    """Run the chosen tests of `project`. Ask for trust before: this runs the project's code.

    Where the system can confine them they write to the project, to a temporary folder of their own
    and to `folders`.

    `error_message` is set when pytest did not come to a result; failed tests are a result. Raises
    Cancelled within a second of `cancel`.
    """
    listener, started = _Listener(progress, cancel), time.monotonic()
    done = _pytest(project, execution(params), params.timeout, listener, folders)
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    session, duration_s = listener.session, time.monotonic() - started
    code = _exit_code(done, session)
    return session.executed(code, text, duration_s, _error(done, session, params.timeout))


def discover_tests(
    params: DiscoverTestsParams,
    project: Path,
    *,
    folders: Sequence[Path] = (),
    progress: Progress = no_progress,
    cancel: threading.Event | None = None,
) -> DiscoveredTests:
    """Collect the tests of `project`. Ask for trust before: this imports the project's code."""
    listener = _Listener(progress, cancel)
    done = _pytest(project, discovery(params), DEFAULT_TIMEOUT_S, listener, folders)
    session = listener.session
    error = _error(done, session, DEFAULT_TIMEOUT_S)
    uncollected = session.exit_code == COLLECTION_FAILED and session.unreadable
    return session.discovered(None if uncollected else error)


def _pytest(
    project: Path,
    arguments: Sequence[str],
    timeout_s: float,
    listener: "_Listener",
    folders: Sequence[Path],
) -> Completed:
    with surroundings() as place:
        return run(
            [*command(project, place, CHANNEL_VARIABLE), *arguments],
            cwd=project,
            env=environment(project, place),
            timeout_s=timeout_s,
            limits=replace(LIMITS, writable=(project, place.folder, *WRITABLE, *folders)),
            cancel=listener.cancel,
            channel=listener.take,
        )


class _Listener:
    """Hands events to the session and tells the caller, who may cancel, how far it is."""

    def __init__(self, progress: Progress, cancel: threading.Event | None) -> None:
        self.session, self.cancel = Session(), cancel
        self._progress = progress
        self._channel = Channel()
        self._tested: set[str] = set()

    def take(self, chunk: bytes) -> None:
        for event in self._channel.events(chunk):
            self.session.hear(event)
            self._tell(event)

    def _tell(self, event: Event) -> None:
        if event.get("event") == "report":
            node_id = str(event.get("node_id"))
            self._tested.add(node_id)
            self._progress(len(self._tested), self.session.collected, node_id)


def _exit_code(done: Completed, session: Session) -> int | None:
    """Pytest's own; a process that did not come to its end has none."""
    if done.timed_out or done.returncode < 0 or _left_early(done, session):
        return None
    return done.returncode if session.exit_code is None else session.exit_code


def _left_early(done: Completed, session: Session) -> bool:
    """Did a process that nobody killed never tell that the session ended, as pytest always does?"""
    return session.started and session.exit_code is None and done.returncode >= 0


def _error(done: Completed, session: Session, timeout_s: float) -> str | None:
    """Why there is no result, in a sentence; None when there is one."""
    last = last_words(done.stderr.decode("utf-8", "replace").strip())
    code = _exit_code(done, session)
    if done.timed_out:
        return f"The tests did not end within {timeout_s:g} s; everything they started was killed."
    if _left_early(done, session):
        left = f"pytest left with exit code {done.returncode} before it ended"
        return f"{left}: a test called os._exit() or closed the files of the process."
    if code is None:
        return f"pytest was killed by signal {-done.returncode} before it ended."
    if not session.started and code not in WRONG:
        return f"pytest could not start: {last or 'no reason was given'}"
    if code in RESULTS:
        return None
    reason = WRONG.get(code, f"pytest ended with exit code {code}")
    return f"{reason}: {last or 'see text_output'}"


def last_words(said: str) -> str:
    """Whole lines of pytest's last words; of a traceback the one line that says what it was."""
    lines = said.splitlines()
    if lines and (INTERNAL in said or TRACEBACK in said):
        return lines[-1].removeprefix(INTERNAL).strip()[-SAID:]
    kept = said[-SAID:]
    return kept if kept == said else kept.partition("\n")[2] or kept
