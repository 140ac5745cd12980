"""A program that somebody names on the shell, and what it prints on a terminal."""

import sys
from contextlib import nullcontext
from typing import IO

import click

from vetbox.code.source import Source, SourceError
from vetbox.errors import VetboxError
from vetbox.files.sizes import MAX_BYTES


class UnreadableProgramError(VetboxError):
    """A file that holds no program's text."""


def program_text(file: str) -> str:
    """The text of a file, or of standard input for `-`, as Python decodes it.

    What has no end is not read to its end.
    """
    with nullcontext(standard_input()) if file == "-" else open(file, "rb") as opened:
        data = opened.read(MAX_BYTES + 1)
    try:
        return Source.from_bytes(data, file).text
    except SourceError as error:
        line = f":{error.failure.line}" if error.failure.line else ""
        raise UnreadableProgramError(f"{click.format_filename(file)}{line}: {error}") from None


def standard_input() -> IO[bytes]:
    """What is piped in; raises UnreadableProgramError where the caller has closed it."""
    if sys.stdin is None:
        raise UnreadableProgramError("standard input is closed; pipe the code in, or name a file")
    return sys.stdin.buffer


def show(text: str, *, err: bool, nl: bool = True) -> None:
    """Print what a program said; a terminal is shown no control characters of its making."""
    stream = sys.stderr if err else sys.stdout
    # With colour, or click takes out of a pipe what looks like an escape sequence of a terminal.
    click.echo(printable(text) if stream.isatty() else text, err=err, nl=nl, color=True)


def printable(text: str, keep: str = "\n\t") -> str:
    """Text that cannot move a terminal's cursor, recolour it or hide what follows."""
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape").decode()
        for char in text
    )
