"""Everything a report is written from: the findings of a check and what surrounded them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from vetbox.findings import Failure, Finding, Severity
from vetbox.late_dataclasses import dataclass

if TYPE_CHECKING:
    from vetbox.rules import Rule

SEVERITIES = tuple(Severity)


def no_lines(path: str) -> Sequence[str]:
    """For reports that show no code."""
    return ()


@dataclass(frozen=True, slots=True)
class CheckReport:
    """One run of `vetbox check`.

    `findings` are the ones that count; `suppressed` were hidden by a comment, `accepted` by the
    baseline. `failures` are files that were not analysed. `lines` answers a file's lines by path.
    `rules_url` is where the pages of the catalogue are served, if anywhere; `root` is where the
    paths of fingerprints begin.
    """

    findings: tuple[Finding, ...]
    failures: tuple[Failure, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    accepted: tuple[Finding, ...] = ()
    files: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, "Rule"] = field(default_factory=dict)
    lines: Callable[[str], Sequence[str]] = no_lines
    rules_url: str = ""
    root: Path | None = None

    def count(self, severity: Severity) -> int:
        """How many findings are of a severity."""
        return sum(finding.severity is severity for finding in self.findings)

    @property
    def clean(self) -> bool:
        return not self.findings and not self.failures

    @property
    def by_rule(self) -> Counter[str]:
        return Counter(finding.code for finding in self.findings)


def worst_first(severity: Severity) -> int:
    return SEVERITIES.index(severity)
