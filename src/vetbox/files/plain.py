"""Files that somebody else put there: only regular ones are read, and none without end."""

import errno
import os
import stat
from pathlib import Path

MAX_BYTES = 10_000_000  # a thousand times what people write by hand
# A FIFO's writer is not waited for.
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


def read_plain(path: str | Path, max_bytes: int = MAX_BYTES) -> bytes:
    """All of a file; OSError where it is not a regular one, or larger than that."""
    with open(os.open(path, _FLAGS), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"larger than {max_bytes:,} bytes")
    return data
