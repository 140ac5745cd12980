"""Positions: tools count bytes or characters, from 0 or 1; a Location characters, from 1."""

import codecs
import re

from vetbox.findings import Location
from vetbox.staging import StagedFile

LINE_END = re.compile(rb"\r\n|\r|\n")
LONGEST_SOURCE = 200  # characters; enough to tell one finding from another


class Places:
    """Locations in staged files; each file is read once, and only when a tool names it."""

    def __init__(self) -> None:
        self._lines: dict[str, list[bytes]] = {}

    def lines(self, file: StagedFile) -> list[bytes]:
        if file.path not in self._lines:
            data = file.data().removeprefix(codecs.BOM_UTF8)
            self._lines[file.path] = LINE_END.split(data)
        return self._lines[file.path]

    def line(self, file: StagedFile, number: int) -> bytes:
        lines = self.lines(file)
        return lines[number - 1] if 0 < number <= len(lines) else b""

    def column(self, file: StagedFile, line: int, offset: int) -> int:
        """The 1-based character column of a 0-based offset in UTF-8 bytes."""
        return len(self.line(file, line)[:offset].decode("utf-8", "replace")) + 1

    def by_bytes(
        self, file: StagedFile, start: tuple[int, int], end: tuple[int, int] | None = None
    ) -> Location:
        """From (line, byte offset) pairs, as Python's own parser gives them."""
        line, offset = start
        column = self.column(file, line, offset)
        if end is None:
            return Location(file.path, line, column, line, column)
        return Location(file.path, line, column, end[0], self.column(file, *end))

    def source(self, file: StagedFile, at: Location) -> str:
        """The text of a span within one line, else the rest of its first line."""
        text = self.line(file, at.line).decode("utf-8", "replace")
        end = at.end_column - 1 if at.end_line == at.line and at.end_column > at.column else None
        return text[at.column - 1 : end][:LONGEST_SOURCE].strip()
