"""run_static_analysis: stage the targets, ask the tools, put their answers together."""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path, PurePosixPath

from vetbox.analyzers import Job, accepted_together, admitted, cross_referenced
from vetbox.analyzers.base import Options
from vetbox.analyzers.configuration import ConfigurationError, read_configuration
from vetbox.analyzers.registry import TOOLS
from vetbox.counting import counted
from vetbox.documents import DocumentError
from vetbox.files.sizes import NOTEBOOK
from vetbox.findings import Analysis, Failure, FailureKind
from vetbox.process import Cancelled, surroundings
from vetbox.progress import Progress, no_progress
from vetbox.rules import RuleSet, load_rules
from vetbox.staging import StagedFiles, stage
from vetbox.static_analysis.files import write_report
from vetbox.static_analysis.params import StaticAnalysisParams
from vetbox.static_analysis.report import (
    AnalysisReport,
    Status,
    ToolResult,
    skipped_paths,
    tool_result,
)
from vetbox.static_analysis.summary import summary_of
from vetbox.static_analysis.suppression import suppressed
from vetbox.static_analysis.tally import Tally

RULES = "rules"


def run_static_analysis(
    params: StaticAnalysisParams,
    project: Path,
    *,
    rules: RuleSet | None = None,
    progress: Progress = no_progress,
    cancel: threading.Event | None = None,
) -> AnalysisReport:
    """Ask every chosen tool about the targets; `rules` are the shipped ones unless given.

    The same files and parameters give the same report, byte for byte. Raises Cancelled within a
    second of `cancel`.
    """
    cancel = cancel or threading.Event()
    settings = settings_for(params, project)
    if isinstance(settings, Failed):
        return settings.report(params)
    with surroundings(in_memory=True) as place:
        files = admitted(stage(project, params.target_paths, place.home, cancel=cancel))
        if cancel.is_set():
            raise Cancelled("The call was cancelled.")
        tally = Tally(len(files.files) * len(params.chosen), progress)
        job = Job(tally.advance, cancel)
        analyses = answers(params, settings, files, rules, job)
        if cancel.is_set():  # no report, no files, whoever was the last to finish
            raise Cancelled("The call was cancelled.")
        texts = {file.path: file.copy for file in files.files}
        complete = finished(analyses, files, texts, settings)
    return report_of(params, project, complete, files, settings)


class Failed:
    """The call as a whole could not be answered."""

    def __init__(self, message: str) -> None:
        self.message = message

    def report(self, params: StaticAnalysisParams) -> AnalysisReport:
        results = [ToolResult(tool_name=name, issue_count=-1) for name in params.chosen]
        return AnalysisReport(
            status="error",
            summary=self.message,
            tool_results=tuple(results),
            error_message=self.message,
        )


def settings_for(params: StaticAnalysisParams, project: Path) -> Mapping[str, Options] | Failed:
    """Every tool's options: the configuration file's, overruled by the explicit ones."""
    try:
        path = params.config_file
        base = read_configuration(project, path, params.chosen) if path else {}
    except (ConfigurationError, DocumentError) as error:  # it changed since it was checked
        return Failed(f"Configuration error: {error}")
    return {
        name: combined(TOOLS[name].options, base.get(name), params.options.given(name))
        for name in params.chosen
    }


def combined(kind: type[Options], base: Options | None, given: Options | None) -> Options:
    said = {
        field: getattr(options, field)
        for options in (base, given)
        if options is not None
        for field in options.model_fields_set
    }
    return kind.model_validate(said)


def answers(
    params: StaticAnalysisParams,
    settings: Mapping[str, Options],
    files: StagedFiles,
    rules: RuleSet | None,
    job: Job,
) -> list[Analysis]:
    """What the tools say, all asked at the same time, in the order of the request.

    Other tools would take the JSON of a notebook for its code, and most of them find that clean.
    One that is named, or that the rules are not asked about either, they say they do not read.
    """
    modules = tuple(file for file in files.files if not file.path.endswith(NOTEBOOK))
    named = {PurePosixPath(target).as_posix() for target in params.target_paths}
    unread = [
        Failure(file.path, FailureKind.UNSUPPORTED, f"a notebook, which only {RULES} reads")
        for file in files.files
        if file.path.endswith(NOTEBOOK) and (file.path in named or RULES not in params.chosen)
    ]

    def ask(name: str) -> Analysis:
        tool = TOOLS[name].build(settings[name], lambda: rules or load_rules())
        if name == RULES:
            return tool.analyze(files, job)
        job.advance(len(files.files) - len(modules), name)
        return with_failures(tool.analyze(replace(files, files=modules), job), unread)

    with ThreadPoolExecutor(len(params.chosen)) as threads:
        return list(threads.map(ask, params.chosen))


def finished(
    analyses: Sequence[Analysis],
    files: StagedFiles,
    texts: Mapping[str, Path],
    settings: Mapping[str, Options],
) -> tuple[Analysis, ...]:
    """With the files that no tool could see, suppressions applied, and references to each other."""

    def read(path: str) -> str:
        return texts[path].read_bytes().decode("utf-8", "replace") if path in texts else ""

    agent = getattr(settings.get("rules"), "profile", "") == "agent"
    complete = [with_failures(analysis, files.failures) for analysis in analyses]
    judged = complete if agent else accepted_together(suppressed(complete, read), read)
    return cross_referenced(judged, read)


def with_failures(analysis: Analysis, failures: Sequence[Failure]) -> Analysis:
    together = sorted((*analysis.failures, *failures), key=lambda failure: failure.path)
    return replace(analysis, failures=tuple(together)) if analysis.error is None else analysis


def report_of(
    params: StaticAnalysisParams,
    project: Path,
    analyses: Sequence[Analysis],
    files: StagedFiles,
    settings: Mapping[str, Options],
) -> AnalysisReport:
    results = [tool_result(analysis, error_of(analysis)) for analysis in analyses]
    results = [write_report(project, result, settings[result.tool_name]) for result in results]
    failed = {failure.path for analysis in analyses for failure in analysis.failures}
    errors = [analysis.error for analysis in analyses if analysis.error is not None]
    ignored = [name for name in params.options.named if name not in params.chosen]
    summary = summary_of(
        results, files=len(files.files), failed=len(failed), skipped=len(files.skipped)
    )
    return AnalysisReport(
        status=status_of(results, errors),
        summary=" ".join([summary, *(f"Options for {name} had no effect." for name in ignored)]),
        tool_results=tuple(results),
        error_message=" ".join(errors) or None,
        files_analyzed=len({file.path for file in files.files} - failed),
        skipped=skipped_paths(files.skipped),
    )


def error_of(analysis: Analysis) -> str | None:
    """The tool's own error, or a sentence about the files it could not analyse."""
    if analysis.error is not None or not analysis.failures:
        return analysis.error
    first = analysis.failures[0]
    which = counted(len(analysis.failures), "file")
    return f"{which} could not be analysed, the first is {first.path}: {first.message}"


def status_of(results: Sequence[ToolResult], errors: Sequence[str]) -> Status:
    if errors:
        return "error"
    clean = all(result.issue_count == 0 and result.error is None for result in results)
    return "success" if clean else "completed_with_issues"
