"""`vetbox rules import`: semgrep rules as rule files of one's own."""

from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vetbox.cli.places import Place
from vetbox.files.replacement import write_file
from vetbox.semgrep import Imported, Refused, read_rules

if TYPE_CHECKING:
    from vetbox.rules.loading.imported import SemgrepRule

TAKEN = "another rule has its name; rename one"
FOLDER = Place(file_okay=False, path_type=Path)


@click.command("import")
@click.argument("path", type=Place(exists=True, path_type=Path))
@click.option(
    "--output", "-o", type=FOLDER, help="Write one file per rule here instead of to the terminal."
)
@click.pass_context
def import_rules(ctx: click.Context, path: Path, output: Path | None) -> None:
    """Convert the semgrep rules in PATH; what has no equivalent is listed on stderr.

    Exit codes: 0 every rule converted, 1 some were refused.
    """
    found = read_rules(path)
    written: set[object] = set()
    refused: list[Refused] = []
    for one in found:
        rule = _made(one, written)
        if isinstance(rule, Refused):
            refused.append(rule)
            continue
        _write(rule, output)
        written.add(rule.rule.id)
        tell_left_out(rule)
    tell(refused)
    click.echo(f"{len(found) - len(refused)} of {len(found)} rules converted", err=True)
    ctx.exit(1 if refused else 0)


def _made(found: Imported | Refused, written: Container[object]) -> "SemgrepRule | Refused":
    """The rule, or why not: it cannot be read, not be loaded, or another has its name."""
    from vetbox.rules.loading.imported import kept

    if isinstance(found, Refused):
        return found
    if found.data["id"] in written:
        return Refused(found.id, found.path, TAKEN)
    return kept(found)


def tell(refused: list[Refused]) -> None:
    """Name what is left out, and why."""
    for one in refused:
        place = f"{one.path}:{one.line}:{one.column}" if one.line else str(one.path)
        name = "" if one.whole_file else f"{one.id}: "
        click.echo(f"{place}: {name}not imported: {one.reason}", err=True)


def tell_left_out(rule: "SemgrepRule") -> None:
    """Name what a rule that is imported does not do."""
    if rule.left_out:
        click.echo(f"{rule.path}: {rule.id}: imported without its fix: {rule.left_out}", err=True)


def _write(rule: "SemgrepRule", output: Path | None) -> None:
    from vetbox.documents import write_yaml

    text = write_yaml(rule.data)
    if output is None:
        click.echo(f"---\n{text}", nl=False)
        return
    output.mkdir(parents=True, exist_ok=True)
    write_file(output / f"{rule.data['id']}.yaml", text.encode())
