"""Paths that a client names: relative, inside the project, and never to be taken for an option."""

import errno
import os
import re
import stat
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo

from vetbox.boundary.errors import invalid

MAX_PATH = 4096  # PATH_MAX of Linux
MAX_NODE_ID = 2_000
TRAVERSAL = "Path traversal not allowed"
OUTSIDE = "Path must be within project directory"
OPTION = "must not begin with '-' or '@'"
REALLY_SO = "write ./ before a file that is really called so"
# The null character and halves of surrogate pairs, which no file system call takes.
UNUSABLE = re.compile(r"[\x00\ud800-\udfff]")
CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def project_of(info: ValidationInfo) -> Path:
    """The project root: `context={"project": root}` of the validation, else this folder."""
    context = info.context or {}
    return Path(context.get("project") or Path.cwd())


def existing(value: str, info: ValidationInfo) -> str:
    """A file or folder of the project, links resolved; the path stays as it was written."""
    resolved = inside(value, project_of(info))
    try:
        kind = os.stat(resolved).st_mode
    except OSError as error:
        raise invalid(f"Path '{escaped(value)}' {why(error)}") from None
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise invalid(f"Path '{escaped(value)}' is not a regular file or folder")
    return value


def inside(value: str, project: Path) -> Path:
    """Where the path leads; refused when that is outside. What does not exist leads nowhere."""
    well_formed(value)
    root = Path(os.path.realpath(project))
    try:
        resolved = Path(os.path.realpath(root / value))
    except OSError as error:
        raise invalid(f"Path '{escaped(shortened(value))}' {why(error)}") from None
    if not resolved.is_relative_to(root):
        raise invalid(OUTSIDE)
    return root / value


def well_formed(value: str) -> str:
    """What can be said without looking at the disk; `..` first."""
    if ".." in re.split(r"[/\\]", value):
        raise invalid(TRAVERSAL)
    if not value.strip():
        raise invalid("Path must not be empty; name a file or folder, or . for the whole project")
    if len(value) > MAX_PATH:
        raise invalid(f"Path is longer than {MAX_PATH:,} characters")
    if UNUSABLE.search(value):
        raise invalid("Path must not contain null characters or halves of surrogate pairs")
    if is_absolute(value):
        raise invalid(OUTSIDE)
    if value[0] in "-@":
        raise invalid(f"Path {OPTION}; {REALLY_SO}")
    return value


def is_absolute(value: str) -> bool:
    windows = PureWindowsPath(value)
    return PurePosixPath(value).is_absolute() or bool(windows.drive or windows.root)


def why(error: OSError) -> str:
    reasons = {errno.ELOOP: "is a loop of symbolic links", errno.ENAMETOOLONG: "is too long"}
    missing = "does not exist in the project"
    return reasons.get(error.errno or 0, missing)


def shortened(value: str) -> str:
    return value if len(value) <= 100 else value[:100] + "…"  # noqa: PLR2004 - a line of text


def escaped(value: str) -> str:
    """For a sentence: no part of a name may look like more of it, or move a terminal's cursor."""
    return CONTROL.sub(lambda found: repr(found[0])[1:-1], value)


def node_id(value: str, info: ValidationInfo) -> str:
    """`tests/test_a.py::TestB::test_c[param]`: a path of the project, then names.

    Whether the node exists is pytest's to say.
    """
    path, separator, names = value.partition("::")
    if CONTROL.search(value):
        raise invalid("Node id must not contain control characters")
    if not path or (separator and not names.strip(":")):
        raise invalid("Node id must look like tests/test_file.py::test_name")
    inside(path, project_of(info))
    return value


def file_pattern(value: str) -> str:
    if value[0] in "-@":
        raise invalid(f"Pattern {OPTION}; write ? in its place")
    if not value.strip(".") or ".." in value:
        raise invalid("Pattern must match file names, like test_*.py")
    return value


ProjectPath = Annotated[str, AfterValidator(existing)]
NodeId = Annotated[str, Field(max_length=MAX_NODE_ID), AfterValidator(node_id)]
FilePattern = Annotated[
    str,
    Field(min_length=1, max_length=255, pattern=r"^[\w*?.-]+$"),  # 255: the longest file name
    AfterValidator(file_pattern),
]
