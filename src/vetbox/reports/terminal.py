"""The text report in colour; the only user of rich, imported when there is a terminal to paint."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from vetbox.reports.frames import Line

if TYPE_CHECKING:
    from rich.text import Text

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold cyan",
    "good": "bold green",
    "code-name": "bold",
    "message": "bold",
    "path": "cyan",
    "gutter": "bright_black",
    "mark": "bold red",
    "advice": "bold green",
    "note": "italic cyan",
    "dim": "bright_black",
    "": "",
}


def paint(lines: Iterable[Line], stream: TextIO) -> None:
    """Write the lines with colours where the stream and NO_COLOR allow them."""
    from rich.console import Console

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(painted(line))


def painted(line: Line) -> "Text":
    from rich.text import Text

    text = Text()
    for piece, style in line:
        text.append_text(code(piece) if style == "code" else Text(piece, STYLES[style]))
    return text


def code(piece: str) -> "Text":
    """A line of Python, highlighted on its own: an open string may look odd, never wrong."""
    from rich.syntax import Syntax

    highlighted = Syntax("", "python", theme="ansi_dark").highlight(piece)
    highlighted.right_crop(1)  # the line end that the highlighter adds
    return highlighted
