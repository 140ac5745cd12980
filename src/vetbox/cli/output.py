"""Where a report goes: a file, a pipe as plain text, or a terminal in colour."""

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click

from vetbox.cli import UNWRITABLE, forget_stdout
from vetbox.errors import VetboxError
from vetbox.files.replacement import write_file
from vetbox.reports import render
from vetbox.reports.model import CheckReport
from vetbox.reports.summary import summary


class NotWritten(VetboxError):
    """A report that has no place where it should go."""


_PYTHON = frozenset({".py", ".pyi", ".pyw", ".ipynb"})
PLAIN = str.maketrans({"╭": "+", "╰": "+", "─": "-", "━": "^", "│": "|", "┆": ":", "·": "-"})
PLAIN |= str.maketrans({"…": "...", "✓": "ok:", "✗": "x"})
"""Frames for a terminal whose encoding has no lines to draw with."""


def check_place(output: Path | None, checked: Sequence[Path]) -> None:
    """Raise NotWritten, before anything is scanned, for a place that no report may have.

    Its folder is missing, or code is there: a path that is to be checked, or any Python file.
    """
    if output is None:
        return
    folder = output.parent
    if not folder.exists():
        raise NotWritten(f"{folder}: there is no such folder; make it, or name another place")
    if output.is_file() and (
        output.resolve().suffix in _PYTHON or any(map(output.samefile, checked))
    ):
        raise NotWritten(f"{output}: this is code that would be overwritten; name another file")


def publish(report: CheckReport, form: str, output: Path | None, *, statistics: bool) -> None:
    """Write the report; statistics follow it, on stderr where stdout is for a machine.

    Raises NotWritten, but for a reader of a pipe that has gone: that is the caller's to end.
    """
    try:
        _publish(report, form, output)
        sys.stdout.flush()
    except OSError as error:
        known = error.filename is not None and error.errno not in UNWRITABLE
        if error.errno == errno.EPIPE or known:
            raise
        forget_stdout()
        place = output or "standard output"
        raise NotWritten(
            f"the report could not be written to {place}: {error.strerror}; "
            "make room, or name another place"
        ) from error
    if statistics:
        for line in counts(report):
            click.echo(line, err=form != "text")


def _publish(report: CheckReport, form: str, output: Path | None) -> None:
    if output is not None:
        write_file(output, render(report, form).encode("utf-8", "backslashreplace"))
    elif form == "text":
        show(report)
    else:
        sys.stdout.buffer.write(render(report, form).encode("utf-8", "backslashreplace"))


def show(report: CheckReport) -> None:
    """Text for a person; a clean check, the usual case of a hook, is kept cheap."""
    if report.clean and not report.suppressed:
        text = "".join(f"{''.join(piece for piece, _ in line)}\n" for line in summary(report))
    elif wants_colour() and draws_lines():
        from vetbox.reports.terminal import paint
        from vetbox.reports.text import layout

        paint(layout(report, terminal_columns()), sys.stdout)
        return
    else:
        from vetbox.reports.text import render as as_text

        text = as_text(report, terminal_columns())
    click.echo(text if draws_lines() else text.translate(PLAIN), nl=False)


def draws_lines() -> bool:
    """Can what standard output is encoded in show the frames?"""
    try:
        "╭━✓".encode(sys.stdout.encoding or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def terminal_columns() -> int | None:
    """How wide the terminal is, if standard output is one that tells."""
    if not sys.stdout.isatty():
        return None
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    with suppress(OSError):
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    return None


def wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and (
        sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))
    )


def counts(report: CheckReport) -> Iterator[str]:
    """`   12  shell-true`, most frequent first."""
    for code, count in sorted(report.by_rule.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>6,}  {code}"
