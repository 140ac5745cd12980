"""kind=run: a command, judged or not, in the sandbox of an untrusted project."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vetbox.audit import AuditLog
from vetbox.config import Config
from vetbox.run.command import CommandResult
from vetbox.run.runner import Runner
from vetbox.sandbox import ExecutionPolicy

# The corpus's names of limits that are called otherwise here.
NAMES = {"fuel": "fuel_budget"}


def answer(case: dict, root: Path) -> dict:
    project = root / "proj"
    project.mkdir(exist_ok=True)
    with placed(case["workspace_files"]) as workspace:
        result = ran(case, project, workspace)
    return {"outcome": outcome(result), "text": result.result}


@contextmanager
def placed(files: dict[str, str]) -> Iterator[Path | None]:
    """A workspace with the files, or none: then the sandbox makes its own."""
    if not files:
        yield None
        return
    with tempfile.TemporaryDirectory() as workspace:
        for name, text in files.items():
            place = Path(workspace, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        yield Path(workspace)


def ran(case: dict, project: Path, workspace: Path | None) -> CommandResult:
    runner = Runner(
        project,
        Config(),
        trusted=False,
        audit=AuditLog(project),
        policy=policy(case["policy"]),
        workspace=workspace,
        check_security=case["check_security"],
    )
    try:
        return runner.run(case["code"])
    finally:
        runner.close()


def outcome(result: CommandResult) -> str:
    if result.success:
        return "ok"
    return "limit" if result.limit else "error"


def policy(limits: dict) -> ExecutionPolicy:
    renamed = {NAMES.get(name, name): value for name, value in limits.items()}
    if "timeout_ms" in renamed:
        renamed["timeout_seconds"] = renamed.pop("timeout_ms") / 1000
    return ExecutionPolicy(**renamed)
