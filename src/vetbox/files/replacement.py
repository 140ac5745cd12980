"""Replacement: a file's new content in one step, so that a full disk leaves the old one."""

import os
from contextlib import suppress
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
    """Write a file anew, with the mode it had and whose it was, as far as that is allowed.

    Raises OSError and leaves what was there.
    """
    import tempfile  # most commands write no file

    before = path.stat()
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".vetbox-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if before.st_uid != os.getuid() or before.st_gid != os.getgid():
            with suppress(PermissionError):  # only root may give files away
                os.chown(draft, before.st_uid, before.st_gid)
        Path(draft).chmod(before.st_mode & 0o7777)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink()
        raise
