"""The `vetbox` command: a table of sub-commands, each imported only when it is called."""

import click

from vetbox import __version__
from vetbox.cli.lazy import LazyGroup
from vetbox.errors import VetboxError

COMMANDS = {
    "check": ("vetbox.cli.check:check", "Find security problems in Python files."),
    "explain": ("vetbox.cli.explain:explain", "Say clause by clause why a rule fired or did not."),
    "rules": ("vetbox.cli.rules:rules", "List, show and test rules."),
    "run": ("vetbox.cli.run:run", "Run one command in the sandbox, as an agent would."),
    "serve": ("vetbox.cli.serve:serve", "Serve MCP clients over stdio or HTTP."),
    "sandbox": ("vetbox.cli.sandbox:sandbox", "Run a Python file in the sandbox."),
    "runtime": ("vetbox.cli.runtime:runtime", "Fetch and inspect the sandbox's interpreter."),
    "trust": ("vetbox.cli.trust:trust", "Trust a project's own configuration and tests."),
    "init": ("vetbox.cli.init:init", "Set a project up for vetbox."),
}
MISUSE = 2


class Main(LazyGroup):
    """Every error vetbox raises on purpose ends here: one sentence on stderr, exit code 2."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except VetboxError as error:
            click.echo(f"vetbox: {error}", err=True)
            ctx.exit(MISUSE)


@click.command(cls=Main, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="vetbox")
def main() -> None:
    """Vets Python, then runs it boxed."""
