"""The user's cache folder: for what can be worked out again, and only the user can write."""

import os
import stat
from pathlib import Path

import platformdirs


def user_cache() -> Path | None:
    """The folder, made when missing; None where there is none that is the user's alone."""
    folder = platformdirs.user_cache_path("vetbox")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except (OSError, RuntimeError):
        return None
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return folder if ours and not found.st_mode & 0o022 else None
