"""The files of a project as packs may use them: inside the root, links out of it never followed."""

import io
import os
import stat
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice, takewhile
from pathlib import Path, PurePosixPath

import re2

from vetbox.files.folders import Folder, FolderError
from vetbox.staging.opening import open_beneath, opened_folder, read_regular
from vetbox.staging.walk import EXCLUDED
from vetbox.toolkit import Match, ToolError
from vetbox.trust import TEST_SETTINGS, is_test, own_patterns

MAX_SEARCHED = 2_000_000  # bytes of one file
MAX_LOOKED_AT = 200_000  # entries of the project
MAX_LINE = 500  # characters of a line that is shown
MAX_PATTERN = 1_000  # characters of a glob or an expression
MAX_DEPTH = 50  # folders below each other
_PROTECTED = frozenset({".git", ".hg", ".onetool"})
# What tools on the host execute or obey without being asked to: editors, CI, agents, git, shells.
_OBEYED_FOLDERS = _PROTECTED | {
    *(".circleci", ".claude", ".codex", ".cursor", ".devcontainer", ".gemini", ".github"),
    *(".gitlab", ".husky", ".idea", ".vscode", ".zed"),
}
_OBEYED = TEST_SETTINGS | {
    *("agents.md", "claude.md", "gemini.md", ".cursorrules", ".windsurfrules", ".mcp.json"),
    *("fabfile.py", "gnumakefile", "justfile", "makefile", "noxfile.py", "package.json"),
    *("setup.py", "tasks.py"),
    *(".envrc", ".gitattributes", ".gitlab-ci.yml", ".gitmodules", ".pre-commit-config.yaml"),
}


