"""Which staged files a tool may see: text, and as UTF-8, so that every tool reads the same."""

import codecs
import re

from vetbox.code.source import Source, SourceError
from vetbox.files.sizes import NOTEBOOK
from vetbox.findings import Failure
from vetbox.staging import StagedFile, StagedFiles

UTF8 = re.compile(rb"coding[:=][ \t]*(?:utf-?8|ascii|us-ascii)\b", re.IGNORECASE)
COOKIE = re.compile(r"^([ \t\f]*#.*?)coding([:=])", re.MULTILINE)
HEAD_BYTES = 2_000  # a coding line stands on line 1 or 2
HEAD_LINES = 2


def admitted(files: StagedFiles) -> StagedFiles:
    """The same files without those whose bytes are refused, which become failures.

    Ruff takes every file for UTF-8, bandit believes the coding line: a file in another encoding is
    rewritten as UTF-8, character by character, so that lines and columns stay.
    """
    refused: list[Failure] = []
    kept: list[StagedFile] = []
    for file in files.files:
        problem = refusal(file)
        if problem is None:
            kept.append(file)
        else:
            refused.append(problem)
    return StagedFiles(tuple(kept), files.skipped, (*files.failures, *refused))


def refusal(file: StagedFile) -> Failure | None:
    data = file.data()
    head = data[:HEAD_BYTES]
    if b"\0" not in data and data.isascii() and (b"coding" not in head or UTF8.search(head)):
        return None
    try:
        source = Source.from_bytes(data, file.path)
    except SourceError as error:
        return error.failure
    if file.path.endswith(NOTEBOOK):  # read as the JSON it is, by the rules alone
        return None
    text = source.text.encode("utf-8", "surrogatepass")
    if data.removeprefix(codecs.BOM_UTF8) != text:
        file.copy.chmod(0o600)
        file.copy.write_bytes(without_cookie(source.text).encode("utf-8", "surrogatepass"))
    return None


def without_cookie(text: str) -> str:
    """The coding line made a plain comment of the same length."""
    lines = text.splitlines(keepends=True)
    head = [COOKIE.sub(r"\1------\2", line, count=1) for line in lines[:HEAD_LINES]]
    return "".join([*head, *lines[HEAD_LINES:]])
