"""A folder of ours inside a project: its files are read and written without following a link."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from vetbox.errors import VetboxError, about

# The project is not ours: a link, FIFO or device in it may lead or hold us anywhere.
_SAFE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700


class FolderError(VetboxError):
    """Something in a folder of ours is not the plain file or folder it has to be."""


class Folder:
    """An open folder; names are plain file names. Use as a context manager, or `close()` it."""

    def __init__(self, fd: int, path: str) -> None:
        self.fd, self.path = fd, path

    @classmethod
    def open(cls, root: Path, *parts: str, create: bool = False) -> "Folder":
        """The folder `root/parts…`; no part of `parts` may be a link.

        Raises FileNotFoundError when it is missing and not created, FolderError for anything else.
        """
        fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for part in parts:
            parent = fd
            try:
                fd = _open_inside(parent, part, create=create)
            finally:
                os.close(parent)
        return cls(fd, "/".join(parts) or str(root))

    def __enter__(self) -> "Folder":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the descriptor back; twice does no harm."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def read(self, name: str, *, max_bytes: int) -> bytes:
        """The bytes of a regular file; FileNotFoundError when it is missing."""
        with os.fdopen(self._open(name, os.O_RDONLY), "rb") as file:
            data = file.read(max_bytes + 1)
        if len(data) > max_bytes:
            raise FolderError(f"{self.path}/{name} is larger than {max_bytes:,} bytes.")
        return data

    def append(self, name: str, data: bytes) -> int:
        """Add `data` in one write; answers the file's size after it."""
        fd = self._open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            with about(f"{self.path}/{name}"):
                os.write(fd, data)
            return os.fstat(fd).st_size
        finally:
            os.close(fd)

    def replace(self, name: str, data: bytes) -> None:
        """Write the whole file or nothing of it, also when the machine stops half-way."""
        draft = f".{name}.{secrets.token_hex(8)}.tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE
        try:
            with (
                about(f"{self.path}/{name}"),
                os.fdopen(os.open(draft, flags, _PRIVATE_FILE, dir_fd=self.fd), "wb") as file,
            ):
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self.rename(draft, name)
        except BaseException:
            with suppress(FileNotFoundError):
                self.remove(draft)
            raise

    def rename(self, old: str, new: str) -> None:
        """Give an entry another name, over whatever had it."""
        os.rename(old, new, src_dir_fd=self.fd, dst_dir_fd=self.fd)

    def remove(self, name: str) -> None:
        """Delete an entry that is no folder; FileNotFoundError when it is missing."""
        os.unlink(name, dir_fd=self.fd)

    def names(self) -> list[str]:
        """All its entries, sorted."""
        return sorted(os.listdir(self.fd))

    def stat(self, name: str) -> os.stat_result:
        """Of the entry itself, never of what a link leads to."""
        return os.stat(name, dir_fd=self.fd, follow_symlinks=False)

    def _open(self, name: str, flags: int) -> int:
        try:
            fd = os.open(name, flags | _SAFE, _PRIVATE_FILE, dir_fd=self.fd)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise FolderError(f"Cannot open {self.path}/{name}: {error.strerror}.") from error
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            raise FolderError(f"{self.path}/{name} is not a regular file.")
        return fd


def _open_inside(parent: int, name: str, *, create: bool) -> int:
    try:
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | _SAFE, dir_fd=parent)
    except FileNotFoundError:
        if not create:
            raise
        _make_inside(parent, name)
        return _open_inside(parent, name, create=False)
    except OSError as error:
        raise FolderError(f"{name} is not a folder of this project: {error.strerror}.") from error


def _make_inside(parent: int, name: str) -> None:
    try:
        os.mkdir(name, _PRIVATE_FOLDER, dir_fd=parent)
    except FileExistsError:  # another process was quicker
        return
    except OSError as error:
        sentence = f"{name}/ cannot be made in this project: {error.strerror}."
        raise FolderError(sentence) from error
