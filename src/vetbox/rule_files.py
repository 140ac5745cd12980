"""The files that rules are written in: which they are, what is in them, one hash of it all.

Nothing here knows what a rule is, so a scan that has nothing to judge need not know either.
"""

import os
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from vetbox import __version__
from vetbox.errors import RuleError
from vetbox.files.plain import read_plain
from vetbox.late_dataclasses import dataclass

MODELS = "models"
"""The folder beside rules that holds what kinds of theirs are."""
_NOT_RULES = frozenset({MODELS, "schema"})
"""Folders beside the rules that hold other data."""
_COMPILING = ("documents", "rules")
"""The packages whose code makes rules of files."""
MAX_RULE_FILES = 10_000
_SUFFIX = ".yaml"


ModelFiles: TypeAlias = tuple[tuple[str, bytes], ...]
"""Files of models by path, with their content."""


def shipped_rules_dir() -> Path:
    """The rules of this vetbox: of its checkout, else of its installed package."""
    package = Path(__file__).parent
    installed = package / "_rules"
    return installed if installed.is_dir() else package.parents[1] / "rules"


def shipped_models_dir() -> Path:
    """The models that taint rules share; a change of one changes rules."""
    return shipped_rules_dir() / MODELS


def model_files(paths: Iterable[Path]) -> ModelFiles:
    """The shipped models and those in the `models` folder of some folders of rules."""
    return tuple((file, _content(file)) for file in _model_names(paths))


def _model_names(paths: Iterable[Path]) -> Iterator[str]:
    own = (path / MODELS for path in paths)
    folders = {path.resolve(): path for path in own if path.is_dir()}
    folders.pop(shipped_models_dir().resolve(), None)
    for path in (shipped_models_dir(), *folders.values()):
        yield from rule_files(path)


@dataclass(frozen=True)
class RuleFiles:
    """`names` and `model_names` are paths; what is in them is read when it is first asked for."""

    names: tuple[str, ...]
    model_names: tuple[str, ...]

    @classmethod
    def below(cls, paths: Sequence[Path], beside: Sequence[Path] = ()) -> "RuleFiles":
        """The rule files of some files and folders; raises RuleError for what cannot be read.

        They may name the models of these folders, and of those `beside` which are read with them.
        """
        names = [file for path in paths for file in _some_rule_files(path)]
        return cls(tuple(names), tuple(_model_names([*paths, *beside])))

    @cached_property
    def files(self) -> tuple[tuple[str, bytes], ...]:
        """The rule files by path with their content; raises RuleError."""
        return tuple((name, _content(name)) for name in self.names)

    @cached_property
    def models(self) -> ModelFiles:
        """The same of the models; raises RuleError."""
        return tuple((name, _content(name)) for name in self.model_names)

    @cached_property
    def digest(self) -> str:
        """Changes with every file, with vetbox and with the interpreter; raises RuleError.

        Files of vetbox's own are taken as unchanged while their size and time are, as its code is:
        reading them all is a tenth of a short command. Others are told by what is in them.
        """
        own = self._shipped
        others = () if self.are_shipped else (*self.files, *self.models)
        key = sha256(f"{__version__} {sys.version} {_code()}".encode())
        for name in sorted(own):
            key.update(f"\0{_stamp(name, _status(name))}".encode("utf-8", "surrogateescape"))
        for name, data in others:
            if name not in own:
                key.update(f"\0{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
                key.update(data)
        return key.hexdigest()

    @property
    def are_shipped(self) -> bool:
        """Are all of them vetbox's own?"""
        return self._shipped == {*self.names, *self.model_names}

    @cached_property
    def _shipped(self) -> frozenset[str]:
        folder = os.fspath(shipped_rules_dir()) + os.sep
        names = chain(self.names, self.model_names)
        return frozenset(name for name in names if name.startswith(folder))


@cache
def _code() -> str:
    """Changes with vetbox's own code: in a checkout it does so without a new version."""
    package = os.path.dirname(__file__)
    own = (entry for entry in _entries(package) if entry.name.endswith(".py"))
    folders = (_below(os.path.join(package, name), ".py", ()) for name in _COMPILING)
    return " ".join(sorted(_stamp(one.path, one.stat()) for one in chain(own, *folders)))


def _stamp(name: str, stat: os.stat_result) -> str:
    return f"{name}:{stat.st_size}:{stat.st_mtime_ns}"


def rule_files(path: Path) -> list[str]:
    """A file, or the rule files of a folder; raises RuleError for what cannot be read."""
    if path.is_file():
        return [os.fspath(path)]
    if not path.is_dir():
        raise RuleError([f"{path}: no such rule file or folder"])
    found = sorted(entry.path for entry in _below(os.fspath(path), _SUFFIX))
    if len(found) > MAX_RULE_FILES:
        raise RuleError([f"{path}: more than {MAX_RULE_FILES:,} rule files; name a smaller folder"])
    return found


def _some_rule_files(path: Path) -> list[str]:
    """What `rule_files` finds; a folder of neither rules nor models is hardly the one meant."""
    found = rule_files(path)
    if not found and not (path / MODELS).is_dir():
        raise RuleError([f"{path}: no rules here; each is a file of its own, NAME{_SUFFIX}"])
    return found


def _below(
    folder: str, suffix: str, passed: Container[str] = _NOT_RULES
) -> Iterator["os.DirEntry[str]"]:
    """The files of a folder and its folders but those passed over; no links to folders."""
    for entry in _entries(folder):
        if entry.name.endswith(suffix):
            yield entry
        elif entry.is_dir(follow_symlinks=False) and entry.name not in passed:
            yield from _below(entry.path, suffix, passed)


def _entries(folder: str) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        raise RuleError([f"{folder}: cannot be read: {error.strerror}"]) from error


def _content(path: str) -> bytes:
    try:
        return read_plain(path)
    except OSError as error:
        raise RuleError([f"{path}: cannot be read: {error.strerror}"]) from error


def _status(path: str) -> os.stat_result:
    try:
        return os.stat(path)
    except OSError as error:
        raise RuleError([f"{path}: cannot be read: {error.strerror}"]) from error
