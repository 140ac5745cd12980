"""`vetbox rules site`: the catalogue as static pages."""

from pathlib import Path

import click

from vetbox.cli.places import Place
from vetbox.cli.rules_show import RULE_PATHS
from vetbox.files.replacement import write_file
from vetbox.rules import load_rules


@click.command()
@click.argument("folder", type=Place(file_okay=False, path_type=Path))
@RULE_PATHS
def site(folder: Path, rule_paths: tuple[Path, ...]) -> None:
    """Write an index and a page for each rule into FOLDER; files of other names are left alone."""
    from vetbox.reports.site import pages

    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, text in pages(load_rules(*rule_paths).rules.values()):
        write_file(folder / name, text.encode())
        count += 1
    click.echo(f"{count} pages; open {folder / 'index.html'}")
