"""Results too large to show: kept in the project's `.onetool/tmp/` for a while, read in pages."""

import json
import math
import re
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from vetbox.errors import VetboxError
from vetbox.files.folders import Folder
from vetbox.run.summary import summarised

OWN_FOLDER = ".onetool"
HANDLE = re.compile(r"[0-9a-f]{32}")
MAX_LIMIT = 10_000  # lines of one page
HINT_LIMIT = 50
MAX_META = 100_000  # bytes; it names the tools that were called
MAX_WRITING_S = 3_600.0  # between the moment that a meta file names and that of its text
MAX_PREVIEW = 4_000  # characters: one line may be the whole result
_HANDLE_BYTES = 16  # 128 bits: not to be guessed
_OURS = re.compile(r"\.?result-(?P<handle>[0-9a-f]{32})\.(?:txt|meta\.json)(?:\.[0-9a-f]+\.tmp)?")


class ResultStoreError(VetboxError):
    """A result could not be kept or found."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What is known of a kept result; the fields of its meta file."""

    handle: str
    total_lines: int
    size_bytes: int
    created_at: str
    tool: str


@dataclass(frozen=True, slots=True)
class ResultStore:
    """The kept results of one project; safe to use from many threads and processes.

    `ttl_s` is how long a result is kept, `quota_bytes` how much all of them may take: the oldest
    make room.
    """

    root: Path
    folder: str = "tmp"
    ttl_s: float = 3_600
    quota_bytes: int = 100_000_000
    clock: Callable[[], float] = time.time
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _kept_at: dict[str, tuple[float, float]] = field(default_factory=dict, repr=False)
    """When this process kept a result: by a clock that nobody sets, and as its file says."""

    def keep(self, text: str, *, tool: str) -> Stored:
        """Write the text and what is known of it; drops what has expired and the oldest first."""
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > self.quota_bytes:
            raise ResultStoreError(
                f"The result has {len(data):,} bytes, more than output.quota_bytes "
                f"({self.quota_bytes:,}) allows: return less of it."
            )
        stored = self._described(text, len(data), tool)
        try:
            self._write(stored, data)
        except OSError as error:
            reason = error.strerror or error
            raise ResultStoreError(
                f"The result has {len(data):,} bytes, too many to show, and cannot be kept in "
                f"{OWN_FOLDER}/{self.folder}: {reason}."
            ) from None
        return stored

    def page(
        self, handle: str, *, offset: int = 1, limit: int = 100, search: str | None = None
    ) -> dict[str, object]:
        """`limit` lines from line `offset` (1-based) of those that contain `search`."""
        check_page(handle, offset, limit)
        lines = self._text(handle).splitlines()
        found = [line for line in lines if search is None or search.lower() in line.lower()]
        shown = found[offset - 1 : offset - 1 + limit]
        page = {"handle": handle, "offset": offset, "lines": shown, "total_lines": len(lines)}
        if search is not None:
            page["matching_lines"] = len(found)
        if offset - 1 + limit < len(found):
            page["next_offset"] = offset + limit
        return page

    def _write(self, stored: Stored, data: bytes) -> None:
        with self._lock, self._open(create=True) as folder:
            self._make_room(folder, len(data))
            # Whoever finds the meta file finds the whole text.
            folder.replace(_text_name(stored.handle), data)
            folder.replace(_meta_name(stored.handle), json.dumps(asdict(stored)).encode())
            written = folder.stat(_text_name(stored.handle)).st_mtime
            self._kept_at[stored.handle] = (time.monotonic(), written)

    def _described(self, text: str, size: int, tool: str) -> Stored:
        now = datetime.fromtimestamp(self.clock(), UTC).isoformat(timespec="seconds")
        handle = secrets.token_hex(_HANDLE_BYTES)
        return Stored(handle, len(text.splitlines()), size, now, tool)

    def _text(self, handle: str) -> str:
        try:
            with self._open() as folder:
                written = folder.stat(_text_name(handle)).st_mtime
                meta = folder.read(_meta_name(handle), max_bytes=MAX_META)
                data = folder.read(_text_name(handle), max_bytes=self.quota_bytes)
            age = self._age(handle, written)
        except FileNotFoundError:
            age, meta, data, written = math.inf, b"", b"", 0.0
        if age > self.ttl_s:
            raise ResultStoreError(
                f"There is no result {handle}: results are kept for {self.ttl_s:g} s; run it again."
            )
        if not _is_about(meta, handle, len(data), written if self._is_foreign(handle) else None):
            raise ResultStoreError(f"The result {handle} is damaged: run it again.")
        return _decoded(handle, data)

    def _is_foreign(self, handle: str) -> bool:
        """Was it kept by another process, whose clock was that of the files?"""
        return handle not in self._kept_at

    def _make_room(self, folder: Folder, wanted: int) -> None:
        """Drop what has expired, then the oldest until `wanted` bytes fit."""
        kept = sorted(_kept(folder), key=lambda one: one.written)
        total = sum(one.size for one in kept)
        for one in kept:
            expired = self._age(one.handle, one.written) > self.ttl_s
            if expired or total + wanted > self.quota_bytes:
                one.remove(folder)
                self._kept_at.pop(one.handle, None)
                total -= one.size

    def _age(self, handle: str, written: float) -> float:
        """How long a result has been kept; the time of day may have been set since then."""
        kept_at, as_written = self._kept_at.get(handle, (0.0, math.inf))
        known = written >= as_written
        return time.monotonic() - kept_at if known else self.clock() - written

    def _open(self, *, create: bool = False) -> Folder:
        return Folder.open(self.root, OWN_FOLDER, *PurePosixPath(self.folder).parts, create=create)


