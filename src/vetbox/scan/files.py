"""The Python files below some paths: those to read, those skipped and why, those unreadable."""

import os
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from vetbox.findings import Failure, FailureKind
from vetbox.late_dataclasses import dataclass
from vetbox.scan.ignoring import (
    FILE,
    Ignores,
    Patterns,
    TooManyPatternsError,
    ignored,
    ignores_above,
    ignores_in,
)

SUFFIXES = (".py", ".pyi", ".pyw", ".ipynb")
# Never a project's own code: version control, environments, caches, packages of others.
DEFAULT_EXCLUDES = frozenset(
    {".bzr", ".direnv", ".eggs", ".git", ".hg", ".mypy_cache", ".nox", ".pants.d", ".pytest_cache"}
    | {".pytype", ".ruff_cache", ".svn", ".tox", ".venv", "__pycache__", "__pypackages__"}
    | {"node_modules", "site-packages", "venv"}
)
BY_DEFAULT = "folders of caches, environments and version control"
BY_GITIGNORE = FILE
BY_SETTINGS = "exclude"


class FoundFile(NamedTuple):
    """A regular file; `path` is as a person would type it, with `/`."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class Discovery:
    """`skipped` counts files and folders by reason; `failures` are paths that cannot be read.

    Among them are .gitignore files that were not obeyed.
    """

    files: tuple[FoundFile, ...]
    failures: tuple[Failure, ...]
    skipped: Mapping[str, int]


def discover(
    paths: Sequence[Path],
    *,
    exclude: Sequence[str] = (),
    root: Path | None = None,
    respect_ignores: bool = True,
) -> Discovery:
    """The Python files of the paths, each once, by path.

    A file named in `paths` is always taken. Below a folder, links to folders are not followed, and
    unless `respect_ignores` is off, what .gitignore files and `exclude` (globs in their syntax,
    from `root`, which is the current folder by default) name is left out, as are DEFAULT_EXCLUDES.
    """
    search = _Search(tuple(exclude), root or Path.cwd(), respect_ignores=respect_ignores)
    for path in paths:
        search.add(path)
    files = tuple(search.files[path] for path in sorted(search.files))
    return Discovery(files, tuple(search.failures), dict(search.skipped))


def absolute(files: Sequence[FoundFile]) -> list[str]:
    """Their absolute paths, without a look at the disk for each."""
    here = os.getcwd().rstrip("/") + "/"
    return [
        os.path.abspath(file.path) if file.path[:1] in ("/", ".") else here + file.path
        for file in files
    ]


@dataclass
class _Search:
    exclude: tuple[str, ...]
    root: Path
    respect_ignores: bool
    files: dict[str, FoundFile] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path) -> None:
        shown = _shown(os.fspath(path))
        try:
            if stat.S_ISDIR(path.stat().st_mode):
                self._walk(shown)
            else:
                self._take(shown)
        except OSError as error:
            self._fail(shown, error.strerror or str(error))

    def _walk(self, top: str) -> None:
        ignores = ignores_above(top, self.failures) if self.respect_ignores else ()
        if ignored(f"{top.rstrip('/')}/", ignores):
            ignores = ()  # whoever names it wants to hear of it
        pending = [(top, ignores)]
        while pending:
            folder, ignores = pending.pop()
            try:
                with os.scandir(folder) as entries:
                    found = list(entries)
            except OSError as error:
                self._fail(folder, error.strerror or str(error))
                continue
            if self.respect_ignores and any(entry.name == FILE for entry in found):
                ignores = (*ignores, *ignores_in(folder, self.failures))
            prefix = "" if folder == "." else f"{folder.rstrip('/')}/"
            for entry in found:
                below = self._visit(entry, prefix + entry.name, ignores)
                if below is not None:
                    pending.append((below, ignores))

    def _visit(self, entry: "os.DirEntry[str]", path: str, ignores: Ignores) -> str | None:
        """Take a file; return a folder to walk."""
        is_folder = entry.is_dir(follow_symlinks=False)
        if not is_folder and not entry.name.endswith(SUFFIXES):
            return None
        reason = self._reason_to_skip(entry.name, path, ignores, is_folder=is_folder)
        if reason:
            self.skipped[reason] += 1
            return None
        if is_folder:
            return path
        self._take(path, below_a_folder=True)
        return None

    def _reason_to_skip(
        self, name: str, path: str, ignores: Ignores, *, is_folder: bool
    ) -> str | None:
        if not self.respect_ignores:
            return None
        if is_folder and name in DEFAULT_EXCLUDES:
            return BY_DEFAULT
        slashed = f"{path}/" if is_folder else path
        if self.exclude and self._is_excluded(slashed):
            return BY_SETTINGS
        if ignored(slashed, ignores):
            return BY_GITIGNORE
        return None

    def _is_excluded(self, path: str) -> bool:
        end = "/" if path.endswith("/") else ""
        absolute, top = os.path.abspath(path) + end, f"{os.fspath(self.root).rstrip('/')}/"
        return absolute.startswith(top) and bool(self._excluded.verdict(absolute[len(top) :]))

    @cached_property
    def _excluded(self) -> Patterns:
        try:
            return Patterns(self.exclude)
        except TooManyPatternsError as error:
            why = f"exclude: {error}; nothing that they name was left out"
            self.failures.append(Failure("pyproject.toml", FailureKind.TOO_LARGE, why))
            return Patterns(())

    def _take(self, path: str, *, below_a_folder: bool = False) -> None:
        try:
            found = os.stat(path)
        except OSError as error:
            self._fail(path, error.strerror or str(error))
            return
        if below_a_folder and stat.S_ISDIR(found.st_mode):
            return  # a link to a folder ends with .py only to deceive
        if not stat.S_ISREG(found.st_mode):
            self._fail(path, "not a regular file; only those are read")
            return
        self.files[path] = FoundFile(path, found.st_size, found.st_mtime_ns, found.st_ctime_ns)

    def _fail(self, path: str, why: str) -> None:
        self.failures.append(Failure(path, FailureKind.UNREADABLE, why))


def _shown(path: str) -> str:
    return os.path.normpath(path).replace(os.sep, "/")
