"""A configuration file for tools: parsed here against an allow-list of keys, never handed on."""

import configparser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from vetbox.analyzers.base import Options
from vetbox.analyzers.registry import TOOLS
from vetbox.documents import read_toml, read_yaml
from vetbox.errors import VetboxError
from vetbox.staging import open_beneath, read_regular
from vetbox.staging.opening import opened_folder

MAX_BYTES = 100_000
# Files that many tools share: what they say to others is none of our business.
SHARED = frozenset({"pyproject.toml", "setup.cfg", "tox.ini"})
OWNERS = {"vetbox": "rules", "tool:vetbox": "rules"}
TABLES = frozenset({"lint"})  # of ruff; a key in one is written with a dot

Settings = Mapping[str, Options]


class ConfigurationError(VetboxError):
    """A configuration file that is not accepted, and why."""


def read_configuration(project: Path, path: str, tools: Sequence[str]) -> Settings:
    """The options that the file sets, by tool. Raises ConfigurationError.

    TOML files hold `[tool.NAME]` tables, or one tool's keys when only one tool runs; YAML files
    hold bandit's keys; anything else is read as INI.
    """
    text = content(project, path)
    found: dict[str, dict[str, object]] = {}
    for tool, key, value in entries(path, text, tools):
        field = TOOLS[tool].keys.get(key)
        if field is None:
            allowed = ", ".join(sorted(TOOLS[tool].keys))
            sentence = f"{path}: '{key}' is not accepted for {tool}; only {allowed} are"
            raise ConfigurationError(sentence)
        found.setdefault(tool, {})[field] = value
    return {tool: options(path, tool, values) for tool, values in found.items()}


def options(path: str, tool: str, values: dict[str, object]) -> Options:
    try:
        return TOOLS[tool].options.model_validate(values, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(step) for step in first["loc"])
        raise ConfigurationError(f"{path}: {tool}: {key}: {first['msg']}") from None


def content(project: Path, path: str) -> str:
    try:
        with opened_folder(project) as root:
            data = read_regular(open_beneath(root, path), MAX_BYTES)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    if data is None or len(data) > MAX_BYTES:
        raise ConfigurationError(f"{path} is not a file of at most {MAX_BYTES:,} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not UTF-8 text") from None


Entry = tuple[str, str, object]  # tool, key, value


def entries(path: str, text: str, tools: Sequence[str]) -> Iterator[Entry]:
    """Every setting of the file, with the tool it is for."""
    if path.endswith(".toml"):
        yield from toml_entries(path, read_toml(text, path).data, tools)
    elif path.endswith((".yaml", ".yml")):
        yield from yaml_entries(path, read_yaml(text, path).data)
    else:
        yield from ini_entries(path, text, tools)


def toml_entries(path: str, data: Mapping[str, Any], tools: Sequence[str]) -> Iterator[Entry]:
    if "tool" not in data and Path(path).name not in SHARED:
        yield from flattened(sole_owner(path, tools), data)
        return
    for name, table in table_of(path, "tool", data.get("tool", {})).items():
        tool = owner(path, name)
        if tool is not None:
            yield from flattened(tool, table_of(path, f"tool.{name}", table))
    for key in data:
        if key != "tool" and Path(path).name not in SHARED:
            raise ConfigurationError(f"{path}: '{key}' belongs to no tool; use [tool.NAME] tables")


def table_of(path: str, name: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigurationError(f"{path}: {name} is not a table")
    return value


def yaml_entries(path: str, data: object) -> Iterator[Entry]:
    if not isinstance(data, Mapping):
        raise ConfigurationError(f"{path} is not a mapping of bandit's keys")
    for key, value in data.items():
        yield "bandit", str(key), value


def ini_entries(path: str, text: str, tools: Sequence[str]) -> Iterator[Entry]:
    parser = configparser.RawConfigParser(strict=True, default_section="\0")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text, path)
    except configparser.Error:
        raise ConfigurationError(f"{path} is not an INI file with sections") from None
    for section in parser.sections():
        tool = ini_owner(path, section, tools)
        for key, value in parser.items(section) if tool else ():
            yield str(tool), key, value.strip().replace("\n", ",")


def flattened(tool: str, table: Mapping[str, Any]) -> Iterator[Entry]:
    """Keys of sub-tables: pylint's by their own name, others with the table's (`lint.select`)."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            prefix = f"{key}." if key in TABLES or tool != "pylint" else ""
            yield from ((tool, prefix + inner, leaf) for inner, leaf in value.items())
        else:
            yield tool, key, value


def sole_owner(path: str, tools: Sequence[str]) -> str:
    """Whose keys stand at the top of a TOML file: of the only tool, or of ruff in a ruff.toml."""
    if len(tools) == 1:
        return tools[0]
    if "ruff" in tools and Path(path).name in ("ruff.toml", ".ruff.toml"):
        return "ruff"
    raise ConfigurationError(f"{path}: whose keys are these? Use [tool.NAME] tables")


def owner(path: str, name: str) -> str | None:
    """The tool that a table is for; None for another's table in a shared file."""
    tool = OWNERS.get(name, name)
    if tool in TOOLS:
        return tool
    if Path(path).name in SHARED:
        return None
    raise ConfigurationError(f"{path}: no tool is called '{name}'; choose from {', '.join(TOOLS)}")


def ini_owner(path: str, section: str, tools: Sequence[str]) -> str | None:
    """Pylint spreads its keys over sections of many names, such as MAIN and FORMAT."""
    name = section.partition(".")[0].lower()
    if name not in TOOLS and section not in OWNERS and "pylint" in tools:
        return None if Path(path).name in SHARED else "pylint"
    return owner(path, section if section in OWNERS else name)
