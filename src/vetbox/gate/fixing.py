"""The fix round trip: what a rule writes instead is what its author showed, and nothing is left."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from vetbox.code.source import Source
from vetbox.findings import Finding
from vetbox.gate.cases import Case
from vetbox.gate.fixtures import fixture_folder, shown, text_of
from vetbox.gate.trial import Trial
from vetbox.rules.fixes import fixed


def fix_problems(trial: Trial, cases: Sequence[Case], rule_file: Path) -> Iterator[str]:
    """One sentence for everything that is wrong with a rule's fix; a rule without one has none.

    The fixed text of `ID.py` is `ID.fixed.py`: it parses, offers no fix any more, and fixing it
    again changes nothing.
    """
    if trial.rule.fix is None:
        return
    path = fixture_folder(rule_file) / f"{trial.rule.id}.fixed.py"
    if not path.exists():
        yield f"{shown(path)}:1: the rule has a fix; write what its fixture becomes"
        return
    case = next(trial.fixture_cases(cases))
    result = fixed(case.source.text, lambda text: _findings(trial, case, text), unsafe=True)
    if result.refused:
        line = result.refused[0].location.line
        yield f"{case.label}:{line}: the fix breaks the code or leaves the finding"
    elif result.text != text_of(path):
        yield f"{shown(path)}:{_first_difference(result.text, path)}: the fix writes another text"
    elif any(finding.fix for finding in _findings(trial, case, result.text)):
        yield f"{shown(path)}:1: the fixed text offers the same fix again"


def _findings(trial: Trial, case: Case, text: str) -> tuple[Finding, ...]:
    return trial.check(Source.from_text(text, case.source.path), case.profile)


def _first_difference(text: str, path: Path) -> int:
    """The first line, 1-based, on which the two differ."""
    written, shown_lines = text.splitlines(), text_of(path).splitlines()
    pairs = enumerate(zip(written, shown_lines, strict=False), start=1)
    shorter = min(len(written), len(shown_lines)) + 1
    return next((row for row, (left, right) in pairs if left != right), shorter)
