"""Replacement: a file's new content in one step, so that a full disk leaves the old one."""

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write a file anew, with the mode it had; raises OSError and leaves what was there."""
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
