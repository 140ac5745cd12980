"""Reads files and folders of semgrep rules: what converts, and what does not, by rule."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vetbox.documents import DocumentError, read_yaml
from vetbox.errors import RuleError, cause
from vetbox.files.plain import read_plain
from vetbox.late_dataclasses import dataclass
from vetbox.semgrep.convert import converted
from vetbox.semgrep.unsupported import Unsupported

MAX_RULE_FILES = 20_000
MAX_ID_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Imported:
    """A semgrep rule as vetbox data, under the id that semgrep knows it by."""

    id: str
    path: Path
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Refused:
    """A rule that is not imported, or a whole file that cannot be read, and why.

    `line` and `column` say where the file is wrong, if that is known.
    """

    id: str
    path: Path
    reason: str
    whole_file: bool = False
    line: int | None = None
    column: int | None = None


def read_rules(path: Path) -> Sequence[Imported | Refused]:
    """Every rule of a file, or of the YAML files below a folder, in the order of their paths.

    Raises RuleError where there is none.
    """
    found = [rule for file in _files(path) for rule in _rules_of(file)]
    if not found:
        sentence = "no semgrep rules here; name a file with `rules:`, or a folder of such files"
        raise RuleError([f"{path}: {sentence}"])
    return found


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    found = sorted(file for end in ("*.yaml", "*.yml") for file in path.rglob(end))
    found = [file for file in found if ".test." not in file.name]
    if len(found) > MAX_RULE_FILES:
        raise RuleError([f"{path}: more than {MAX_RULE_FILES:,} rule files; name a smaller folder"])
    return found


def _rules_of(file: Path) -> Iterator[Imported | Refused]:
    try:
        document = read_yaml(read_plain(file).decode("utf-8"), str(file), aliases=True)
    except DocumentError as error:
        at = error.line, error.column
        yield Refused(file.stem, file, error.sentence, True, *at)
        return
    except (OSError, UnicodeDecodeError) as error:
        yield Refused(file.stem, file, cause(error), whole_file=True)
        return
    rules = document.data.get("rules") if isinstance(document.data, dict) else None
    for number, rule in enumerate(rules if isinstance(rules, list) else (), 1):
        name = rule.get("id") if isinstance(rule, dict) else None
        if name is None:
            yield Refused(f"rule {number}", file, "it has no id")
        elif len(str(name)) > MAX_ID_CHARACTERS:
            yield Refused(f"rule {number}", file, "its id is too long")
        else:
            yield _convert(rule, file)


def _convert(rule: Mapping[str, Any], file: Path) -> Imported | Refused:
    try:
        data = converted(rule)
    except Unsupported as reason:
        return Refused(str(rule["id"]), file, str(reason))
    except KeyError as missing:
        return Refused(str(rule["id"]), file, f"not shaped like a semgrep rule: no {missing} in it")
    except (TypeError, AttributeError):
        shape = "not shaped like a semgrep rule: a key holds another kind of value than semgrep's"
        return Refused(str(rule["id"]), file, shape)
    return Imported(str(rule["id"]), file, data)
