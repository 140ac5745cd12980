"""A group of commands that imports a command only when it is called."""

from collections.abc import Mapping
from importlib import import_module

import click

# Name of the command: where it is (`module:attribute`) and what `--help` of the group says.
Table = Mapping[str, tuple[str, str]]


class LazyGroup(click.Group):
    """Knows its commands by table, so that `--help` and start-up import none of them."""

    def __init__(self, *, table: Table, **attributes: object) -> None:
        super().__init__(**attributes)  # type: ignore[arg-type]
        self.table = table

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; a misspelt one is answered with the nearest."""
        name = args[0]
        if name not in self.table:
            from difflib import get_close_matches

            for near in get_close_matches(name, self.table, n=1):
                ctx.fail(f"No such command '{name}'. Did you mean '{near}'?")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        module, _, attribute = self.table[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.table.items()])
