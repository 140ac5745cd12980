"""Several tools, one problem: findings about the same statement and weakness name each other."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeAlias

from vetbox.findings import Analysis, Finding, Suppression, position
from vetbox.rules.excerpt.layout import Doubt, Layout
from vetbox.rules.language.weaknesses import families
from vetbox.rules.remembering import remembered

Read: TypeAlias = Callable[[str], str]
Subject: TypeAlias = tuple[str, int, str]  # path, first line of the statement, weakness


def cross_referenced(analyses: Sequence[Analysis], read: Read) -> tuple[Analysis, ...]:
    """The same analyses, each finding with `also_reported_by` ("bandit:B307") filled in.

    `read(path)` answers a file's text; it is asked only for files that several tools speak of.
    """
    if len(analyses) < 2:  # noqa: PLR2004 - there is nobody else
        return tuple(analyses)
    subjects = Subjects(analyses, read)
    return tuple(
        replace(analysis, findings=tuple(map(subjects.referenced, analysis.findings)))
        for analysis in analyses
    )


def accepted_together(analyses: Sequence[Analysis], read: Read) -> tuple[Analysis, ...]:
    """The same analyses; what a comment accepts from one tool it accepts from the others."""
    if not any(finding.suppressed for analysis in analyses for finding in analysis.findings):
        return tuple(analyses)
    subjects = Subjects(analyses, read)
    return tuple(
        replace(analysis, findings=tuple(map(subjects.accepted, analysis.findings)))
        for analysis in analyses
    )


def merged(analyses: Sequence[Analysis], read: Read) -> tuple[Finding, ...]:
    """Every problem once: as the first analysis with a word on it says it; by position."""
    subjects = Subjects(analyses, read)
    said: set[Subject] = set()
    kept: list[Finding] = []
    for analysis in analyses:
        own = [(finding, subjects.of(finding)) for finding in analysis.findings]
        kept += [subjects.referenced(finding) for finding, about in own if not about & said]
        said |= {subject for _, about in own for subject in about}
    return tuple(sorted(kept, key=position))


class Subjects:
    """What the findings of several analyses are about."""

    def __init__(self, analyses: Sequence[Analysis], read: Read) -> None:
        self._read = read
        self._statements: dict[str, Statements] = {}
        self._shared = _paths_of_several(analyses)
        self._reporters: dict[Subject, set[str]] = defaultdict(set)
        self._accepted: dict[Subject, tuple[str, Suppression]] = {}
        for finding in (finding for analysis in analyses for finding in analysis.findings):
            for subject in self.of(finding):
                self._reporters[subject].add(_name(finding))
                if finding.suppressed is not None:
                    self._accepted.setdefault(subject, (finding.tool, finding.suppressed))

    def of(self, finding: Finding) -> frozenset[Subject]:
        """None for a finding without a CWE, or about a file that one tool alone speaks of."""
        path = finding.location.path
        if path not in self._shared:
            return frozenset()
        line = self._first_line(path, finding.location.line)
        return frozenset((path, line, family) for family in families(finding.cwe))

    def referenced(self, finding: Finding) -> Finding:
        others = {name for subject in self.of(finding) for name in self._reporters[subject]}
        own = f"{finding.tool}:"
        names = tuple(sorted(name for name in others if not name.startswith(own)))
        return replace(finding, also_reported_by=names) if names else finding

    def accepted(self, finding: Finding) -> Finding:
        """The finding, suppressed when another tool's word on the same subject is."""
        for subject in () if finding.suppressed else self.of(finding):
            tool, suppression = self._accepted.get(subject, (finding.tool, None))
            if tool != finding.tool:
                return replace(finding, suppressed=suppression)
        return finding

    def _first_line(self, path: str, line: int) -> int:
        if path not in self._statements:
            self._statements[path] = Statements(self._read(path))
        return self._statements[path].first_line(line)


class Statements:
    """Where each statement of a file begins."""

    def __init__(self, text: str) -> None:
        self._starts = _logical_lines(text)

    def first_line(self, line: int) -> int:
        """The first line of the statement that a physical line belongs to."""
        if not self._starts:
            return line
        index = bisect_right(self._starts, line) - 1
        return self._starts[max(index, 0)]


@remembered
def _logical_lines(text: str) -> list[int]:
    """Their first physical lines; none where a lexer cannot tell, so every line is its own."""
    try:
        layout = Layout(text)
    except Doubt:
        return []
    line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    return [bisect_right(line_starts, start) for start in layout.starts]


def _paths_of_several(analyses: Iterable[Analysis]) -> frozenset[str]:
    tools = defaultdict(set)
    for analysis in analyses:
        for finding in analysis.findings:
            tools[finding.location.path].add(analysis.tool)
    return frozenset(path for path, names in tools.items() if len(names) > 1)


def _name(finding: Finding) -> str:
    return f"{finding.tool}:{finding.code}"
