"""`vetbox trust`: say that a project's own configuration, tools and tests may run."""

from pathlib import Path

import click

from vetbox.cli.places import Place
from vetbox.counting import counted
from vetbox.trust import Part, Trusted, TrustStore

SHOWN = 20  # files listed before "and N more"
FOLDER = Place(file_okay=False, path_type=Path)


@click.command()
@click.argument("path", type=FOLDER, default=Path())
@click.option("--list", "listing", is_flag=True, help="List the projects you trust, and stop.")
@click.option("--revoke", is_flag=True, help="No longer trust this project.")
def trust(path: Path, listing: bool, revoke: bool) -> None:
    """Trust the project at PATH as it is now (default: the current folder).

    What is trusted: its .onetool/ folder (configuration, extension tools, servers), the rule files
    that `rules:` names there, and its tests with their settings. They act on this machine with your
    rights. When one of these files changes, vetbox asks again.
    """
    if listing and revoke:
        raise click.UsageError("--list does not go with --revoke; call vetbox twice")
    store = TrustStore()
    if listing:
        list_projects(store)
    elif revoke:
        found = store.revoke(path)
        click.echo(f"{path.resolve()} is no longer trusted." if found else "It was not trusted.")
    else:
        show(store.trust(path))


def list_projects(store: TrustStore) -> None:
    projects = store.projects()
    if not projects:
        click.echo("No project is trusted.")
    for trusted in projects:
        changed = store.changes(Path(trusted.project))
        state = f"no longer, changed: {', '.join(changed[:SHOWN])}" if changed else "unchanged"
        click.echo(f"{trusted.project}  since {trusted.time}  ({state})")


def show(trusted: Trusted) -> None:
    """The project and the files it was trusted for, so that a surprise among them is seen."""
    click.echo(f"Trusted {trusted.project}:")
    for part in Part:
        names = sorted(trusted.files[part])
        click.echo(f"  {part.value}: {counted(len(names), 'file')}")
        for name in names[:SHOWN]:
            click.echo(f"    {repr(name)[1:-1]}")  # a name may hold control characters
        if len(names) > SHOWN:
            click.echo(f"    and {len(names) - SHOWN} more")
