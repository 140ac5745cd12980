"""Beside a program rules are less sure by a step; nothing excuses code about to run."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.corpus import FOLDER
from vetbox.code.source import Source
from vetbox.findings import Confidence
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.explain import explain
from vetbox.rules.language.rule import Paths, Rule
from vetbox.rules.language.whereabouts import _root_of, is_beside, place_of
from vetbox.rules.loading.loader import rule_from_data

CODE = "launch(a)\n"
BESIDE = [
    "tests/app.py",
    "./test/keys.py",
    "src/desk/testing/server.py",
    "src/Desk/Testing/keys.py",
    "Tests/app.py",
    "Desk/Test/keys.py",
    "desk/browser_tests/keys.py",
    "desk/smoke_test/run.py",
    "desk_tempest_plugin/remote.py",
    "desk/_vendors/labels.py",
    "desk/test_support/keys.py",
    "desk/testdata/bad.py",
    "desk/test-data/bad.py",
    "desk/test_labels.py",
    "desk/_test_labels.py",
    "desk/testLabels.py",
    "desk/testing_labels.py",
    "desk/testutils/labels.py",
    "desk/fixtures/labels.py",
    "docs/conf.py",
    "sample/app.py",
    "desk/samples/app.py",
    "tutorial/app.py",
    "tutorials/first/app.py",
    "desk/testapp/labels.py",
    "desk/testproject/urls.py",
    "desk/testsuite/labels.py",
    "desk/settings/test.py",
    "desk/testing.py",
    "desk/testutil.py",
    "desk/testutils.py",
    "desk/testsettings.py",
    "desk/example_pages/labels.py",
    "desk/exploits/labels.py",
    "routersploit/labels.py",
    "honeypots/labels.py",
    "desk/attacks/labels.py",
    "desk/pocs/labels.py",
    "build/lib/desk/labels.py",
    "desk/labels_test.py",
    "desk/labels_tests.py",
    "desk/tests.py",
    "conftest.py",
    "examples/app.py",
    "desk/example/app.py",
    "demo/app.py",
    "desk/demos/app.py",
    "scripts/demo.py",
    "desk/demo_labels.py",
    "desk/prototypes/app.py",
    "desk/models/convert_weights.py",
    "desk/conversion/weights.py",
    "benchmarks/app.py",
    "desk/benchmark/app.py",
    "desk/bench_labels.py",
    "desk/dev_server.py",
    "desk/devserver.py",
    "desk/migrations/0007_numbers.py",
    "desk/migrations.py",
    "desk/alembic/versions/7_numbers.py",
    "desk/db/migration/alembic_migrations/versions/7_numbers.py",
    "desk/vendor/labels.py",
    "desk/_vendor/labels/keys.py",
    "desk/vendored/labels.py",
    "desk/_vendored/labels.py",
    "third_party/labels.py",
    "desk/thirdparty/labels/app.py",
]
OF_THE_PROGRAM = [
    "desk/app.py",
    "latest/app.py",
    "desk/contest.py",
    "desk/attest/keys.py",
    "desk/test.py",
    "desk/testament.py",
    "desk/Testament/keys.py",
    "desk/latestLabels.py",
    "testimonials/app.py",
    "desk/protest_letters.py",
    "desk/example.py",
    "desk/converter.py",
    "desk/benchmark.py",
    "desk/democracy/app.py",
    "desk/vendors/app.py",
    "desk/vendor.py",
    "desk/vulnerabilities/labels.py",
    "desk/vulnserver/labels.py",
    "desk/vulnerable_desk/labels.py",
    "tempest/labels.py",
    "desk/tempests.py",
]


def rule(confidence: str = "high") -> Rule:
    data = {
        "id": "r",
        "message": "{callee}()",
        "severity": "error",
        "confidence": confidence,
        "match": {"call": {"name": "launch"}},
    }
    return rule_from_data(data, "r")


def confidences(path: str, profile: Profile, said: str = "high") -> list[Confidence]:
    found = check(Source.from_text(CODE, path), RuleSet.of([rule(said)]), profile=profile)
    return [one.confidence for one in found]


@pytest.mark.parametrize("path", BESIDE)
def test_what_runs_beside_the_program_is_found_with_less_confidence(path: str) -> None:
    assert is_beside(path)
    assert confidences(path, Profile.REPO) == [Confidence.MEDIUM]
    assert confidences(path, Profile.REPO, "medium") == [Confidence.LOW]
    assert confidences(path, Profile.REPO, "low") == [Confidence.LOW]


@pytest.mark.parametrize("path", OF_THE_PROGRAM)
def test_other_paths_only_look_like_those_beside_it(path: str) -> None:
    assert not is_beside(path)
    assert confidences(path, Profile.REPO) == [Confidence.HIGH]


def test_what_a_project_was_put_into_says_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "tests/desk"
    (project / "tests").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert place_of(f"{project}/tests/app.py") == "app.py"  # nothing says where a project begins
    assert place_of("../tests/desk/app.py") == "app.py"
    (project / "pyproject.toml").touch()
    _root_of.cache_clear()
    assert place_of(f"{project}/tests/app.py") == "tests/app.py"
    assert place_of("../tests/desk/app.py") == "app.py"
    assert is_beside(f"{project}/tests/app.py")
    assert not is_beside("../tests/desk/app.py")
    assert is_beside("tests/desk/app.py")


def test_an_installed_package_says_where_its_modules_stand(tmp_path: Path) -> None:
    package = tmp_path / "tests/desk"
    (package / "tests/data").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "tests/__init__.py").touch()
    assert place_of(f"{package}/app.py") == "desk/app.py"
    assert not is_beside(f"{package}/app.py")  # what it was put into is no package
    assert place_of(f"{package}/tests/app.py") == "desk/tests/app.py"
    assert is_beside(f"{package}/tests/app.py")
    assert place_of(f"{package}/tests/data/app.py") == "app.py"  # no part of it
    assert place_of(f"{tmp_path}/tests/app.py") == "app.py"


def test_the_packages_of_the_bench_do_not_stand_among_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = FOLDER / "packages/desk/desk/app.py"
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    assert not is_beside(str(module.relative_to(root)))
    monkeypatch.chdir(tmp_path)
    assert not is_beside(str(module))


def test_a_rule_passes_over_paths_of_the_project_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picky = replace(rule(), paths=Paths(exclude=("**/tests/**",)))
    (tmp_path / "tests/elsewhere").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "tests/elsewhere")
    for path, findings in ((f"{tmp_path}/tests/app.py", 1), ("tests/app.py", 0)):
        found = check(Source.from_text(CODE, path), RuleSet.of([picky]), profile=Profile.REPO)
        assert len(found) == findings


@pytest.mark.parametrize("path", BESIDE)
def test_code_about_to_run_may_stand_anywhere(path: str) -> None:
    assert confidences(path, Profile.AGENT) == [Confidence.HIGH]


def test_data_that_arrives_in_a_test_is_of_less_confidence() -> None:
    sink = {"match": {"call": {"name": "launch"}}, "at": "arg.0"}
    flow = {"sources": [{"match": "ask()"}], "sinks": [sink]}
    flowing = rule_from_data({"id": "r", "message": "m", "severity": "error", "taint": flow}, "r")
    source = Source.from_text("def run():\n    launch(ask())\n", "tests/run.py")
    (found,) = check(source, RuleSet.of([flowing]), profile=Profile.REPO)
    assert found.confidence is Confidence.MEDIUM


@pytest.mark.parametrize(
    ("path", "profile", "said"),
    [
        ("tests/a.py", Profile.REPO, True),
        ("a.py", Profile.REPO, False),
        ("tests/a.py", Profile.AGENT, False),
    ],
)
def test_an_explanation_says_so(path: str, profile: Profile, said: bool) -> None:
    told = explain(Source.from_text(CODE, path), rule(), 1, profile=profile)
    assert any("beside the program" in clause.text for clause in told.conditions) is said
