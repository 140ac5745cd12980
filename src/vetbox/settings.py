"""`[tool.vetbox]` of a pyproject.toml: what `vetbox check` does when no option says so."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vetbox.errors import VetboxError

FILE = "pyproject.toml"
# Looked for before the parser is even imported (15 ms): most projects have no table of ours.
MARK = b"vetbox"


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
    root = next((at for at in (start, *start.parents) if (at / FILE).is_file()), start)
    path = root / FILE
    try:
        data = path.read_bytes() if path.is_file() else b""
        table = parsed(data.decode()) if MARK in data else {}
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}") from error
    for key in ("tool", "vetbox"):
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise SettingsError(f"{path}: {key} is not a table")
    return settings_from(table, root, path)


def parsed(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)


def settings_from(table: Mapping[str, object], root: Path, path: Path) -> Settings:
    found: dict[str, object] = {}
    for key, value in table.items():
        problem = wrong(key, value)
        if problem:
            raise SettingsError(f"{path}: [tool.vetbox] {problem}")
        found[key.replace("-", "_")] = tuple(value) if isinstance(value, list) else value
    settings = replace(Settings(root), **found)  # type: ignore[arg-type]
    baseline = settings.baseline and root / settings.baseline
    return replace(settings, rules=tuple(root / name for name in settings.rules), baseline=baseline)


def wrong(key: str, value: object) -> str | None:
    """What is wrong with one entry, as the rest of a sentence."""
    if key not in KEYS:
        import difflib

        near = difflib.get_close_matches(key, KEYS, n=1)
        return f"does not know '{key}'" + (f"; did you mean '{near[0]}'?" if near else "")
    if key in LISTS:
        words = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if words else f"{key}: must be a list of strings"
    if key in CHOICES and value not in CHOICES[key]:
        return f"{key}: {value!r} is not one of {', '.join(CHOICES[key])}"
    if not isinstance(value, str):
        return f"{key}: must be a string"
    if key in ADDRESSES and not value.startswith(WEB):
        return f"{key}: {value!r} is no https address"
    return None
