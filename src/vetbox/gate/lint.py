"""The static lint: what is wrong with a rule file before any code is looked at."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import re2

from vetbox.documents import Document
from vetbox.gate.clauses import Data, walk
from vetbox.gate.fixtures import fixture_folder, shown
from vetbox.gate.mutants import is_regex
from vetbox.rules.schema.regex import with_subpatterns

SCHEMA_LINE = "# yaml-language-server: $schema="
DANGEROUS = "Dangerous call: {callee}() not allowed"
UNSAFE = "Potentially unsafe function '{callee}'"
# Shorter than this, a reason is a label.
MIN_REASON = 30  # characters
REASONS = ("why", "instead")
_KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

Lint = Callable[[Mapping[str, Data], Path, str], Iterator[tuple[str, str]]]


def lint(document: Document, rule_file: Path, text: str) -> list[str]:
    """One sentence with its place for everything the author has to mend."""
    data: Mapping[str, Data] = document.data
    found = [problem for check in CHECKS for problem in check(data, rule_file, text)]
    return [f"{_place(document, key)}: {sentence}" for key, sentence in found]


def lint_model(document: Document, model_file: Path, text: str) -> list[str]:
    """The same for a file of `rules/models`."""
    found = [*_held_by_fixtures(document.data, model_file, text), *_begins_with_its_schema(text)]
    return [f"{_place(document, key)}: {sentence}" for key, sentence in found]


def _place(document: Document, key: str) -> str:
    if key not in document.data:
        return f"{document.path}:1"
    line, column = document.position(key)
    return f"{document.path}:{line}:{column}"


def _named_by_its_file(
    data: Mapping[str, Data], rule_file: Path, text: str
) -> Iterator[tuple[str, str]]:
    if data.get("id") != rule_file.stem:
        yield "id", f"id is {data.get('id')!r} but the file is {rule_file.name}; make them one"
    if not _KEBAB.fullmatch(rule_file.stem):
        yield "id", "an id is kebab-case words: `os-system`"


def _described(data: Mapping[str, Data], rule_file: Path, text: str) -> Iterator[tuple[str, str]]:
    for key in REASONS:
        if len(str(data.get(key) or "")) < MIN_REASON:
            yield key, f"`{key}` needs a sentence a stranger can act on"
    if not data.get("cwe"):
        yield "cwe", "name the CWE numbers the rule is about"
    for url in _texts(data.get("references")):
        if not url.startswith("https://"):
            yield "references", f"{url!r} is no https address"
    yield from _begins_with_its_schema(text)


def _begins_with_its_schema(text: str) -> Iterator[tuple[str, str]]:
    if not text.startswith(SCHEMA_LINE):
        yield "", f"the first line must be `{SCHEMA_LINE}…`, so that editors complete the keys"


def _texts(value: Data) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _held_by_fixtures(
    data: Mapping[str, Data], rule_file: Path, text: str
) -> Iterator[tuple[str, str]]:
    folder = fixture_folder(rule_file)
    if not folder.is_dir() or not any(folder.glob(f"{rule_file.stem}*.py")):
        yield "id", f"no fixture: write {shown(folder / rule_file.stem)}.py"


def _worded_as_agreed(
    data: Mapping[str, Data], rule_file: Path, text: str
) -> Iterator[tuple[str, str]]:
    """What blocks an agent's call says so in the one agreed sentence."""
    match = data.get("match")
    severity, message = _in_agent(data)
    blocks_calls = isinstance(match, dict) and "call" in match and severity == "error"
    if blocks_calls and message not in {DANGEROUS, UNSAFE}:
        yield "message", f"a call that blocks an agent is worded {DANGEROUS!r}"


def _in_agent(data: Mapping[str, Data]) -> tuple[Data, Data]:
    """(severity, message) of a rule in the agent profile."""
    profiles = data.get("profiles")
    agent = profiles.get("agent") if isinstance(profiles, dict) else data.get("severity")
    if isinstance(agent, dict):
        return agent.get("severity"), agent.get("message")
    return agent, data.get("message")


def _regexes_mean_something(
    data: Mapping[str, Data], rule_file: Path, text: str
) -> Iterator[tuple[str, str]]:
    for path, value in walk(with_subpatterns(dict(data))):
        asked = isinstance(value, str) and bool(path) and is_regex(path)
        if asked and re2.compile(value).search("") is not None:
            yield str(path[0]), f"the regex {value!r} matches every text"


def _subpatterns_are_used(
    data: Mapping[str, Data], rule_file: Path, text: str
) -> Iterator[tuple[str, str]]:
    named = data.get("subpatterns")
    for name in named if isinstance(named, dict) else ():
        if f"(?&{name})" not in text:
            yield "subpatterns", f"no regex asks for '{name}'; delete it"


def _denies_something_found(
    data: Mapping[str, Data], rule_file: Path, text: str
) -> Iterator[tuple[str, str]]:
    """A `not` narrows what a sibling found; alone it has nothing to narrow."""
    for path, value in walk(dict(data)):
        if path and path[-1] == "all" and isinstance(value, list):
            kinds = [set(part) if isinstance(part, dict) else {""} for part in value]
            if all(kind <= {"not", "not-inside"} for kind in kinds):
                yield str(path[0]), "every part of this `all` denies; say what is looked for"


CHECKS: tuple[Lint, ...] = (
    _named_by_its_file,
    _described,
    _held_by_fixtures,
    _worded_as_agreed,
    _regexes_mean_something,
    _subpatterns_are_used,
    _denies_something_found,
)
