"""Replacement: a file's new content in one step, so that a full disk leaves the old one."""

import os
from pathlib import Path

from vetbox.errors import about


def write_file(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all; raises OSError and leaves what was there.

    What is no plain file, such as a pipe, takes what it gets.
    """
    with about(path):
        if path.is_file():
            replace_file(path.resolve(), data)
        else:
            _put(path, data, is_new=not path.exists())


def _put(path: Path, data: bytes, *, is_new: bool) -> None:
    try:
        path.write_bytes(data)
    except OSError:
        if is_new:
            path.unlink(missing_ok=True)
        raise


def replace_file(path: Path, data: bytes) -> None:
    """Write a file anew, with the mode it had; raises OSError and leaves what was there."""
    import tempfile  # most commands write no file

    mode = path.stat().st_mode & 0o7777
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(draft).chmod(mode)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink()
        raise
