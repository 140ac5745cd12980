"""`[tool.vetbox]` of a pyproject.toml: what `vetbox check` does when no option says so."""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetbox.errors import VetboxError, cause
from vetbox.files.plain import read_plain
from vetbox.late_dataclasses import dataclass

if TYPE_CHECKING:
    from vetbox.documents import Document

FILE = "pyproject.toml"
# Looked for before the parser is even imported (15 ms): most projects have no table of ours.
MARK = re.compile(rb"vetbox|^\s*tool\s*=", re.MULTILINE)


class SettingsError(VetboxError):
    """`[tool.vetbox]` holds something vetbox does not know."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The defaults of `vetbox check`; paths are relative to `root`."""

    root: Path
    profile: str = "repo"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    rules: tuple[Path, ...] = ()
    baseline: Path | None = None
    error_on: str = "info"
    tools: tuple[str, ...] = ("rules",)
    rules_url: str = ""

    def place_of(self, key: str, word: str) -> str:
        """Where a word of a list is written, as `path:line:column`."""
        path = self.root / FILE
        text = path.read_text(encoding="utf-8")
        line, column = document_of(text, path).key_position("tool", "vetbox", key)
        lines = text.split("\n")
        for number in range(line - 1, len(lines)):
            found = re.search(rf"""(["']){re.escape(word)}\1""", lines[number])
            if found:
                return f"{path}:{number + 1}:{found.start() + 1}"
        return f"{path}:{line}:{column}"


WEB = ("https://", "http://")
# What each key may hold. A list is of words; a choice is one of the words named.
LISTS = ("select", "ignore", "exclude", "rules", "tools")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "profile": ("repo", "agent"),
    "error-on": ("error", "warning", "info"),
}
ADDRESSES = ("rules-url",)
KEYS = (*LISTS, *CHOICES, *ADDRESSES, "baseline")


def read_settings(start: Path) -> Settings:
    """The settings that hold in `start`: of the nearest folder upwards with a pyproject.toml."""
    root = next((at for at in (start, *start.parents) if os.path.lexists(at / FILE)), None)
    if root is None:
        return Settings(start)
    path = root / FILE
    try:
        data = read_plain(path)
        text = data.decode() if MARK.search(data) else ""
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path}: {cause(error)}") from error
    return settings_from(text, root, path) if text else Settings(root)


def settings_from(text: str, root: Path, path: Path) -> Settings:
    """The table of ours in a file's text; raises SettingsError with the place of what is wrong."""
    table = parsed(text, path)
    for keys in (("tool",), ("tool", "vetbox")):
        table = table.get(keys[-1], {})
        if not isinstance(table, dict):
            raise SettingsError(f"{place_of(keys, text, path)}: {'.'.join(keys)} is not a table")
    found: dict[str, object] = {}
    for key, value in table.items():
        problem = wrong(key, value)
        if problem:
            raise SettingsError(
                f"{place_of(('tool', 'vetbox', key), text, path)}: [tool.vetbox] {problem}"
            )
        found[key.replace("-", "_")] = tuple(value) if isinstance(value, list) else value
    settings = replace(Settings(root), **found)  # type: ignore[arg-type]
    baseline = settings.baseline and root / settings.baseline
    return replace(settings, rules=tuple(root / name for name in settings.rules), baseline=baseline)


def parsed(text: str, path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return dict(document_of(text, path).data)


def place_of(keys: tuple[str, ...], text: str, path: Path) -> str:
    """`path:line:column` of a key."""
    line, column = document_of(text, path).key_position(*keys)
    return f"{path}:{line}:{column}"


def document_of(text: str, path: Path) -> "Document":
    """The file with its places, for mistakes only: the reader costs a tenth of a short check."""
    from vetbox.documents import DocumentError, read_toml

    try:
        return read_toml(text, str(path))
    except DocumentError as error:
        raise SettingsError(str(error)) from error


def wrong(key: str, value: object) -> str | None:
    """What is wrong with one entry, as the rest of a sentence."""
    if key not in KEYS:
        import difflib

        near = difflib.get_close_matches(key, KEYS, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"its keys are {', '.join(KEYS)}"
        return f"does not know '{key}'; {hint}"
    if key in LISTS:
        return _wrong_list(key, value)
    if key in CHOICES:
        known = value in CHOICES[key]
        return None if known else f"{key}: {value!r} is not one of {', '.join(CHOICES[key])}"
    return _wrong_text(key, value)


def _wrong_list(key: str, value: object) -> str | None:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return f"{key}: must be a list of strings"
    if key == "tools" and not value:
        return f"{key}: must not be empty; leave it out to run vetbox's rules only"
    return None


def _wrong_text(key: str, value: object) -> str | None:
    if not isinstance(value, str):
        return f"{key}: must be a string"
    if not value:
        return f"{key}: is empty; leave it out"
    if key in ADDRESSES and not value.startswith(WEB):
        return f"{key}: {value!r} is no https address"
    return None
