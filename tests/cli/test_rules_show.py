"""`vetbox rules show`: a rule in words, its doubts and the ways in which data is sanitized."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from vetbox.cli import main

RULE = """\
id: my-rule
message: found
severity: error
"""


def finds(tmp_path: Path, text: str) -> list[str]:
    """The lines below `Finds:`."""
    (tmp_path / "my-rule.yaml").write_text(RULE + text)
    command = ["rules", "show", "my-rule", "--rules", str(tmp_path)]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    return result.output.partition("Finds:\n")[2].partition("\n\n")[0].splitlines()


def test_a_rule_is_told_clause_by_clause(tmp_path: Path) -> None:
    text = (
        "match: {call: {name: run, args: {0: {is: str}}, absent: [timeout]}}\nunless: [run('x')]\n"
    )
    assert finds(tmp_path, text) == [
        "  all of",
        "    a call of run",
        "      argument 0 is str",
        "      timeout= is not given",
        "    but not",
        "      code like run('x')",
    ]


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ("def: {name: main}", "a function called main"),
        ("def: {name-regex: '^get_'}", "a function with a name like /^get_/"),
        ("class: {name: '*'}", "any class"),
        ("def: {decorator: [app.route]}", "any function decorated with app.route"),
        ("def: {name: f, parameters: [a, b]}", "a function called f with the parameters a, b"),
        ("class: {name: '*', base: [Form]}", "any class that derives from Form"),
        ("attr: {name: [x, y], base: [os]}", "the attribute x, y of os"),
        ("assign: {target: [key], value: {is: str}}", "a value given to key that is str"),
        ("except: {bare: true, body: pass}", "an exception handler of no type that only passes"),
        ("except: {type: [OSError]}", "an exception handler of OSError"),
        ("assert: {test: {is: truthy}}", "an assert statement whose test is truthy"),
    ],
)
def test_code_is_told_by_all_that_a_matcher_says(
    tmp_path: Path, definition: str, words: str
) -> None:
    assert finds(tmp_path, f"match: {{{definition}}}\n") == [f"  {words}"]


def test_doubts_are_told_apart(tmp_path: Path) -> None:
    text = "match: run($X)\ndoubtful: [{call: {name: '*', args: {quiet: true}}}]\n"
    assert finds(tmp_path, text) == [
        "  code like run($X)",
        "  doubtful, so of less confidence, where one of these holds too:",
        "    a call of anything",
        "      quiet= is True",
    ]


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("result", "code like check($X)"),
        ("side-effect", "code like check($X) (its arguments are clean afterwards)"),
        ("guard", "code like check($X) (where it holds)"),
        ("refusal", "code like check($X) (where it does not hold)"),
    ],
)
def test_a_flow_is_told_by_its_ends(tmp_path: Path, by: str, words: str) -> None:
    text = (
        "taint:\n  sources: [{kind: cli}, {match: read(...)}]\n  sinks: [{kind: shell}]\n"
        f"  sanitizers: [{{match: check($X), by: {by}}}]\n"
    )
    assert finds(tmp_path, text) == [
        "  data from cli, code like read(...)",
        "  that reaches shell",
        f"  unless sanitized by {words}",
    ]


def test_a_doubtful_source_is_told_as_such_and_once(tmp_path: Path) -> None:
    text = (
        "taint:\n  sources: [{kind: network-input}, {kind: socket-input, doubtful: true}]\n"
        "  sinks: [{kind: shell}]\n"
    )
    assert finds(tmp_path, text) == [
        "  data from network-input, socket-input (doubtful, so of less confidence)",
        "  that reaches shell",
    ]


def test_the_doubts_of_a_flow_are_told(tmp_path: Path) -> None:
    text = (
        "taint:\n  sources: [{kind: cli}]\n  sinks: [{kind: shell}]\n"
        "doubtful: [{inside: {def: {name: main}}}]\n"
    )
    assert finds(tmp_path, text)[2:] == [
        "  doubtful, so of less confidence, where one of these holds too:",
        "    inside",
        "      a function called main",
    ]


def test_every_shipped_rule_can_be_told() -> None:
    result = CliRunner().invoke(main, ["rules", "list", "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    from vetbox.cli.rules_show import page
    from vetbox.rules import load_rules

    for rule in load_rules().rules.values():
        assert "Finds:" in list(page(rule))


def test_what_a_rule_says_beside_its_formula_is_shown() -> None:
    shown = CliRunner().invoke(main, ["rules", "show", "request-without-timeout"]).output
    assert "  pack       network\n" in shown
    assert "  fix        unsafe: timeout=30\n" in shown
    told = CliRunner().invoke(main, ["rules", "show", "os-system"]).output
    assert "  told by    " in told
    listed = json.loads(CliRunner().invoke(main, ["rules", "list", "--json"]).output)
    (entry,) = [one for one in listed if one["id"] == "request-without-timeout"]
    assert (entry["pack"], entry["fix"]) == ("network", "unsafe")
