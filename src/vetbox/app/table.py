"""The table of endpoints: every question the service answers about a project."""

from collections.abc import Mapping

from vetbox.app.covered import not_covered
from vetbox.app.endpoint import AnyEndpoint, Call, Endpoint, Hints
from vetbox.app.judgement import Judgement, ValidateParams, as_text, judgement
from vetbox.app.project import Project
from vetbox.app.running import RunAnswer, RunParams
from vetbox.pytest_tools import (
    DiscoveredTests,
    DiscoverTestsParams,
    ExecutedTests,
    ExecuteTestsParams,
    discover_tests,
    discovered_text,
    execute_tests,
    executed_text,
)
from vetbox.pytest_tools.results import Session
from vetbox.static_analysis import (
    AnalysisReport,
    StaticAnalysisParams,
    report_text,
    run_static_analysis,
)
from vetbox.trust import Part

# A project's tests may do whatever its user may do.
RUNS_TESTS = Hints(read_only=False, destructive=True, idempotent=False, open_world=True)


def endpoints(project: Project) -> Mapping[str, AnyEndpoint]:
    """The endpoints by name, in the order in which clients see them."""
    table: tuple[AnyEndpoint, ...] = (
        run(project),
        static_analysis(project),
        validate_python_code(project),
        tests_to_discover(project),
        tests_to_execute(project),
    )
    return {endpoint.name: endpoint for endpoint in table}


def run(project: Project) -> Endpoint[RunParams, RunAnswer]:
    def answer(params: RunParams, call: Call) -> RunAnswer:
        ended = project.runner.run(params.command, cancel=call.cancel, progress=call.progress)
        return RunAnswer.of(ended)

    return Endpoint(
        name="run",
        title="Run Python",
        description="Run Python in a sandbox, with tools, once the security rules allow it.",
        params=RunParams,
        result=RunAnswer,
        answer=answer,
        text=lambda result: result.result,
        failed=lambda result: not result.success,
        hints=Hints(read_only=False, destructive=True, idempotent=False, open_world=True),
    )


def static_analysis(project: Project) -> Endpoint[StaticAnalysisParams, AnalysisReport]:
    def answer(params: StaticAnalysisParams, call: Call) -> AnalysisReport:
        return run_static_analysis(
            params, project.root, rules=project.rules, progress=call.progress, cancel=call.cancel
        )

    return Endpoint(
        name="run_static_analysis",
        title="Run static analysis",
        description="Analyse Python files of the project with security rules, ruff and bandit "
        "(or pylint, flake8, radon, lizard) in one schema; runs none of their code.",
        params=StaticAnalysisParams,
        result=AnalysisReport,
        answer=answer,
        text=report_text,
        failed=lambda report: report.status == "error",
        hints=Hints(read_only=False),  # the option `report` writes a file
    )


def validate_python_code(project: Project) -> Endpoint[ValidateParams, Judgement]:
    def answer(params: ValidateParams, call: Call) -> Judgement:
        return judgement(project.judges, params, call)

    return Endpoint(
        name="validate_python_code",
        title="Validate Python code",
        description="Say whether Python code may run: its syntax, then every security rule.",
        params=ValidateParams,
        result=Judgement,
        answer=answer,
        text=as_text,
    )


def tests_to_discover(project: Project) -> Endpoint[DiscoverTestsParams, DiscoveredTests]:
    def answer(params: DiscoverTestsParams, call: Call) -> DiscoveredTests:
        project.trust.require(project.root, Part.TESTS, "discover_tests")
        if (reason := not_covered(params, project.root)) is not None:
            return Session().discovered(reason)
        folders = project.config.security.test_paths
        return discover_tests(
            params, project.root, folders=folders, progress=call.progress, cancel=call.cancel
        )

    return Endpoint(
        name="discover_tests",
        title="Discover tests",
        description="List the project's pytest tests. Importing them runs the project's code, so "
        "its user must have trusted it.",
        params=DiscoverTestsParams,
        result=DiscoveredTests,
        answer=answer,
        text=discovered_text,
        failed=lambda result: result.error_message is not None,
        hints=RUNS_TESTS,
    )


def tests_to_execute(project: Project) -> Endpoint[ExecuteTestsParams, ExecutedTests]:
    def answer(params: ExecuteTestsParams, call: Call) -> ExecutedTests:
        project.trust.require(project.root, Part.TESTS, "execute_tests")
        if (reason := not_covered(params, project.root)) is not None:
            return Session().executed(None, "", 0.0, reason)
        folders = project.config.security.test_paths
        return execute_tests(
            params, project.root, folders=folders, progress=call.progress, cancel=call.cancel
        )

    return Endpoint(
        name="execute_tests",
        title="Execute tests",
        description="Run the project's pytest tests, all or some, with each one's outcome. This "
        "runs the project's code, so its user must have trusted it.",
        params=ExecuteTestsParams,
        result=ExecutedTests,
        answer=answer,
        text=executed_text,
        failed=lambda result: result.error_message is not None,
        hints=RUNS_TESTS,
    )
