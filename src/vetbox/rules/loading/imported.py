"""Rules written for semgrep, made into rules of ours; what has no equal is named, rule by rule."""

from pathlib import Path

from vetbox.late_dataclasses import dataclass
from vetbox.rules.language.rule import Rule, RuleError
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.loading.soundness import IMPORTED
from vetbox.semgrep import Imported, Refused, read_rules


@dataclass(frozen=True, slots=True)
class SemgrepRule:
    """A rule of ours with the id and the file it had."""

    id: str
    path: Path
    rule: Rule


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
        rule = rule_from_data(found.data, str(found.path), checks=IMPORTED)
        return SemgrepRule(found.id, found.path, rule)
    except RuleError as error:
        return Refused(found.id, found.path, _reason(error))


def _reason(error: RuleError) -> str:
    """The first problem without its place, which is one in data nobody wrote."""
    return error.problems[0].split(": ", 1)[-1].removeprefix("the file: ")
