from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.analyzers.workshop import analyzed, places
from vetbox.analyzers import rule_engine
from vetbox.analyzers.rule_engine import RuleEngine, RulesOptions, batches
from vetbox.findings import FailureKind
from vetbox.rules import load_rules
from vetbox.staging import StagedFile
from vetbox.workers import WorkerPool

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Workers that die as a file tells them, and little patience with those that hang."""
    entry = "tests.analyzers.dying:examiner"
    with WorkerPool(entry, size=2, memory_bytes=None, import_from=[CHECKOUT]) as pool:
        monkeypatch.setattr(rule_engine, "pool_of", lambda rules: pool)
        monkeypatch.setattr(rule_engine, "FILE_S", 1.0)
        yield


def test_a_file_that_kills_a_worker_costs_only_itself(dying: None, tmp_path: Path) -> None:
    files = {"a.py": "ok", "b.py": "crash", "c.py": "hang", "d.py": "raise", "e.py": "ok too"}
    analysis = analyzed(RuleEngine(load_rules()), tmp_path, files)
    assert [(failure.path, failure.kind) for failure in analysis.failures] == [
        ("b.py", FailureKind.CRASHED),
        ("c.py", FailureKind.TIMEOUT),
        ("d.py", FailureKind.CRASHED),
    ]


def test_rules_find_by_their_profile(tmp_path: Path) -> None:
    files = {"a.py": "eval(text)\n"}
    for profile, severity in (("repo", "warning"), ("agent", "error")):
        options = RulesOptions(select=("eval-call",), profile=profile)
        analysis = analyzed(RuleEngine(load_rules(), options), tmp_path, files)
        assert places(analysis) == ["a.py:1:1 eval-call"]
        assert analysis.findings[0].severity == severity


def test_a_file_that_no_rule_looks_into_is_parsed_all_the_same(tmp_path: Path) -> None:
    analysis = analyzed(RuleEngine(load_rules()), tmp_path, {"a.py": "x = = 1\n"})
    assert [failure.kind for failure in analysis.failures] == [FailureKind.SYNTAX]


def test_a_rule_that_does_not_exist_is_a_configuration_error(tmp_path: Path) -> None:
    engine = RuleEngine(load_rules(), RulesOptions(select=("no-such-rule",)))
    analysis = analyzed(engine, tmp_path, {"a.py": "x = 1\n"})
    said = "Rules tool not found or configuration error. 'no-such-rule' names no rule or pack"
    assert str(analysis.error).startswith(said)


def test_batches_are_small_together_and_lose_nothing() -> None:
    sizes = [10, 90_000, 60_000, 500_000, *[1] * 100]
    files = [StagedFile(str(n), Path(), size, b"") for n, size in enumerate(sizes)]
    grouped = list(batches(files))
    assert [file for batch in grouped for file in batch] == files
    assert [len(batch) for batch in grouped] == [2, 1, 1, 64, 36]
