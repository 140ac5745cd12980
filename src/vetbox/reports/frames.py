"""A code frame: the lines around a finding with the matched code underlined."""

from collections.abc import Iterator, Sequence

from vetbox.findings import Location
from vetbox.reports.escaping import visible, width

CONTEXT = 2  # lines before the finding: enough to see which function it is in
MAX_SPAN = 4  # lines of a long call; the rest is folded
MAX_COLUMNS = 120  # a line of minified code is cut to a window around the finding
MIN_COLUMNS = 24  # less of a line says nothing

# A piece of a line and what it is: code, gutter, mark or "" for plain text.
Piece = tuple[str, str]
Line = tuple[Piece, ...]


def frame(location: Location, lines: Sequence[str], columns: int | None = None) -> Iterator[Line]:
    """The frame's lines, top to bottom; none when the file's lines are not at hand.

    On a terminal of so many `columns` no line of code is longer, or its marks would be elsewhere.
    """
    if not last_line(location, lines):
        return
    first, last = max(1, location.line - CONTEXT), last_line(location, lines)
    gutter = len(str(last))
    most = MAX_COLUMNS
    if columns is not None:
        most = max(MIN_COLUMNS, min(most, columns - gutter - len("  │ ……")))
    for number in range(first, last + 1):
        start, end = marked(location, number, lines[number - 1])
        shown, start, end = window(lines[number - 1], start, end, most)
        yield (f" {number:>{gutter}} │ ", "gutter"), (visible(shown), "code")
        if end > start:
            indent, length = width(visible(shown[:start])), width(visible(shown[start:end]))
            yield (f" {'':>{gutter}} │ ", "gutter"), (" " * indent + "━" * max(1, length), "mark")
    if location.end_line > last:
        yield ((f" {'':>{gutter}} ┆ … to line {location.end_line}", "gutter"),)


def last_line(location: Location, lines: Sequence[str]) -> int:
    """The last line that is shown of a finding; 0 when there is nothing to show."""
    if location.line > len(lines):
        return 0
    return min(location.end_line, location.line + MAX_SPAN - 1, len(lines))


def marked(location: Location, number: int, line: str) -> tuple[int, int]:
    """The 0-based span of a line that belongs to the finding; empty outside it."""
    if not location.line <= number <= location.end_line:
        return 0, 0
    indent = len(line) - len(line.lstrip())
    start = location.column - 1 if number == location.line else indent
    end = location.end_column - 1 if number == location.end_line else len(line.rstrip())
    return start, max(end, start + (number == location.line))


def window(line: str, start: int, end: int, most: int = MAX_COLUMNS) -> tuple[str, int, int]:
    """At most so many columns of the line, around the marked span, and the span in it."""
    if len(line) <= most:
        return line, start, end
    left = max(0, min(start - most // 3, len(line) - most))
    cut = line[left : left + most]
    head, tail = "…" if left else "", "…" if left + most < len(line) else ""
    shift = len(head) - left
    return head + cut + tail, start + shift, min(end + shift, len(head) + len(cut))
