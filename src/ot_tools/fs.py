"""Files of the project: read, list and search them; write where the configuration allows it."""

import io
from pathlib import PurePosixPath

from vetbox.toolkit import ToolContext, ToolError

pack = "fs"

MAX_READ = 2_000_000  # bytes of one file
MAX_PATHS = 10_000
MAX_MATCHES = 5_000


def read(
    context: ToolContext, path: str | PurePosixPath, offset: int = 1, limit: int = 5_000
) -> str:
    """The text of a file: `limit` lines from line `offset` (1-based)."""
    data = context.files.read(path, max_bytes=MAX_READ)
    try:
        lines = list(io.StringIO(data.decode("utf-8-sig"), newline=""))
    except UnicodeDecodeError as error:
        raise ToolError(f"{path} is not UTF-8 text (byte {error.start}).") from None
    if offset < 1 or limit < 1:
        raise ToolError("offset and limit begin at 1.")
    return "".join(lines[offset - 1 : offset - 1 + limit])


def glob(context: ToolContext, pattern: str = "**/*", limit: int = 1_000) -> list[str]:
    """The paths of files that match a glob such as `src/**/*.py`, relative to the project."""
    return list(context.files.matching(pattern, limit=_within(limit, MAX_PATHS)))


def grep(
    context: ToolContext,
    expression: str,
    pattern: str = "**/*",
    ignore_case: bool = False,
    limit: int = 1_000,
) -> list[dict[str, object]]:
    """Lines in which a regular expression (RE2) is found: `path`, `line` and `text` of each."""
    found = context.files.search(
        expression, pattern=pattern, ignore_case=ignore_case, limit=_within(limit, MAX_MATCHES)
    )
    return [{"path": match.path, "line": match.line, "text": match.text} for match in found]


def write(context: ToolContext, path: str | PurePosixPath, text: str) -> dict[str, object]:
    """Write a file where `security.writable` of the trusted configuration allows it."""
    data = text.encode("utf-8")
    context.files.write(path, data)
    return {"path": str(path), "size_bytes": len(data)}


def _within(limit: int, most: int) -> int:
    if not 1 <= limit <= most:
        raise ToolError(f"limit is 1 to {most:,}.")
    return limit
