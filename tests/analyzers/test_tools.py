from collections.abc import Callable
from pathlib import Path

import pytest

from tests.analyzers.workshop import analyzed, places
from vetbox.analyzers import Analyzer
from vetbox.analyzers.bandit import Bandit, BanditOptions
from vetbox.analyzers.flake8 import Flake8, Flake8Options
from vetbox.analyzers.lizard import Lizard, LizardOptions
from vetbox.analyzers.pylint import Pylint, PylintOptions
from vetbox.analyzers.radon import Radon, RadonOptions
from vetbox.analyzers.ruff import Ruff, RuffOptions
from vetbox.findings import FailureKind, Severity

ALL: tuple[Callable[[], Analyzer], ...] = (Ruff, Bandit, Pylint, Flake8, Radon, Lizard)
BRANCHES = "def f(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(12))


def test_ruff_finds_by_line_and_column_in_characters(tmp_path: Path) -> None:
    analysis = analyzed(Ruff(), tmp_path, {"src/a.py": 'x = "é"; eval(input())\n'})
    assert places(analysis) == ["src/a.py:1:10 S307"]
    (finding,) = analysis.findings
    assert (finding.cwe, finding.severity, finding.source) == ((95,), "error", "eval(input())")


def test_bandit_finds_by_line_and_column_in_characters(tmp_path: Path) -> None:
    analysis = analyzed(Bandit(), tmp_path, {"src/a.py": 'x = "é"; eval(input())\n'})
    assert places(analysis) == ["src/a.py:1:10 B307"]
    (finding,) = analysis.findings
    assert (finding.native_severity, finding.severity) == ("MEDIUM", Severity.WARNING)


def test_pylint_and_flake8_find_what_their_options_ask_for(tmp_path: Path) -> None:
    source = 'import os\nx = "é"; y = lambda: os\n'
    pylint = Pylint(PylintOptions(disable=("all",), enable=("W0611", "C3001")))
    flake8 = Flake8(Flake8Options(select=("E731", "E7")))
    assert places(analyzed(pylint, tmp_path, {"a.py": source})) == ["a.py:2:14 C3001"]
    assert places(analyzed(flake8, tmp_path, {"a.py": source})) == ["a.py:2:8 E702"]


def test_radon_and_lizard_find_what_is_complex(tmp_path: Path) -> None:
    assert places(analyzed(Radon(), tmp_path, {"a.py": BRANCHES})) == ["a.py:1:1 CC-C"]
    strict = Lizard(LizardOptions(max_complexity=5))
    (finding,) = analyzed(strict, tmp_path, {"a.py": BRANCHES}).findings
    assert finding.message == "f has complexity 13, more than 5"


def test_radon_takes_a_rank(tmp_path: Path) -> None:
    assert places(analyzed(Radon(RadonOptions(min_rank="D")), tmp_path, {"a.py": BRANCHES})) == []


@pytest.mark.parametrize("tool", ALL)
def test_a15_a_file_that_does_not_parse_is_a_failure(
    tool: Callable[[], Analyzer], tmp_path: Path
) -> None:
    analysis = analyzed(tool(), tmp_path, {"bad.py": "def (:\n", "good.py": "x = 1\n"})
    assert [(f.path, f.kind) for f in analysis.failures] == [("bad.py", FailureKind.SYNTAX)]


def test_a_refused_encoding_never_reaches_a_tool(tmp_path: Path) -> None:
    from vetbox.analyzers import admitted
    from vetbox.staging import stage

    (tmp_path / "project").mkdir()
    (tmp_path / "copies").mkdir()
    (tmp_path / "project" / "a.py").write_bytes(b"# coding: utf-7\neval(input())\n")
    files = admitted(stage(tmp_path / "project", ["."], tmp_path / "copies"))
    assert files.files == ()
    assert [failure.kind for failure in files.failures] == [FailureKind.ENCODING]


@pytest.mark.parametrize("tool", [Ruff, Bandit])
def test_other_encodings_are_read_alike(tool: Callable[[], Analyzer], tmp_path: Path) -> None:
    source = "# -*- coding: latin-1 -*-\nx = 'é'; eval(input())\n".encode("latin-1")
    analysis = analyzed(tool(), tmp_path, {"a.py": source})
    assert places(analysis)[0].startswith("a.py:2:10 ")
    assert analysis.failures == ()


SWITCHES = {
    "ruff": "# ruff: noqa\neval(input())  # noqa: S307\n",
    "bandit": "eval(input())  # nosec\n",
    "pylint": "# pylint: skip-file\n# pylint: disable=all\neval(input())\n",
    "flake8": "# flake8: noqa\nimport os  # noqa\n",
    "lizard": "# GENERATED CODE\n#lizard forgives\n"
    + BRANCHES.replace(":\n", ":  # lizard forgives\n", 1),
}


@pytest.mark.parametrize(
    "tool", [Ruff, Bandit, Pylint, Flake8, lambda: Lizard(LizardOptions(max_complexity=5))]
)
def test_comments_switch_no_tool_off(tool: Callable[[], Analyzer], tmp_path: Path) -> None:
    analyzer = tool()
    assert analyzed(analyzer, tmp_path, {"a.py": SWITCHES[analyzer.name]}).findings


def test_a_file_that_kills_the_tool_costs_only_itself(tmp_path: Path) -> None:
    """Ruff overflows its stack on a long chain of operators."""
    bomb = "x = 1" + " + 1" * 60_000 + "\n"
    files = {"a.py": "eval(input())\n", "bomb.py": bomb, "c.py": "exec(input())\n"}
    analysis = analyzed(Ruff(), tmp_path, files)
    assert places(analysis) == ["a.py:1:1 S307", "c.py:1:1 S102"]
    assert [failure.path for failure in analysis.failures] in ([], ["bomb.py"])


def test_a14_a_tool_that_is_missing_is_said_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    analysis = analyzed(Pylint(), tmp_path, {"a.py": "x = 1\n"})
    assert analysis.error == "Pylint tool not found or configuration error."


def test_options_choose(tmp_path: Path) -> None:
    files = {"a.py": "import pickle\neval(input())\nassert 1\n"}
    ruff = Ruff(RuffOptions(select=("S", "F401"), ignore=("S101",)))
    bandit = Bandit(BanditOptions(skips=("B101",), severity_level="medium"))
    assert places(analyzed(ruff, tmp_path, files)) == ["a.py:1:8 F401", "a.py:2:1 S307"]
    assert places(analyzed(bandit, tmp_path, files)) == ["a.py:2:1 B307"]
