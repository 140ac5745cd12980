"""Jupyter notebooks: the code of their cells as one module, each line where it stands in the file.

What is no Python is left out: cells of text, cells in other languages (`%%bash`), commands of the
shell and of IPython (`!pip install x`, `%matplotlib inline`, `frame?`). A command that runs Python
stays as that: `%time f(x)` is `f(x)`.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, TypeAlias

from vetbox.code import lexemes
from vetbox.errors import VetboxError

OLDEST_FORMAT = 4

_PYTHONS = frozenset({"python", "python2", "python3", "ipython", "ipython3"})
_RUN_BY_CELL = frozenset({"time", "timeit", "capture", "prun"})
"""Commands for a cell, behind `%%`, that run it as Python."""
_FOR_CELL = re.compile(r"%%(\w*)")
_ASSIGNED = re.compile(r"[\w.,\s]+=\s*(?=[%!])")
_COMMAND = re.compile(rf"\s*[%!?]|\s*[\w.*]+\?\??\s*$|{_ASSIGNED.pattern}")
_RUN_BY_LINE = re.compile(r"((?:[\w.,\s]+=)?\s*)%(?:time|timeit|prun)\b(?:\s+-\w+)*\s*")
_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_JSON = json.JSONDecoder()
_Placed: TypeAlias = tuple[int, Any]
"""A value of a JSON text behind the offset where it begins."""
_Read: TypeAlias = Callable[[list[str]], list[str]]


class NotebookError(VetboxError):
    """A notebook whose code cannot be told; `line` counts from 1."""

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence)
        self.line = line


def module_of(text: str) -> str:
    """The module that the code cells of a notebook make, with as many lines as its JSON has.

    Where lines of code share a line of the JSON, they are numbered by themselves. A notebook in
    another language has no code. Raises NotebookError for what is no notebook.
    """
    try:
        top = _members(text, _after_space(text, 0))
        return _laid_out(text, _code_cells(text, top)) if _is_python(top) else ""
    except json.JSONDecodeError as error:
        raise NotebookError(f"this is no notebook: {error.msg}", error.lineno) from error
    except RecursionError as error:
        raise NotebookError("this is no notebook: its JSON is nested too deeply") from error


def lines_of(text: str) -> list[str]:
    """The lines of that module as people wrote them, for reports; where columns are the same."""
    made = module_of(text)
    top = _members(text, _after_space(text, 0))
    written = _laid_out(text, _code_cells(text, top), _as_written) if made else made
    pairs = zip(made.split("\n"), written.split("\n"), strict=True)
    return [python if _RUN_BY_LINE.match(own) else own for python, own in pairs]


def _is_python(top: Mapping[str, _Placed]) -> bool:
    """A notebook that names no language is in Python."""
    _, about = top.get("metadata", (0, {}))
    if not isinstance(about, dict):
        return True
    named = (about.get("kernelspec", {}), "language"), (about.get("language_info", {}), "name")
    languages = [where.get(key) for where, key in named if isinstance(where, dict)]
    return all(str(one).lower() in _PYTHONS for one in languages if one)


def _code_cells(text: str, top: Mapping[str, _Placed]) -> Iterator[list[_Placed]]:
    """The lines of each code cell."""
    if "cells" not in top:
        _, version = top.get("nbformat", (0, None))
        if isinstance(version, int) and version < OLDEST_FORMAT:
            raise NotebookError(f"a notebook of format {version}; save it in Jupyter, as format 4")
        raise NotebookError("this is no notebook: it has no cells")
    for at, cell in _items(text, top["cells"][0]):
        if not isinstance(cell, dict):
            raise NotebookError("this is no notebook: a cell is no object", _line(text, at))
        if cell.get("cell_type") == "code":
            source = _members(text, at).get("source", (at, []))
            yield _lines(text, *source)


def _lines(text: str, at: int, source: object) -> list[_Placed]:
    """The lines of a cell, each with the place of the text in which it begins."""
    pieces = [(at, source)] if isinstance(source, str) else _items(text, at)
    for begin, piece in pieces:
        if not isinstance(piece, str):
            raise NotebookError("the code of a cell is no text", _line(text, begin))
    begins = [*accumulate((len(piece) for _, piece in pieces), initial=0)]
    code = "".join(piece for _, piece in pieces)  # a text may end within a line
    starts = [0, *(end.end() for end in _LINE_END.finditer(code))]
    lines = zip(starts, _LINE_END.split(code), strict=True)
    return [(pieces[bisect_right(begins, at) - 1][0], line) for at, line in lines if at < len(code)]


def _laid_out(text: str, cells: Iterable[list[_Placed]], read: _Read | None = None) -> str:
    """Each line of code on the line on which it stands in the JSON, all others empty.

    `read` makes what is wanted of the lines of a cell: Python, by default.

    Where several share one, as in JSON without line ends, the lines of code alone.
    """
    read = read or _python_of
    ends = [match.start() for match in re.finditer("\n", text)]
    placed = [
        (bisect_left(ends, at), code)
        for lines in cells
        for (at, _), code in zip(lines, read([code for _, code in lines]), strict=True)
    ]
    by_row = dict(placed)
    if len(by_row) < len(placed):
        return "\n".join(code for _, code in placed)
    return "\n".join(by_row.get(row, "") for row in range(len(ends) + 1))


# Cells -------------------------------------------------------------------------------------------


def _python_of(lines: list[str]) -> list[str]:
    """The lines of a cell without what IPython, not Python, would run."""
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return lines
    for_cell = _FOR_CELL.match(lines[first])
    if for_cell is not None:
        if for_cell[1] not in _RUN_BY_CELL:
            return [""] * len(lines)
        lines = [*lines[:first], "", *lines[first + 1 :]]
    return _without_commands(_unindented(lines))


def _as_written(lines: list[str]) -> list[str]:
    """The same lines with their commands, as far to the left as the code that is judged."""
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    if not lines or not _FOR_CELL.match(lines[first]):
        return _unindented(lines)
    return [*lines[: first + 1], *_unindented(lines[first + 1 :])]


def _unindented(lines: list[str]) -> list[str]:
    """A cell may be indented as a whole."""
    first = next((line for line in lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip())]
    return [line.removeprefix(margin) for line in lines] if margin else lines


def _without_commands(lines: list[str]) -> list[str]:
    """Only what begins a statement is a command; `% b` may go on with one."""
    if not any(map(_COMMAND.match, lines)):
        return lines
    rows = [line.encode("utf-8", "replace") for line in lines]
    data = b"\n".join(rows)
    found: list[str] = []
    depth, end, known, is_open = 0, -1, 0, False  # `known`: up to here its lexemes are
    lexeme = lexemes.first_from(data, 0)
    for line, row in zip(lines, rows, strict=True):
        begin, end = end + 1, end + 1 + len(row)
        if not depth and not is_open and known <= begin and _COMMAND.match(line):
            found.append(_plain(line))
            if lexeme and lexeme.start() < end:  # its quotes are the command's own
                lexeme = lexemes.first_from(data, end)
            continue
        found.append(line)
        at = max(begin, known)
        while lexeme and lexeme.start() < end:
            depth = _depth_behind(data[at : lexeme.start()], depth)
            known = at = lexeme.end()
            lexeme = lexemes.first_from(data, known)
        rest = data[at:end]
        depth, is_open = _depth_behind(rest, depth), rest.endswith(b"\\")
    return found


def _depth_behind(code: bytes, depth: int) -> int:
    """How many brackets are open behind some code."""
    opened = sum(map(code.count, (b"(", b"[", b"{")))
    return max(0, depth + opened - sum(map(code.count, (b")", b"]", b"}"))))


def _plain(line: str) -> str:
    """A command as Python: what it runs, or a statement that does nothing."""
    timed = _RUN_BY_LINE.match(line)
    if timed is not None:
        return timed[1] + line[timed.end() :]
    assigned = _ASSIGNED.match(line)
    if assigned is not None:
        return f"{assigned[0]}None"
    return f"{line[: len(line) - len(line.lstrip())]}pass"


# JSON with its places ----------------------------------------------------------------------------


def _members(text: str, at: int) -> dict[str, _Placed]:
    """The members of an object by name; the last of several with one name, as Jupyter reads it."""
    found: dict[str, _Placed] = {}
    at = _behind(text, at, "{")
    while text[at : at + 1] != "}":
        name, end = _JSON.raw_decode(text, at)
        begin = _behind(text, _after_space(text, end), ":")
        value, end = _JSON.raw_decode(text, begin)
        found[str(name)] = begin, value
        at = _next_entry(text, end, "}")
    return found


def _items(text: str, at: int) -> list[_Placed]:
    """The items of an array."""
    found: list[_Placed] = []
    at = _behind(text, at, "[")
    while text[at : at + 1] != "]":
        value, end = _JSON.raw_decode(text, at)
        found.append((at, value))
        at = _next_entry(text, end, "]")
    return found


def _behind(text: str, at: int, sign: str) -> int:
    """The offset of what follows a sign that has to stand here."""
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(f"Expecting '{sign}'", text, at)
    return _after_space(text, at + 1)


def _next_entry(text: str, at: int, closing: str) -> int:
    """The offset of the next entry, or of the bracket behind the last."""
    at = _after_space(text, at)
    return at if text[at : at + 1] == closing else _behind(text, at, ",")


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
