"""The `vetbox` command: a table of sub-commands, each imported only when it is called.

- `check` (with `checking`, `fixing` and `piped`), `explain`, `init`, `run`, `runtime`, `sandbox`,
  `serve`, `trust`; `rules` with `rules_import`, `rules_show`, `rules_site`, `rules_test`.
- what they share: `lazy` imports, `places` on the command line, `programs` on the shell, `output`
  and `progress` on a terminal, `ending`.
"""

import errno
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

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
INTERRUPTED = 130  # what shells say of a program that ^C has ended


UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})


class Main(LazyGroup):
    """Errors end here: those raised on purpose, and files that this user may not use or make.

    Each is one sentence on stderr, and exit code 2; so is ^C, with an exit code of its own.
    """

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _end(ctx, "interrupted", INTERRUPTED)
        except VetboxError as error:
            _end(ctx, str(error), MISUSE)
        except OSError as error:
            sentence = missing(error) if error.filename is None else unusable(error)
            if sentence is None:
                raise
            _end(ctx, sentence, MISUSE)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """What nobody else expected: standard output that takes no more."""
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            if error.filename is not None or error.errno not in UNWRITABLE:
                raise
            forget_stdout()
            sentence = f"standard output cannot be written to: {error.strerror}; make room"
            click.echo(f"vetbox: {sentence}, or name another place", err=True)
            sys.exit(MISUSE)


def _end(ctx: click.Context, sentence: str, code: int) -> NoReturn:
    from vetbox.cli.programs import printable

    # Names in it may be those of a stranger's project.
    click.echo("vetbox: " + printable(sentence, keep="\n"), err=True)
    ctx.exit(code)


def forget_stdout() -> None:
    """What is left in its buffer would be tried, and told of, once more at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def unusable(error: OSError) -> str:
    """What could not be done with which file, and what to do about it."""
    name = os.fsdecode(error.filename)
    if error.errno in UNWRITABLE:
        return f"{name} cannot be written: {error.strerror}; make room, or name another place"
    return f"cannot use {name}: {error.strerror}; give this user access, or name another place"


def missing(error: OSError) -> str | None:
    """Which folder that Python looked for by itself is not there, if it is one."""
    if error.errno != errno.ENOENT:
        return None
    try:
        os.getcwd()
    except FileNotFoundError:
        return "the current folder is gone; change to one that is there"
    if "temporary" not in str(error.strerror):
        return None
    return f"{error.strerror}; make room in one of them, or name another in TMPDIR"


@click.command(cls=Main, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="vetbox")
def main() -> None:
    """Vets Python, then runs it boxed."""
