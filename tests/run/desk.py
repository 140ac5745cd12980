"""The project research-desk, copied to a place of its own, and runners on it."""

import shutil
from pathlib import Path

from vetbox.audit import AuditLog
from vetbox.config import Config, load_config
from vetbox.run.approvals import Approvals
from vetbox.run.command import CommandResult
from vetbox.run.runner import Runner

FIXTURE = Path(__file__).parents[2] / "fixtures/projects/research-desk"


class Desk:
    """A trusted project and what runs its commands; `close` ends the packs' processes."""

    def __init__(
        self,
        root: Path,
        isolation: str = "sandbox",
        *,
        check_security: bool = True,
        **sections: object,
    ) -> None:
        self.check_security = check_security
        self.root = root / "desk"
        if not self.root.exists():
            shutil.copytree(FIXTURE, self.root)
        own = load_config(self.root).model_dump(mode="json")
        security = {**own["security"], "isolation": isolation}
        self.config = Config.model_validate({**own, "security": security, **sections})
        self.runner = self.open()

    def open(self, *, trusted: bool = True) -> Runner:
        return Runner(
            self.root,
            self.config if trusted else Config(),
            trusted=trusted,
            audit=AuditLog(self.root),
            approvals=Approvals(self.root.parent / "user", str(self.root)),
            check_security=self.check_security,
        )

    def run(self, command: str) -> CommandResult:
        return self.runner.run(command)

    def says(self, command: str) -> str:
        """The text of a command that must succeed."""
        result = self.run(command)
        assert result.success, result.result
        return result.result

    def fails(self, command: str) -> str:
        """The text of a command that must fail."""
        result = self.run(command)
        assert not result.success, result.result
        return result.result

    @property
    def stored(self) -> list[Path]:
        """The files of the result store."""
        return sorted((self.root / ".onetool/tmp").glob("result-*"))

    def close(self) -> None:
        self.runner.close()
