"""Small projects for analyzers to look at."""

from collections.abc import Mapping
from pathlib import Path

from vetbox.analyzers import Analyzer, Job, admitted
from vetbox.findings import Analysis
from vetbox.process import surroundings
from vetbox.staging import stage


def analyzed(analyzer: Analyzer, project: Path, files: Mapping[str, str | bytes]) -> Analysis:
    """What one analyzer says about a project of these files."""
    lay_out(project, files)
    with surroundings() as place:
        return analyzer.analyze(admitted(stage(project, ["."], place.home)), Job())


def lay_out(project: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def places(analysis: Analysis) -> list[str]:
    """`path:line:column code` of every finding."""
    return [
        f"{f.location.path}:{f.location.line}:{f.location.column} {f.code}"
        for f in analysis.findings
    ]
