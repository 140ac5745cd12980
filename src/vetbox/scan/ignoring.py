"""Ignore patterns: .gitignore files and `exclude`, which a hostile repository may have written.

What cannot be read or compiled ignores nothing: rather one file too many is looked at. A file that
is not obeyed at all is a failure.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vetbox.findings import Failure, FailureKind
from vetbox.late_dataclasses import dataclass

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

FILE = ".gitignore"
MAX_BYTES = 1_000_000
MAX_PATTERNS = 5_000  # each takes 0.3 ms to compile
_AT_ONCE = 500  # more than some thousand are too many for one automaton


class TooManyPatternsError(Exception):
    """More than are compiled: nothing is left out for their sake."""


class Patterns:
    """Patterns in the syntax of .gitignore, compiled in parts; of those the last one decides."""

    def __init__(self, patterns: Sequence[str]) -> None:
        last = reversed(dict.fromkeys(reversed(patterns)))  # of equal ones the last counts
        told = [pattern for pattern in last if pattern.strip()]
        if len(told) > MAX_PATTERNS:
            raise TooManyPatternsError(f"more than {MAX_PATTERNS:,} patterns")
        starts = range(0, len(told), _AT_ONCE)
        parts = (told[start : start + _AT_ONCE] for start in starts)
        self._parts = tuple(spec for part in parts for spec in _compiled(part))

    def __bool__(self) -> bool:
        return bool(self._parts)

    def verdict(self, path: str) -> bool | None:
        """Is the path left out? A folder ends with `/`; None: no pattern speaks of it."""
        if not path.isascii():  # bytes of a name that are no text cannot be matched
            path = path.encode("utf-8", "replace").decode()
        for part in reversed(self._parts):
            include = part.check_file(path).include
            if include is not None:
                return include
        return None


def _compiled(patterns: Sequence[str]) -> Iterator["GitIgnoreSpec"]:
    """Imported late: few scans meet a .gitignore, all would pay for it."""
    from pathspec import GitIgnoreSpec

    try:
        yield GitIgnoreSpec.from_lines(patterns)
    except Exception:  # noqa: BLE001 - of the patterns' syntax, or of the automaton's size
        if len(patterns) > 1:  # without the one that is wrong
            half = len(patterns) // 2
            yield from _compiled(patterns[:half])
            yield from _compiled(patterns[half:])


@dataclass(frozen=True, slots=True)
class Ignore:
    """The patterns of one .gitignore; they hold below `folder`, an absolute path."""

    folder: str
    patterns: Patterns


Ignores = tuple[Ignore, ...]


def ignored(path: str, ignores: Ignores) -> bool:
    """The nearest .gitignore that has an opinion decides, as in git."""
    absolute = os.path.abspath(path) + ("/" if path.endswith("/") else "")
    for ignore in reversed(ignores):
        verdict = ignore.patterns.verdict(absolute[len(ignore.folder) :])
        if verdict is not None:
            return verdict
    return False


def ignores_above(folder: str, failures: list[Failure]) -> Ignores:
    """Of the folders between a repository's root and `folder`, which is looked at later."""
    absolute = os.path.abspath(folder)
    above: list[str] = []
    at = absolute
    while not os.path.exists(os.path.join(at, ".git")):
        parent = os.path.dirname(at)
        if parent == at:
            return ()
        above.append(parent)
        at = parent
    return tuple(ignore for outer in reversed(above) for ignore in ignores_in(outer, failures))


def ignores_in(folder: str, failures: list[Failure]) -> Iterator[Ignore]:
    """What the .gitignore of a folder says, if there is one and it says something."""
    path = os.path.normpath(os.path.join(folder, FILE))
    try:
        patterns = Patterns(_lines(path))
    except FileNotFoundError:
        return
    except OSError as error:
        failures.append(_not_obeyed(path, FailureKind.UNREADABLE, error.strerror or str(error)))
        return
    except TooManyPatternsError as error:
        failures.append(_not_obeyed(path, FailureKind.TOO_LARGE, str(error)))
        return
    if patterns:
        yield Ignore(os.path.abspath(folder).rstrip("/") + "/", patterns)


def _not_obeyed(path: str, kind: FailureKind, why: str) -> Failure:
    return Failure(path.replace(os.sep, "/"), kind, f"{why}; nothing that it names was left out")


def _lines(path: str) -> Sequence[str]:
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(None, "not a regular file; only those are read")
        data = os.read(fd, MAX_BYTES + 1)
    finally:
        os.close(fd)
    if len(data) > MAX_BYTES:
        raise TooManyPatternsError(f"more than {MAX_BYTES:,} bytes of patterns")
    return data.decode("utf-8", "replace").splitlines()
