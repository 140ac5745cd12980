"""What other tools say about files that our rules have looked at: `vetbox check --tools`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vetbox.analyzers import Job, accepted_together, admitted, merged
from vetbox.analyzers.registry import TOOLS
from vetbox.errors import VetboxError
from vetbox.files.sizes import NOTEBOOK
from vetbox.findings import Analysis, Failure, Finding
from vetbox.process import surroundings
from vetbox.rules import RuleSet
from vetbox.staging import stage_named
from vetbox.staging.walk import shown
from vetbox.static_analysis.suppression import suppressed


class ToolError(VetboxError):
    """A tool that was asked for could not run."""


def with_opinions(
    findings: Sequence[Finding],
    failures: Sequence[Failure],
    files: Sequence[str],
    tools: Sequence[str],
    *,
    suppress: bool,
) -> tuple[tuple[Finding, ...], tuple[Failure, ...]]:
    """Our findings and failures with those of `tools` about the same files.

    A statement and weakness that several speak of is one finding, the first tool's, and names the
    others in `also_reported_by`. `suppress` honours the comments of the files. Notebooks are ours
    alone: each tool reads them in its own way, or not at all. Raises ToolError.
    """
    own = Analysis("rules", tuple(findings), tuple(failures))
    asked = [name for name in dict.fromkeys(tools) if name != "rules"]
    if "rules" not in tools:
        own = Analysis("rules", (), tuple(failures))
    others = opinions(asked, [file for file in files if not file.endswith(NOTEBOOK)])
    analyses = [own, *(suppressed(others, read) if suppress else others)]
    together = accepted_together(analyses, read) if suppress else tuple(analyses)
    unread = {failure.path: failure for each in reversed(together) for failure in each.failures}
    return merged(together, read), tuple(unread[path] for path in sorted(unread))


def opinions(names: Sequence[str], files: Sequence[str]) -> list[Analysis]:
    unknown = [name for name in names if name not in TOOLS]
    if unknown:
        raise ToolError(f"no tool is called '{unknown[0]}'; choose from {', '.join(TOOLS)}")
    with surroundings(in_memory=True) as place:
        staged = admitted(stage_named(files, place.home))
        tools = [TOOLS[name] for name in names]
        found = [tool.build(tool.options(), no_rules).analyze(staged, Job()) for tool in tools]
    for analysis in found:
        if analysis.error is not None:
            raise ToolError(f"{analysis.error} `pip install vetbox[linters]` installs the tools.")
    odd = {shown(file): file for file in files if shown(file) != file}
    return [_as_named(analysis, odd) for analysis in found] if odd else found


def _as_named(analysis: Analysis, odd: Mapping[str, str]) -> Analysis:
    """With the paths as we were given them: names that are no text were shown to tools as text."""

    def named(path: str) -> str:
        return odd.get(path, path)

    findings = (
        replace(one, location=replace(one.location, path=named(one.location.path)))
        for one in analysis.findings
    )
    failures = (replace(one, path=named(one.path)) for one in analysis.failures)
    return replace(analysis, findings=tuple(findings), failures=tuple(failures))


def no_rules() -> RuleSet:
    """Our own engine is never among the others."""
    return RuleSet.of(())


def read(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
