"""Runs a command: takes off what is wrapped around it, judges it, executes it, answers in text."""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vetbox.audit import AuditError, AuditLog, digest
from vetbox.config import Config, Isolation
from vetbox.errors import VetboxError
from vetbox.findings import Severity
from vetbox.progress import Progress, no_progress
from vetbox.run.approvals import Approvals
from vetbox.run.calls import ToolCalls
from vetbox.run.command import CommandResult, Stage
from vetbox.run.context import RunContext, RunOver, aliases_of, projects_of
from vetbox.run.executors import DirectExecutor, Execution, HostIsolation, SandboxIsolation
from vetbox.run.fence_processor import refuse_legacy_prefix, strip_fences
from vetbox.run.guest.main import SANITIZE, World
from vetbox.run.judge import Judgement, Judges, judges_of
from vetbox.run.outcome import Finished, Raised
from vetbox.run.packs import Catalogue, unguarded
from vetbox.run.presentation import Presentation
from vetbox.run.program import flag_set_in
from vetbox.run.reply import error_text, printed_text, refusal, result_text, with_hint
from vetbox.run.result_store import ResultStore
from vetbox.run.shorthand import SnippetError, expanded
from vetbox.run.tool_loader import load
from vetbox.sandbox import ExecutionPolicy, Limit
from vetbox.sandbox.limits import CANCELLED
from vetbox.telling import tell
from vetbox.trust import config_folder, untrusted_notice

REFUSED = "Refused"  # the error type of code that the rules do not let run
STOPPED = "Stopped"  # the error type of code that a limit ended

_log = logging.getLogger(__name__)


class Runner:
    """Runs the commands of one project; safe to use from many threads.

    Without trust there are the internal packs and the sandbox, whatever the configuration says.
    `policy` takes the place of the configured limits, `workspace` of each run's private folder;
    `guard` is asked before each use of a pack of the project's own.
    """

    def __init__(  # noqa: PLR0913 - its collaborators, handed in by name
        self,
        root: Path,
        config: Config,
        *,
        trusted: bool,
        audit: AuditLog,
        approvals: Approvals | None = None,
        guard: Callable[[str], None] = unguarded,
        judges: Judges | None = None,
        policy: ExecutionPolicy | None = None,
        workspace: Path | None = None,
        check_security: bool = True,
    ) -> None:
        self.root, self.config, self.trusted = root, config, trusted
        self.audit = audit
        own_rules = tuple(root / path for path in config.rules) if trusted else ()
        self._judges = judges or judges_of(own_rules)
        self._guard = guard
        self._approvals = approvals or Approvals(config_folder(), str(root))
        self._check_security = check_security
        self._loading = threading.Lock()
        self._catalogue: Catalogue | None = None
        self.executor = _executor(config, policy, workspace, trusted=trusted)
        output = config.output
        store = ResultStore(root, output.result_store_dir, output.result_ttl, output.quota_bytes)
        self.presentation = Presentation(config, store)
        self._projects, self._aliases = projects_of(config, root), aliases_of(config)

    @property
    def catalogue(self) -> Catalogue:
        """The packs of the project, found when first asked for."""
        with self._loading:
            if self._catalogue is None:
                self._catalogue = load(
                    self.root,
                    self.config,
                    trusted=self.trusted,
                    approvals=self._approvals,
                    guard=self._guard,
                )
            return self._catalogue

    def run(
        self,
        command: str,
        *,
        cancel: threading.Event | None = None,
        progress: Progress = no_progress,
    ) -> CommandResult:
        """Run one command; whatever is wrong with it is a result, never an exception.

        With `cancel` set before the result is there, the result is that the run was cancelled,
        whichever step heard of it first and in whatever words.
        """
        run = _Run(self, command, uuid.uuid4().hex)
        cancel = cancel or threading.Event()
        result = run.cancelled() if cancel.is_set() else self._answer(run, cancel, progress)
        if cancel.is_set() and result.limit != Limit.CANCELLED:
            return run.cancelled(result.fuel)
        return result

    def _answer(self, run: "_Run", cancel: threading.Event, progress: Progress) -> CommandResult:
        try:
            *_, stage = self.prepared(run.command)
            judgement = self.judgement(stage.text, cancel)
            if not judgement.verdict.valid:
                return run.refused(judgement)
            return run.executed(judgement.code, cancel, progress)
        except SnippetError as error:
            return run.ended(self.hinted(str(error)), success=False, error_type="SnippetError")
        except VetboxError as error:
            return run.ended(str(error), success=False, error_type=type(error).__name__)

    def hinted(self, error: str) -> str:
        """An error about a name, which a configuration that is not trusted might define."""
        notice = None if self.trusted else untrusted_notice(self.root)
        return error if notice is None else f"{error}\n{notice}"

    def explain(self, command: str) -> tuple[Stage, ...]:
        """What each step makes of a command, up to the verdict; nothing is executed."""
        try:
            stages = tuple(self.prepared(command))
            judgement = self.judgement(stages[-1].text)
        except VetboxError as error:
            return (Stage("refused", str(error)),)
        verdict = judgement.verdict
        said = (
            refusal(verdict.findings, judgement.rules, judgement.code)
            if not verdict.valid
            else "valid"
        )
        return (*stages, Stage("indented", judgement.code), Stage("verdict", said))

    def prepared(self, command: str) -> Iterator[Stage]:
        """The command after each step; the last is code to be judged."""
        yield Stage("command", command)
        code = strip_fences(command)
        refuse_legacy_prefix(code)
        yield Stage("without fences", code)
        yield Stage("expanded", expanded(code, self.config.snippets))

    def judgement(self, code: str, cancel: threading.Event | None = None) -> Judgement:
        """The code to execute, to the byte, and whether it may; raises JudgementError."""
        return self._judges.judged(
            code, check_security=self._check_security, tidy=True, cancel=cancel
        )

    def context(self, cancel: threading.Event) -> RunContext:
        """What the tools of one run are lent."""
        return RunContext(
            root=self.root,
            config=self.config,
            trusted=self.trusted,
            isolation=self.executor.isolation.name,
            catalogue=self.catalogue,
            store=self.presentation.store,
            judges=self._judges,
            projects=self._projects,
            aliases=self._aliases,
            cancel=cancel,
        )

    def world(self, context: RunContext) -> World:
        """What a program finds when it starts."""
        return {
            "packs": self.catalogue.names,
            "projects": context.projects,
            "aliases": context.aliases,
        }

    def close(self) -> None:
        """End the processes that packs have started."""
        if self._catalogue is not None:
            self._catalogue.close()