def _is_about(meta: bytes, handle: str, size: int, written: float | None) -> bool:
    """Does a meta file say what it should of this result, and of the time when it was written?"""
    try:
        match json.loads(meta):
            case {"handle": str(said), "size_bytes": int(bytes_), "created_at": str(moment)}:
                made = datetime.fromisoformat(moment).timestamp()
                timely = written is None or abs(made - written) < MAX_WRITING_S
                return (said, bytes_) == (handle, size) and timely
    except (ValueError, OverflowError, RecursionError):
        pass
    return False


def _decoded(handle: str, data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise ResultStoreError(f"The result {handle} is damaged: run it again.") from None


def check_page(handle: str, offset: int, limit: int) -> None:
    """Raise unless these can name a page."""
    if not isinstance(handle, str) or not HANDLE.fullmatch(handle):
        raise ResultStoreError(
            "A handle is 32 hexadecimal digits, as a stored result's summary says."
        )
    numbers = isinstance(offset, int) and isinstance(limit, int)
    if not numbers or offset < 1 or not 1 <= limit <= MAX_LIMIT:
        raise ResultStoreError(f"offset begins at 1, limit is 1 to {MAX_LIMIT:,}.")


def overview(stored: Stored, text: str, *, preview_lines: int) -> dict[str, object]:
    """What is shown in place of a kept result."""
    preview = "\n".join(text.splitlines()[:preview_lines])
    return {
        "handle": stored.handle,
        "total_lines": stored.total_lines,
        "size_bytes": stored.size_bytes,
        "summary": summarised(text),
        "preview": preview if len(preview) <= MAX_PREVIEW else preview[:MAX_PREVIEW] + "…",
        "query": hint(stored),
    }


def hint(stored: Stored) -> str:
    """The call that reads a kept result."""
    return f"ot.result(handle='{stored.handle}', offset=1, limit={HINT_LIMIT})"


@dataclass(slots=True)
class _Kept:
    """The files of one result: when the last of them was written, and their size together."""

    handle: str = ""
    written: float = 0.0
    size: int = 0
    names: list[str] = field(default_factory=list)

    def remove(self, folder: Folder) -> None:
        for name in self.names:
            with suppress(FileNotFoundError):  # another process was quicker
                folder.remove(name)


def _kept(folder: Folder) -> Iterable[_Kept]:
    """Every result with its files, drafts of a crash included; other files are not ours."""
    results: defaultdict[str, _Kept] = defaultdict(_Kept)
    for ours in filter(None, map(_OURS.fullmatch, folder.names())):
        with suppress(FileNotFoundError):
            seen = folder.stat(ours[0])
            result = results[ours["handle"]]
            result.handle = ours["handle"]
            result.written = max(result.written, seen.st_mtime)
            result.size += seen.st_size
            result.names.append(ours[0])
    return results.values()


def _text_name(handle: str) -> str:
    return f"result-{handle}.txt"


def _meta_name(handle: str) -> str:
    return f"result-{handle}.meta.json"
