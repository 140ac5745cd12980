"""What the user trusts: a project's own code, by path and content, kept outside the project."""

import hashlib
import json
import os
import re
import shlex
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import platformdirs

from vetbox.documents import read_yaml
from vetbox.errors import RuleError, VetboxError
from vetbox.files.folders import Folder
from vetbox.late_dataclasses import dataclass
from vetbox.rule_files import MODELS, rule_files

FILE = "trust.json"
MAX_STORE_BYTES = 50_000_000
# Where tests read the store from another place than the user's own.
FOLDER_VARIABLE = "VETBOX_CONFIG_DIR"

# What pytest imports or obeys before it runs anything; a test folder's helpers count as tests.
TEST_FILES = ("conftest.py", "test_*.py", "*_test.py")
TEST_FOLDERS = frozenset({"test", "tests", "testing"})
TEST_SETTINGS = frozenset(
    {"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "pyproject.toml", "tox.ini"}
    | {"setup.cfg", "sitecustomize.py", "usercustomize.py"}
)
# The setting with the lines that go on with it, and the patterns in it.
PYTHON_FILES = re.compile(
    r"\bpython_files[\"']?[ \t]*[=:](.*(?:\n(?:[ \t].*|\].*|$))*)", re.MULTILINE
)
GLOB = re.compile(r"[^\s,'\"#=]+\.py\b|[^\s,'\"#=]*\*[^\s,'\"#=]*")
OWN_FOLDER = ".onetool"
CONFIG_FILE = "onetool.yaml"
MAX_CONFIG_BYTES = 1_000_000
# Written by vetbox itself while it works.
OWN_STATE = frozenset({"log", "tmp"})
# In whatever folder the configuration names; nothing obeys a file of such a name.
KEPT_RESULT = re.compile(r"\.?result-[0-9a-f]{32}\.(?:txt|meta\.json)(?:\.[0-9a-f]+\.tmp)?")
SKIPPED = frozenset({".git", ".hg", "__pycache__", "node_modules", ".tox", ".nox", ".venv", "venv"})


class Part(StrEnum):
    """What of a project is code that vetbox would run or obey."""

    CONFIG = "config"
    TESTS = "tests"


class NotTrusted(VetboxError):
    """Something needs a project that the user has trusted."""


@dataclass(frozen=True, slots=True)
class Trusted:
    """One trusted project: when, and the SHA-256 of each file by part and relative path."""

    project: str
    time: str
    files: Mapping[Part, Mapping[str, str]]


class TrustStore:
    """The projects the user trusts, as `trust.json` in `folder` (default: the user's own)."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or config_folder()

    def is_trusted(self, project: Path, part: Part | None = None) -> bool:
        """Was this project trusted, and is that part (default: every part) still the same?"""
        trusted = self._read().get(str(project.resolve()))
        if trusted is None:
            return False
        parts = tuple(Part) if part is None else (part,)
        return all(trusted.files[each] == fingerprints(project, each) for each in parts)

    def require(self, project: Path, part: Part, what: str) -> None:
        """Raise NotTrusted, with the next step, unless that part of the project is trusted."""
        if self.is_trusted(project, part):
            return
        changed = self.changes(project, part)
        since = f" ({', '.join(changed[:3])} changed since it was trusted)" if changed else ""
        raise NotTrusted(
            f"{what} needs a trusted project, because it runs the project's own code{since}: "
            f"look at that code, then run {command(project)}."
        )

    def changes(self, project: Path, part: Part | None = None) -> tuple[str, ...]:
        """The files that changed, came or went since the project was trusted."""
        trusted = self._read().get(str(project.resolve()))
        if trusted is None:
            return ()
        parts = tuple(Part) if part is None else (part,)
        pairs = [(trusted.files[each], fingerprints(project, each)) for each in parts]
        return tuple(sorted({name for old, new in pairs for name in differing(old, new)}))

    def trust(self, project: Path) -> Trusted:
        """Record the project as it is now."""
        root = project.resolve()
        if not root.is_dir():
            raise VetboxError(f"{project} is not a folder: name a project's root.")
        if root == root.parent:
            raise VetboxError(f"{project} is all of this machine: name a project's root.")
        files = {part: fingerprints(root, part) for part in Part}
        trusted = Trusted(str(root), datetime.now(UTC).isoformat(timespec="seconds"), files)
        self._write({**self._read(), trusted.project: trusted})
        return trusted

    def revoke(self, project: Path) -> bool:
        """Forget a project; was it there?"""
        known = dict(self._read())
        found = known.pop(str(project.resolve()), None)
        self._write(known)
        return found is not None

    def projects(self) -> tuple[Trusted, ...]:
        """What is trusted, changed since then or not."""
        return tuple(self._read().values())

    def _read(self) -> Mapping[str, Trusted]:
        try:
            with Folder.open(self.folder) as folder:
                text = folder.read(FILE, max_bytes=MAX_STORE_BYTES)
            entries = json.loads(text)["projects"]
            return {path: from_json(path, entry) for path, entry in entries.items()}
        except FileNotFoundError:
            return {}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            # A damaged record trusts nothing; only the user may throw it away.
            raise VetboxError(
                f"{self.folder / FILE} is damaged: delete it and trust your projects again."
            ) from error

    def _write(self, known: Mapping[str, Trusted]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        entries = {path: {"time": one.time, "files": one.files} for path, one in known.items()}
        text = json.dumps({"schema": 1, "projects": entries}, indent=1, sort_keys=True)
        with Folder.open(self.folder) as folder:
            folder.replace(FILE, text.encode())


class Standing:
    """Whether a project is still as it was trusted, asked whenever something of its own is used.

    A server may run for days. Files are hashed again only when the system says that one changed.
    """

    def __init__(self, store: TrustStore, project: Path) -> None:
        self._store, self._project = store, project
        self._seen: list[object] | None = None

    def check(self, what: str) -> None:
        """Raise NotTrusted, with the next step, where `.onetool/` is not what was trusted."""
        own = own_files(self._project.resolve())
        seen = [looks(path) for path in (self._store.folder / FILE, *own)]
        if seen != self._seen:
            self._store.require(self._project, Part.CONFIG, what)
            self._seen = seen


def looks(path: Path) -> object:
    """What cannot stay the same when a file, or what a link leads to, is written or replaced."""
    try:
        seen = [path.lstat(), path.stat()]
    except OSError:
        return path, None
    return path, [(one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for one in seen]


def from_json(path: str, entry: Mapping[str, Mapping[str, Mapping[str, str]]]) -> Trusted:
    """An entry of the store as it was written."""
    return Trusted(path, str(entry["time"]), {part: dict(entry["files"][part]) for part in Part})


def untrusted_notice(project: Path) -> str | None:
    """What to say of an `.onetool/` that is not trusted; None where there is none."""
    if not any(own_files(project)):
        return None
    step = f"look at it, then run {command(project)}"
    return f"{OWN_FOLDER}/ is not trusted, so nothing in it has an effect: {step}."


def command(project: Path | str) -> str:
    """What to type to trust a project, whatever its path holds."""
    return f"`vetbox trust {shlex.quote(str(project))}`"


def config_folder() -> Path:
    """Where vetbox keeps what belongs to the user and to no project."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_config_path("vetbox")


def fingerprints(project: Path, part: Part) -> dict[str, str]:
    """SHA-256 of every file of that part, by its path from the project's root."""
    root = project.resolve()
    walk = config_files(root) if part is Part.CONFIG else test_files(root)
    return {path.relative_to(root).as_posix(): fingerprint(path) for path in walk}


def config_files(root: Path) -> Iterator[Path]:
    """What decides how vetbox works: its own folder, the rule files named there, their models."""
    yield from own_files(root)
    for name in named_rules(root):
        for path in (root / name, root / name / MODELS):
            with suppress(RuleError):  # what cannot be read adds no rule either
                yield from map(Path, rule_files(path))


def own_files(root: Path) -> Iterator[Path]:
    """All of `.onetool/` but what vetbox writes there itself."""
    own = root / OWN_FOLDER
    for path in walk_files(own):
        state = path.relative_to(own).parts[0] in OWN_STATE
        if not (state or KEPT_RESULT.fullmatch(path.name)):
            yield path


def named_rules(root: Path) -> Iterator[str]:
    """The paths in the project that `rules:` of the configuration names, wherever they lie."""
    try:
        with Folder.open(root, OWN_FOLDER) as folder:
            text = folder.read(CONFIG_FILE, max_bytes=MAX_CONFIG_BYTES).decode("utf-8")
        data = read_yaml(text, CONFIG_FILE).data
    except (OSError, UnicodeDecodeError, VetboxError):
        return  # it is refused when it is loaded
    names = data.get("rules") if isinstance(data, dict) else None
    for name in names if isinstance(names, list) else ():
        if isinstance(name, str) and is_inside(PurePosixPath(name)):
            yield name


def is_inside(path: PurePosixPath) -> bool:
    """Does a relative path stay below where it starts, as it is spelt?"""
    return not path.is_absolute() and ".." not in path.parts


def test_files(root: Path) -> Iterator[Path]:
    """What decides what runs when the project's tests do: tests, conftest.py, settings."""
    own = own_patterns(root)
    for path in walk_files(root):
        if path.name in TEST_SETTINGS or is_test(path.relative_to(root), own):
            yield path


def is_test(path: Path, own: Sequence[str] = ()) -> bool:
    """Does pytest collect or import a file of this path, by default or by the `own` patterns?"""
    named = any(fnmatch(path.name, pattern) for pattern in TEST_FILES)
    chosen = any(fnmatch(f"/{path.as_posix()}", f"*/{pattern}") for pattern in own)
    helper = not TEST_FOLDERS.isdisjoint(path.parts[:-1])
    return named or (path.suffix == ".py" and (helper or chosen))


def own_patterns(root: Path) -> tuple[str, ...]:
    """What the project's settings call a file of tests: `python_files`, in any of their formats.

    Words too many only ask again for a file too many.
    """
    found: list[str] = []
    for name in sorted(TEST_SETTINGS):
        with suppress(OSError, VetboxError), Folder.open(root) as folder:
            text = folder.read(name, max_bytes=MAX_CONFIG_BYTES).decode("utf-8", "replace")
            found += (word for value in PYTHON_FILES.findall(text) for word in GLOB.findall(value))
    return tuple(found)


def walk_files(top: Path) -> Iterator[Path]:
    """Every file and link below `top`, in a fixed order; linked folders are not entered."""
    for folder, folders, files in os.walk(top):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = sorted(set(folders) - SKIPPED - set(links))
        yield from (Path(folder, name) for name in sorted(files + links))


def fingerprint(path: Path) -> str:
    """SHA-256 of what is in the file; of a link, where it leads and what is there too."""
    seen = hashlib.sha256()
    if path.is_symlink():
        seen.update(os.fsencode(os.readlink(path)) + b"\0")
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return f"unreadable: {error.strerror}"
    if stat.S_ISREG(os.fstat(fd).st_mode):
        with os.fdopen(fd, "rb") as file:
            seen.update(hashlib.file_digest(file, "sha256").digest())
    else:
        os.close(fd)
    return seen.hexdigest()


def differing(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    return (name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