def sendable(text: str) -> str:
    """The text with every half of a surrogate pair, which UTF-8 has no bytes for, as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class _Run:
    """One command on its way to its result."""

    runner: Runner
    command: str
    run_id: str
    started: float = field(default_factory=time.perf_counter)

    def refused(self, judgement: Judgement) -> CommandResult:
        """Code that the rules do not let run."""
        findings = judgement.verdict.findings
        blocking = [f for f in findings if f.severity is Severity.ERROR]
        return self.ended(
            refusal(blocking, judgement.rules, judgement.code),
            success=False,
            error_type=REFUSED,
            line_number=blocking[0].location.line,
            findings=findings,
        )

    def executed(self, code: str, cancel: threading.Event, progress: Progress) -> CommandResult:
        """What the code does when it is executed, in words."""
        runner, over = self.runner, RunOver(cancel)
        context = runner.context(over)
        calls = ToolCalls(self.run_id, runner.catalogue, context, runner.audit, progress)
        try:
            execution = runner.executor.execute(
                code, runner.world(context), calls.answer, cancel=cancel
            )
        finally:
            over.set()  # no tool works on for a program that is gone
        self._log(code, execution)
        if isinstance(execution.outcome, Finished):
            return self._finished(execution, execution.outcome, calls)
        return self._failed(execution, code, calls)

    def cancelled(self, fuel: int = 0) -> CommandResult:
        """A command that its caller no longer wants."""
        return self.ended(
            CANCELLED, success=False, error_type=STOPPED, limit=Limit.CANCELLED.value, fuel=fuel
        )

    def ended(self, text: str, *, success: bool, **more: Any) -> CommandResult:
        """The result of a command that was not executed, or of one that was."""
        return CommandResult(
            command=self.command,
            result=sendable(text),
            executor=self.runner.executor.name,
            isolation=self.runner.executor.isolation.name,
            success=success,
            duration_ms=(time.perf_counter() - self.started) * 1000,
            run_id=self.run_id,
            **more,
        )

    def _finished(self, execution: Execution, said: Finished, calls: ToolCalls) -> CommandResult:
        text = result_text(execution, said)
        shown = self.runner.presentation.of(text, said, source=calls.source)
        return self.ended(shown.text, success=True, fuel=execution.fuel, stored=shown.handle)

    def _failed(self, execution: Execution, code: str, calls: ToolCalls) -> CommandResult:
        """An exception, or a limit that ended the program."""
        raised = execution.outcome if isinstance(execution.outcome, Raised) else None
        printed = printed_text(execution)
        error = error_text(execution, code, self.runner.catalogue)
        if raised and raised.name is not None:
            error = self.runner.hinted(error)
        error = with_hint(error, execution, self.runner.executor.isolation)
        sanitize = raised.sanitize if raised else None
        if sanitize is None:  # a program that a limit ended cannot say what it had set
            sanitize = flag_set_in(code, SANITIZE)
        shown = self.runner.presentation.of_failure(
            printed, error, source=calls.source, sanitize=sanitize
        )
        return self.ended(
            shown.text,
            success=False,
            error_type=raised.type if raised else STOPPED,
            line_number=raised and raised.line,
            fuel=execution.fuel,
            limit=execution.limit and execution.limit.value,
            stored=shown.handle,
        )

    def _log(self, code: str, execution: Execution) -> None:
        """What was judged is what was executed: both hashes are of the one text."""
        ended = "ok" if isinstance(execution.outcome, Finished) else "error"
        sha256 = digest(code)
        try:
            self.runner.audit.record(
                self.run_id,
                "run",
                self.command,
                outcome=ended,
                duration_ms=execution.duration_ms,
                validated_sha256=sha256,
                executed_sha256=sha256,
            )
        except AuditError as error:  # a read-only project still gets its answer
            tell(_log.warning, "%s", error)


def _executor(
    config: Config, policy: ExecutionPolicy | None, workspace: Path | None, *, trusted: bool
) -> DirectExecutor:
    limits = policy or _policy(config)
    if trusted and config.security.isolation is Isolation.HOST:
        return DirectExecutor(HostIsolation(limits))
    return DirectExecutor(SandboxIsolation(limits, workspace))


def _policy(config: Config) -> ExecutionPolicy:
    """The product's limits with those that the configuration names in their place."""
    return ExecutionPolicy(**config.sandbox.model_dump(exclude_none=True))
