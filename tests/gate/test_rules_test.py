"""`vetbox rules test`: what it prints and how it exits."""

from pathlib import Path

from click.testing import CliRunner

from vetbox.cli.rules_test import test as rules_test
from vetbox.rules import shipped_rules_dir


def test_rules_that_hold_exit_with_zero_and_a_sum() -> None:
    rule = shipped_rules_dir() / "builtins" / "eval-call.yaml"
    result = CliRunner().invoke(rules_test, [str(rule), "--mutate", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("1 of 1 rules and models hold: ")
    assert "mutants (0 declared equivalent)" in result.output


def test_rule_that_falls_short_exits_with_one_and_its_place(tmp_path: Path) -> None:
    rule = tmp_path / "empty-hand.yaml"
    rule.write_text("id: empty-hand\n")
    result = CliRunner().invoke(rules_test, [str(rule), "--jobs", "1"])
    assert result.exit_code == 1
    assert "empty-hand.yaml" in result.output
    assert "0 of 1 rules and models hold" in result.output


def test_folder_without_rules_is_no_success(tmp_path: Path) -> None:
    assert CliRunner().invoke(rules_test, [str(tmp_path)]).exit_code == 1
