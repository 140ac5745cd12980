"""What every sandbox has in common, whatever language it runs."""

from abc import ABC, abstractmethod
from pathlib import Path

from vetbox.sandbox.logger import SandboxLogger
from vetbox.sandbox.models import ExecutionPolicy, SandboxResult


class BaseSandbox(ABC):
    """A place to run untrusted code under a policy.

    Without a `workspace` every execution gets a private folder that is removed after it.
    """

    def __init__(
        self,
        policy: ExecutionPolicy | None = None,
        workspace: Path | str | None = None,
        logger: SandboxLogger | None = None,
    ) -> None:
        self.policy = policy or ExecutionPolicy()
        self.workspace = None if workspace is None else Path(workspace)
        self.logger = logger or SandboxLogger()

    @abstractmethod
    def execute(self, code: str) -> SandboxResult:
        """Run untrusted code to its end or to a limit; how it ended is the result."""

    @abstractmethod
    def validate_code(self, code: str) -> bool:
        """Whether the code is syntactically correct; it is not executed."""

    def _log_execution_metrics(self, result: SandboxResult) -> None:
        self.logger.log_execution_complete(result)
