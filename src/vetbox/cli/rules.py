"""`vetbox rules`: the table of what can be done with rules."""

import click

from vetbox.cli.lazy import LazyGroup

COMMANDS = {
    "list": ("vetbox.cli.rules_show:list_rules", "One line per rule."),
    "show": ("vetbox.cli.rules_show:show", "Everything about one rule."),
    "schema": ("vetbox.cli.rules_show:schema", "The JSON Schema of rule files, for editors."),
    "import": ("vetbox.cli.rules_import:import_rules", "Convert semgrep rules."),
    "site": ("vetbox.cli.rules_site:site", "Write the catalogue as static pages."),
    "test": ("vetbox.cli.rules_test:test", "Check rules against their fixtures."),
}


@click.command(cls=LazyGroup, table=COMMANDS)
def rules() -> None:
    """List, show and test rules."""
