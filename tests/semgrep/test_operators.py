"""Rules in semgrep's own syntax, one for each operator and pattern feature, hold their fixtures."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from vetbox.cli import main
from vetbox.documents import read_yaml
from vetbox.gate.semgrep import Outcome, outcomes
from vetbox.rules.loading.imported import load_semgrep

OPERATORS = Path(__file__).parent / "operators"


def judged() -> list[Outcome]:
    rules, refused = load_semgrep(OPERATORS)
    assert refused == ()
    return list(outcomes(rules))


@pytest.mark.parametrize("outcome", judged(), ids=lambda outcome: outcome.rule.id)
def test_a_semgrep_rule_fires_where_its_fixture_says(outcome: Outcome) -> None:
    assert (outcome.missed, outcome.surplus) == ((), ())


def test_every_rule_has_a_fixture() -> None:
    written = [
        rule["id"]
        for file in sorted(OPERATORS.glob("*.yaml"))
        for rule in read_yaml(file.read_text(), file.name, aliases=True).data["rules"]
    ]
    assert sorted(outcome.rule.id for outcome in judged()) == sorted(written)


def test_check_runs_semgrep_rules_beside_its_own(tmp_path: Path) -> None:
    code = tmp_path / "a.py"
    code.write_text("fetch(url)\n")
    options = ["check", str(code), "--semgrep-rules", str(OPERATORS / "search.yaml"), "--no-cache"]
    result = CliRunner().invoke(main, [*options, "--select", "pattern"])
    assert result.exit_code == 1
    assert "found url" in result.output


def test_an_imported_rule_file_is_a_rule_of_ours(tmp_path: Path) -> None:
    command = ["rules", "import", str(OPERATORS), "--output", str(tmp_path / "rules")]
    assert CliRunner().invoke(main, command).exit_code == 0
    code = tmp_path / "a.py"
    code.write_text("shell(user_input())\n")
    options = ["check", str(code), "--rules", str(tmp_path / "rules"), "--no-cache"]
    result = CliRunner().invoke(main, [*options, "--select", "basic", "--format", "json"])
    assert '"basic"' in result.output


def test_what_is_not_supported_is_named_by_rule(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "rules:\n- {id: joined, mode: join, languages: [python], severity: ERROR, message: m}\n"
    )
    result = CliRunner().invoke(main, ["rules", "import", str(tmp_path)])
    assert result.exit_code == 1
    assert "joined: not imported: mode: join" in result.output
