"""Where a report goes: a file, a pipe as plain text, or a terminal in colour."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from vetbox.reports import render
from vetbox.reports.frames import Line
from vetbox.reports.model import CheckReport
from vetbox.reports.summary import summary


def publish(report: CheckReport, form: str, output: Path | None, *, statistics: bool) -> None:
    """Write the report; statistics follow it, on stderr where stdout is for a machine."""
    if output is not None:
        output.write_text(render(report, form), "utf-8", "backslashreplace")
    elif form == "text":
        show(report)
    else:
        sys.stdout.buffer.write(render(report, form).encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    if statistics:
        for line in counts(report):
            click.echo(line, err=form != "text")


def show(report: CheckReport) -> None:
    """Text for a person; a clean check, the usual case of a hook, is kept cheap."""
    if report.clean and not report.suppressed:
        echo(summary(report))
    elif wants_colour():
        from vetbox.reports.terminal import paint
        from vetbox.reports.text import layout

        paint(layout(report), sys.stdout)
    else:
        click.echo(render(report, "text"), nl=False)


def echo(lines: Iterable[Line]) -> None:
    for line in lines:
        click.echo("".join(text for text, _ in line))


def wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and (
        sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))
    )


def counts(report: CheckReport) -> Iterator[str]:
    """`   12  shell-true`, most frequent first."""
    for code, count in sorted(report.by_rule.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>6,}  {code}"