@dataclass(frozen=True, slots=True)
class HostProjectFiles:
    """The files below `root`; only those that match a glob of `writable` can be written.

    Nothing below a folder of `hidden` is read or listed: results are kept there.
    """

    root: Path
    writable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    cancel: threading.Event = field(default_factory=threading.Event, repr=False)

    def read(self, path: str | PurePosixPath, *, max_bytes: int) -> bytes:
        """A regular file's bytes; ToolError when it is missing, special, outside or larger."""
        name = self._relative(path)
        if self._is_hidden(name):
            raise ToolError(f"Cannot read {name}: it is kept for whoever has its handle.")
        try:
            with opened_folder(self.root) as root:
                data = read_regular(open_beneath(root, name), max_bytes)
        except OSError as error:
            raise ToolError(f"Cannot read {name}: {_reason(error)}.") from None
        if data is None:
            raise ToolError(f"Cannot read {name}: it is not a regular file.")
        if len(data) > max_bytes:
            raise ToolError(f"{name} is larger than {max_bytes:,} bytes: search it instead.")
        return data

    def write(self, path: str | PurePosixPath, data: bytes) -> None:
        """Replace or make a file; ToolError unless the trusted configuration allows that path."""
        name = self._relative(path)
        self._allow(name)
        *parents, own = PurePosixPath(name).parts
        try:
            with Folder.open(self.root, *parents, create=True) as folder:
                folder.replace(own, data)
        except OSError as error:
            raise ToolError(f"Cannot write {name}: {_reason(error)}.") from None
        except FolderError as error:
            raise ToolError(f"Cannot write {name}: {error}") from None

    def matching(self, pattern: str, *, limit: int) -> Sequence[str]:
        """The paths of up to `limit` files that match a glob such as `src/**/*.py`, sorted."""
        steps = _steps(pattern)
        found = (path for path in self._below(_folder(steps)) if _matches(path.split("/"), steps))
        return sorted(islice(found, limit))

    def search(
        self, expression: str, *, pattern: str, ignore_case: bool, limit: int
    ) -> Sequence[Match]:
        """Up to `limit` lines of matching files in which a regular expression (RE2) is found."""
        if len(expression) > MAX_PATTERN:
            raise ToolError(f"An expression has at most {MAX_PATTERN:,} characters.")
        options = re2.Options()
        options.case_sensitive, options.log_errors = not ignore_case, False
        try:
            wanted = re2.compile(expression, options)
        except re2.error as error:
            reason = error.args[0]
            text = reason.decode() if isinstance(reason, bytes) else str(reason)
            raise ToolError(f"{expression!r} is not a regular expression: {text}") from None
        paths = self.matching(pattern, limit=MAX_LOOKED_AT)
        return list(islice((match for path in paths for match in self._lines(path, wanted)), limit))

    def _below(self, folder: str) -> Iterator[str]:
        """Every regular file below a folder of the project; none when there is no such folder."""
        try:
            with opened_folder(self.root) as root:
                fd = open_beneath(root, folder or ".")
        except OSError:
            return
        try:
            for path in _walk(fd):
                self._go_on()
                whole = f"{folder}/{path}" if folder else path
                if not self._is_hidden(whole):
                    yield whole
        finally:
            os.close(fd)

    def _lines(self, path: str, wanted: "re2._Regexp[str]") -> Iterator[Match]:
        self._go_on()
        try:
            text = self.read(path, max_bytes=MAX_SEARCHED).decode("utf-8-sig")
        except (ToolError, UnicodeDecodeError):  # too large or not text: not what grep is for
            return
        lines = (line.removesuffix("\n") for line in io.StringIO(text, newline=None))
        for number, line in enumerate(lines, 1):  # as Python, editors and our findings count them
            if wanted.search(line):
                yield Match(path, number, line[:MAX_LINE])

    def _is_hidden(self, name: str) -> bool:
        path = PurePosixPath(name.casefold())
        return any(path.is_relative_to(folder.casefold()) for folder in self.hidden)

    def _go_on(self) -> None:
        """Nobody waits for the answer any more once the run is over."""
        if self.cancel.is_set():
            raise ToolError("The run is over.")

    def _relative(self, path: str | PurePosixPath) -> str:
        given = PurePosixPath(path)
        if "\0" in str(given):
            raise ToolError("A path cannot hold a null character.")
        if given.is_absolute() and given.is_relative_to(self.root):
            given = given.relative_to(self.root)
        if given.is_absolute() or ".." in given.parts:
            raise ToolError(f"{path} is outside the project: give a path relative to its root.")
        return str(given)

    def _allow(self, name: str) -> None:
        parts = PurePosixPath(name.casefold()).parts
        if not parts:
            raise ToolError("Cannot write the project's root: give a file's path.")
        if not any(_matches(name.split("/"), _steps(glob)) for glob in self.writable):
            allowed = ", ".join(self.writable) or "nothing"
            raise ToolError(
                f"Writing {name} is not allowed: security.writable of a trusted configuration "
                f"lists {allowed}."
            )
        own = [pattern.casefold() for pattern in own_patterns(self.root)]
        obeyed = parts[-1] in _OBEYED or parts[-1].endswith(".pth") or is_test(Path(*parts), own)
        if obeyed or _OBEYED_FOLDERS.intersection(parts):
            raise ToolError(f"Writing {name} is not allowed: it is executed or obeyed on the host.")


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _steps(pattern: str) -> tuple[str, ...]:
    """The glob's parts."""
    if len(pattern) > MAX_PATTERN:
        raise ToolError(f"A glob has at most {MAX_PATTERN:,} characters.")
    parts = PurePosixPath(pattern).parts
    if ".." in parts or pattern.startswith("/"):
        raise ToolError(f"{pattern!r} is outside the project: give a glob relative to its root.")
    return parts


def _folder(steps: Sequence[str]) -> str:
    """The folder that the pattern names before its first wildcard."""
    return "/".join(takewhile(lambda step: not set("*?[").intersection(step), steps[:-1]))


def _matches(path: Sequence[str], steps: Sequence[str]) -> bool:
    """Whether the steps cover the whole path; `**` is any number of folders, or none."""
    reached = {0}  # how many parts of the path the steps so far may have covered
    for step in steps:
        if step == "**":
            reached = set(range(min(reached, default=len(path) + 1), len(path) + 1))
        else:
            after = {n for n in reached if n < len(path) and fnmatchcase(path[n], step)}
            reached = {n + 1 for n in after}
    return len(path) in reached


def _walk(top: int) -> Iterator[str]:
    """Every regular file below a folder; other people's and generated folders are left out."""
    looked_at = 0
    for folder, folders, names, fd in os.fwalk(".", dir_fd=top):
        looked_at += len(folders) + len(names)
        if looked_at > MAX_LOOKED_AT:
            raise ToolError(f"The project has more than {MAX_LOOKED_AT:,} files: name a folder.")
        deep = folder.count("/") >= MAX_DEPTH
        folders[:] = [] if deep else sorted(set(folders) - EXCLUDED - _PROTECTED)
        for name in sorted(names):
            if stat.S_ISREG(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode):
                yield f"{folder}/{name}".removeprefix("./")
