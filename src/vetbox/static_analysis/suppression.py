"""Comments that hide findings, honoured in one place for the findings of all tools alike."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from vetbox.analyzers.base import ordered
from vetbox.findings import Analysis, Finding
from vetbox.rules import suppressions


@dataclass(frozen=True, slots=True)
class Text:
    """A file as the suppressions see it."""

    path: str
    text: str


def suppressed(analyses: Iterable[Analysis], read: Callable[[str], str]) -> list[Analysis]:
    """The same analyses, with `suppressed` set on the findings that a comment of the file hides.

    Our own engine has done so already; `read` answers the text of a file.
    """
    return [
        analysis if analysis.tool == "rules" else replaced(analysis, read) for analysis in analyses
    ]


def replaced(analysis: Analysis, read: Callable[[str], str]) -> Analysis:
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in analysis.findings:
        by_path[finding.location.path].append(finding)
    judged = [marked(path, findings, read) for path, findings in by_path.items()]
    return ordered(replace(analysis, findings=tuple(each for some in judged for each in some)))


def marked(path: str, findings: Sequence[Finding], read: Callable[[str], str]) -> list[Finding]:
    return suppressions.suppressed(Text(path, read(path)), findings)
