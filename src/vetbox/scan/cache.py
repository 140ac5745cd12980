"""The scan cache: what was found in files that have not changed since.

A file counts as unchanged when path, size, modification and change time are as stored, or else when
its content has the stored hash. A cache that cannot be read is made anew, silently: it is never
trusted and never needed.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vetbox.files.user_cache import keep_newest
from vetbox.scan.files import FoundFile

if TYPE_CHECKING:
    import sqlite3

CLEAN = "[[],null]"
"""The record of a file without findings."""
# A file written within this time of being read may change again without its times telling.
_SETTLED_NS = 2_000_000_000
_KEPT_FILES = 30  # one for each rule set, profile and version
_KEPT_ENTRIES = 500_000  # the newest: files that are gone are never asked for again
_LOCK_S = 5.0
_DIGEST_BYTES = 16
_TABLE = (
    "CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, shown TEXT, size INTEGER,"
    " mtime INTEGER, ctime INTEGER, digest BLOB, record TEXT)"
)
# A row that is replaced counts as new.
_FORGET_OLDEST = "DELETE FROM files WHERE rowid <= (SELECT max(rowid) FROM files) - ?"


class Entry(NamedTuple):
    """What is stored of one file; the times are 0 where only its hash may be believed."""

    shown: str
    size: int
    mtime_ns: int
    ctime_ns: int
    digest: bytes
    record: str

    def untouched(self, file: FoundFile) -> bool:
        return self[:4] == file


class ScanCache:
    """The entries of one rule set, profile and version of vetbox, by absolute path."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, folder: Path, *parts: str) -> "ScanCache":
        """The cache for everything that findings depend on besides the file: `parts`."""
        key = blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
        return cls(folder / f"scan-{key}.db")

    @property
    def exists(self) -> bool:
        return self._path.exists()

    def load(self, paths: Sequence[str]) -> Mapping[str, Entry]:
        """The entries of these absolute paths, and of some between them."""
        paths = [path for path in paths if _is_text(path)]
        if not paths or not self.exists:
            return {}
        import sqlite3

        try:
            with _opened(self._path) as database:
                found = database.execute(
                    "SELECT * FROM files WHERE path BETWEEN ? AND ?", (min(paths), max(paths))
                )
                return {row[0]: Entry._make(row[1:]) for row in found}
        except (sqlite3.Error, TypeError, OverflowError):
            self.forget()
            return {}

    def store(self, entries: Mapping[str, Entry]) -> None:
        """Add or replace; a full or read-only disk is no error. Names that are no text stay out."""
        if not entries:
            return
        import sqlite3

        is_new = not self.exists
        try:
            with _opened(self._path) as database:
                database.execute(_TABLE)
                rows = (
                    (path, *entry)
                    for path, entry in entries.items()
                    if _is_text(path) and _is_text(entry.shown) and _is_text(entry.record)
                )
                database.executemany("REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                database.execute(_FORGET_OLDEST, (_KEPT_ENTRIES,))
        except (sqlite3.Error, OSError):
            self.forget()
        if is_new:
            keep_newest(self._path.parent, "scan-*.db", _KEPT_FILES)

    def forget(self) -> None:
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def entry_of(file: FoundFile, digest: bytes, record: str) -> Entry:
    """What to store of a file that was just read."""
    settled = time.time_ns() - max(file.mtime_ns, file.ctime_ns) > _SETTLED_NS
    times = (file.mtime_ns, file.ctime_ns) if settled else (0, 0)
    return Entry(file.path, file.size, *times, digest, record)


def _is_text(value: str) -> bool:
    """Can it be stored? A file's name may be bytes that are no UTF-8."""
    try:
        value.isascii() or value.encode()
    except UnicodeEncodeError:
        return False
    return True


def digest_of(data: bytes) -> bytes:
    """Processors of this decade have SHA-256 built in, which makes it twice as fast as BLAKE2."""
    return sha256(data, usedforsecurity=False).digest()[:_DIGEST_BYTES]


@contextmanager
def _opened(path: Path) -> Iterator["sqlite3.Connection"]:
    """A connection that commits at the end. A lost cache costs time only: no waiting for disks."""
    import sqlite3

    connection = sqlite3.connect(path, timeout=_LOCK_S)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        with connection:
            yield connection
    finally:
        connection.close()
