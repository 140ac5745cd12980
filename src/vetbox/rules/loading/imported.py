"""Rules written for semgrep, made into rules of ours; what has no equal is named, rule by rule."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.rule import Rule, RuleError
from vetbox.rules.loading.fixes import of_parts
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.loading.soundness import IMPORTED, OWN, unbound_in_fix
from vetbox.semgrep import Imported, Refused, read_rules

_AS_IT_IS = "`check --semgrep-rules` runs it as it is"


@dataclass(frozen=True, slots=True)
class SemgrepRule:
    """A rule of ours with the id and the file it had, and the data that it was made of.

    `left_out` says why its fix is not written, though it finds the same; else it is empty.
    """

    id: str
    path: Path
    rule: Rule
    data: Mapping[str, Any]
    left_out: str = ""


def load_semgrep(path: Path) -> tuple[tuple[SemgrepRule, ...], tuple[Refused, ...]]:
    """The rules of a semgrep file or folder, and those that cannot be."""
    loaded: list[SemgrepRule] = []
    refused: list[Refused] = []
    for found in read_rules(path):
        outcome = found if isinstance(found, Refused) else made(found)
        if isinstance(outcome, Refused):
            refused.append(outcome)
        else:
            loaded.append(outcome)
    return tuple(loaded), tuple(refused)


def made(found: Imported) -> SemgrepRule | Refused:
    """The rule as the engine takes it, or why it does not."""
    try:
        return _mending(found)
    except RuleError as error:
        return Refused(found.id, found.path, _reason(error))


def kept(found: Imported) -> SemgrepRule | Refused:
    """The same for a rule that becomes a file of ours, which is held to more when it is loaded."""
    outcome = made(found)
    if isinstance(outcome, Refused):
        return outcome
    try:
        rule_from_data(outcome.data, str(found.path), checks=OWN)
    except RuleError as error:
        return Refused(found.id, found.path, f"{_reason(error)}; {_AS_IT_IS}")
    return outcome


def _mending(found: Imported) -> SemgrepRule:
    """The rule with its fix, or without one that cannot be written over what it finds."""
    left_out, data = "", found.data
    if "fix" in data:
        try:
            rule_from_data(data, str(found.path), checks=(of_parts, unbound_in_fix))
        except RuleError as error:
            left_out = _reason(error).removeprefix("fix: ").removeprefix("fix.replace: ")
            data = {key: value for key, value in data.items() if key != "fix"}
    rule = rule_from_data(data, str(found.path), checks=IMPORTED)
    return SemgrepRule(found.id, found.path, rule, data, left_out)


def _reason(error: RuleError) -> str:
    """The first problem without its place, which is one in data nobody wrote."""
    return error.problems[0].split(": ", 1)[-1].removeprefix("the file: ")
