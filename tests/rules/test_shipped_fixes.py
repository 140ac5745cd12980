"""Every fix of a shipped rule, on the rule's fixture: it holds once and touches nothing else."""

import ast
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from vetbox.code.source import Source
from vetbox.findings import Finding
from vetbox.rules import Profile, Rule, RuleSet, check, load_rules
from vetbox.rules.fixes import Fixed, fixed

FIXTURES = Path(__file__).parents[2] / "fixtures"
FIXABLE = [rule for rule in load_rules().rules.values() if rule.fix is not None]


def findings(text: str, rule: Rule) -> tuple[Finding, ...]:
    return check(Source.from_text(text, "app.py"), RuleSet.of([rule]), profile=Profile.REPO)


def corrected(rule: Rule) -> tuple[str, Fixed]:
    text = (FIXTURES / rule.pack / f"{rule.id}.py").read_text("utf-8")
    return text, fixed(text, lambda new: findings(new, rule), unsafe=True)


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.id)
def test_a_fix_removes_its_findings_and_leaves_a_program(rule: Rule) -> None:
    before, result = corrected(rule)
    assert result.applied
    ast.parse(result.text)
    left = [finding for finding in findings(result.text, rule) if finding.fix is not None]
    assert len(left) == len(result.refused)
    # A call that spreads a table is mended where the table is.
    assert len(findings(result.text, rule)) <= len(findings(before, rule)) - len(result.applied)


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.id)
def test_a_second_fix_changes_nothing(rule: Rule) -> None:
    _, result = corrected(rule)
    assert fixed(result.text, lambda new: findings(new, rule), unsafe=True).text == result.text


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.id)
def test_a_fix_leaves_the_other_lines_alone(rule: Rule) -> None:
    before, result = corrected(rule)
    touched = {
        line
        for finding in result.applied
        for edit in (finding.fix.edits if finding.fix else ())
        for line in range(edit.location.line, edit.location.end_line + 1)
    }
    lines = before.splitlines(), result.text.splitlines()
    changes = SequenceMatcher(None, *lines, autojunk=False).get_opcodes()
    changed = {
        n + 1 for kind, low, high, *_ in changes if kind != "equal" for n in range(low, high)
    }
    assert changed <= touched


def test_there_are_fixes_to_hold() -> None:
    assert len(FIXABLE) >= 8
