"""The user's cache folder: for what can be worked out again, and only the user can write."""

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

_DEFAULT = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"


def user_cache() -> Path | None:
    """The folder, made when missing; None where there is none that is the user's alone.

    The place is platformdirs' own, found without its import (10 ms of every start).
    """
    chosen = os.environ.get("XDG_CACHE_HOME", "").strip()
    home = chosen if os.path.isabs(chosen) else os.path.expanduser(_DEFAULT)
    if not os.path.isabs(home):
        return None
    folder = Path(home, "vetbox")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except (OSError, ValueError):
        return None
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return folder if ours and not found.st_mode & 0o022 else None


def keep_newest(folder: Path, names: str, count: int) -> None:
    """Drop all but the `count` files written last; what others drop meanwhile is no error."""
    with suppress(OSError):
        for path in sorted(folder.glob(names), key=lambda file: file.stat().st_mtime)[:-count]:
            path.unlink(missing_ok=True)
