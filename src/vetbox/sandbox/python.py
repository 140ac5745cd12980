"""CPython in a box of WebAssembly."""

import os
import threading
import warnings
from collections.abc import Mapping
from pathlib import Path

from vetbox.sandbox.base import BaseSandbox
from vetbox.sandbox.box import Box, open_box
from vetbox.sandbox.execution import Program, run_untrusted_python
from vetbox.sandbox.guest import wire
from vetbox.sandbox.guest_package import GuestPackage
from vetbox.sandbox.images import Progress
from vetbox.sandbox.logger import EVENT_TYPES, SandboxLogger
from vetbox.sandbox.models import ExecutionPolicy, SandboxResult
from vetbox.sandbox.runtime import DEFAULT_PATH
from vetbox.sandbox.tools import Tool, Toolbox
from vetbox.telling import tell


class PythonSandbox(BaseSandbox):
    """Runs untrusted Python: no network, no environment, one writable folder, `/app`.

    `tools` are host functions that programs may call over the bridge, by name. `guest` is Python
    that every program finds imported, and `tags` the types its values add to the bridge. Programs
    run in worker processes that are shared by all sandboxes of this process, or with `in_process`
    in this one, where nothing but WebAssembly stands between them and it.
    """

    def __init__(  # noqa: PLR0913 - three are the specification's, the rest are named
        self,
        policy: ExecutionPolicy | None = None,
        workspace: Path | str | None = None,
        logger: SandboxLogger | None = None,
        *,
        wasm_binary_path: str | os.PathLike[str] = DEFAULT_PATH,
        tools: Mapping[str, Tool] | None = None,
        tags: Mapping[str, wire.Tag] | None = None,
        guest: GuestPackage | None = None,
        in_process: bool = False,
    ) -> None:
        super().__init__(policy, workspace, logger)
        self.wasm_binary_path = wasm_binary_path
        self._toolbox = Toolbox(tools or {}, tags or wire.STANDARD)
        self._guest = guest
        self._in_process = in_process
        self._box: Box | None = None

    def execute(
        self,
        code: str,
        inject_setup: bool = True,
        *,
        filename: str = "user_code.py",
        payload: object = None,
        cancel: threading.Event | None = None,
    ) -> SandboxResult:
        """Run untrusted code to its end or to a limit; how it ended is the result.

        With `inject_setup`, `/app/site-packages` and `/app` come first on `sys.path`. `payload`
        goes to the guest package's entry. Setting `cancel` ends the run. Raises SandboxError where
        the box itself fails, as for want of an interpreter or of a folder to mount.
        """
        self.prepare()
        tell(self.logger.log_execution_start, runtime="python", policy=self.policy)
        result = run_untrusted_python(
            Program(code, filename, inject_setup, payload),
            self.policy,
            self.workspace,
            box=self._box,
            toolbox=self._toolbox,
            cancel=cancel,
        )
        tell(self._log_security, result)
        tell(self._log_execution_metrics, result)
        return result

    def validate_code(self, code: str) -> bool:
        """Whether the code is syntactically correct; it is not executed."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                compile(code, "<sandbox>", "exec", dont_inherit=True)
            except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
                return False
        return True

    def prepare(self, progress: Progress | None = None) -> None:
        """Fetch the interpreter and build its snapshot where missing, which may take a minute.

        `progress` is called with a sentence for each step. Raises RuntimeMissingError,
        RuntimeInstallError or SnapshotError.
        """
        if self._box is None:
            self._box = open_box(
                self.policy.memory_bytes,
                wasm_binary_path=self.wasm_binary_path,
                guest=self._guest,
                in_process=self._in_process,
                progress=progress,
            )

    def warm(self) -> None:
        """Start all workers, so that no run waits for one: a server does so before its first."""
        self.prepare()
        if self._box is not None:
            self._box.warm()

    def _log_security(self, result: SandboxResult) -> None:
        if result.limit is not None and result.limit in EVENT_TYPES:
            self.logger.log_security_event(
                EVENT_TYPES[result.limit],
                {"limit": result.limit, "fuel_consumed": result.fuel_consumed},
            )
