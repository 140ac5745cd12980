"""The lines of a file as Python counts them, for code frames."""

import re
from collections.abc import Sequence
from pathlib import Path

# Only these end a line of Python; str.splitlines() would also split at form feeds and U+2028.
LINE_END = re.compile("\r\n|\r|\n")


def lines_of(path: str) -> Sequence[str]:
    """The file's lines without their ends; none when it is gone or cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return ()
    if path.endswith(".ipynb"):
        return _lines_of_notebook(data)
    return lines_in(data)


def _lines_of_notebook(data: bytes) -> Sequence[str]:
    from vetbox.code.notebooks import NotebookError
    from vetbox.code.notebooks import lines_of as lines_of_notebook

    try:
        return lines_of_notebook(data.decode("utf-8", "replace").removeprefix("\ufeff"))
    except NotebookError:
        return ()


def lines_in(data: bytes) -> Sequence[str]:
    """The lines of a file's bytes, without their ends."""
    return LINE_END.split(data.decode(encoding_of(data), "replace").removeprefix("\ufeff"))


def encoding_of(data: bytes) -> str:
    """What the coding line or the byte order mark says, else UTF-8."""
    if data.isascii() and b"coding" not in data[:400]:
        return "ascii"
    from io import BytesIO
    from tokenize import detect_encoding

    try:
        return detect_encoding(BytesIO(data).readline)[0]
    except SyntaxError:
        return "utf-8"
