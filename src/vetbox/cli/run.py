"""`vetbox run`: one command on the shell, with all that an agent's command goes through."""

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetbox.cli.ending import tidy
from vetbox.cli.places import Place
from vetbox.cli.programs import program_text, show

if TYPE_CHECKING:
    from vetbox.run.command import Stage
    from vetbox.run.runner import Runner

FAILED = 1
PROGRAM = Place(exists=True, dir_okay=False, allow_dash=True)


@click.command()
@click.argument("file", required=False, type=PROGRAM)
@click.option("-c", "--code", help="The command itself, in place of FILE.")
@click.option("--explain", is_flag=True, help="Show each stage of the command; execute nothing.")
@click.option(
    "-C",
    "--project",
    default=".",
    type=Place(exists=True, file_okay=False, path_type=Path),
    help="The project whose packs and configuration apply.",
)
def run(file: str | None, code: str | None, explain: bool, project: Path) -> None:
    """Run a command in the sandbox: FILE, `-` for standard input, or -c CODE.

    Exit codes: 0 the command succeeded, 1 it failed or was refused, 2 misuse.
    """
    if (file is None) == (code is None):
        raise click.UsageError("give either FILE (or -) or -c CODE")
    command = program_text(file) if file is not None else str(code)
    from vetbox.app import App

    with tidy(), closing(App.open(project)) as app:
        for notice in app.notices:
            click.echo(f"vetbox: {notice}", err=True)
        if explain:
            done = _explained(app.runner, command)
        else:
            done = _run(app.runner, command, told=app.notices)
    sys.exit(0 if done else FAILED)


def _run(runner: "Runner", command: str, *, told: Sequence[str]) -> bool:
    """Run and show; what was told before the run is no news after it."""
    result = runner.run(command)
    text = result.result
    for notice in () if result.success else told:
        text = text.removesuffix(f"\n{notice}")
    show(text, err=not result.success)
    return result.success


def _explained(runner: "Runner", command: str) -> bool:
    stages = runner.explain(command)
    for before, stage in zip((None, *stages), stages, strict=False):
        _show(stage, before)
    return stages[-1].text == "valid"


def _show(stage: "Stage", before: "Stage | None") -> None:
    """A stage under its name; what it left as it was is not shown again."""
    changed = before is None or stage.text != before.text
    click.echo(click.style(f"── {stage.name}", bold=True) + ("" if changed else ": unchanged"))
    if changed:
        show(stage.text, err=False)
