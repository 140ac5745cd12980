"""Models of one's own: a `models` folder beside rules holds kinds that all rules may name."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from vetbox.app import App
from vetbox.cli import main
from vetbox.code.source import Source
from vetbox.gate import judge
from vetbox.rules import Profile, RuleError, RuleSet, check, load_rules
from vetbox.trust import TrustStore

WHY = "why: Because it is so, and a reader should know.\n"
PRINTER = f"kind: printer\nrole: sink\n{WHY}places:\n- match: printer.put($X)\n"
PARAM = f"kind: http-input\nrole: source\n{WHY}places:\n- match: ourweb.param(...)\n"
BLESSED = f"kind: blessed\nrole: matcher\n{WHY}places:\n- match: blessed(...)\n"
PRINTED = (
    "id: print-input\nmessage: '{source} is printed'\nseverity: error\n"
    "taint:\n  sources: [{kind: http-input}]\n  sinks: [{kind: printer}]\n"
    "  sanitizers: [{kind: blessed}]\n"
)
CODE = "import os, ourweb\nos.system(ourweb.param())\nprinter.put(ourweb.param())\n"


@pytest.fixture(name="own")
def own_rules(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    (folder / "models").mkdir(parents=True)
    (folder / "pack").mkdir()
    for name, text in (("printer", PRINTER), ("http-input", PARAM), ("blessed", BLESSED)):
        (folder / "models" / f"{name}.yaml").write_text(text)
    (folder / "pack" / "print-input.yaml").write_text(PRINTED)
    return folder


def codes(code: str, rules: RuleSet) -> set[str]:
    return {one.code for one in check(Source.from_text(code), rules, profile=Profile.REPO)}


def test_own_rules_name_own_kinds(own: Path) -> None:
    rules = load_rules(own, shipped=False)
    assert codes("printer.put(ourweb.param())\n", rules) == {"print-input"}
    assert codes("printer.put(blessed(ourweb.param()))\n", rules) == set()
    assert codes("from flask import request\nprinter.put(request.args)\n", rules) == {"print-input"}


def test_places_are_added_to_a_shipped_kind_for_all_rules_read_together(own: Path) -> None:
    assert "shell-from-request" in codes(CODE, load_rules(own))
    assert "shell-from-request" not in codes(CODE, load_rules())


def test_the_shipped_rules_forget_the_models_of_others(own: Path) -> None:
    load_rules(own)
    load_rules(own, shipped=False)
    assert "shell-from-request" not in codes(CODE, load_rules())


def test_check_reads_them(own: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CODE)
    command = ["check", str(tmp_path / "a.py"), "--rules", str(own), "--format", "json"]
    found = json.loads(CliRunner().invoke(main, [*command, "--no-cache"]).output)["findings"]
    assert {"shell-from-request", "print-input"} <= {one["code"] for one in found}
    (own / "models" / "http-input.yaml").unlink()
    found = json.loads(CliRunner().invoke(main, command).output)["findings"]
    assert {one["code"] for one in found} == {"os-system"}


def test_a_served_project_changes_no_shipped_rule(own: Path, tmp_path: Path) -> None:
    (own / "models" / "shell-quote.yaml").write_text(
        f"kind: shell-quote\nrole: sanitizer\n{WHY}places:\n- match: $F(...)\n"
    )
    (tmp_path / ".onetool").mkdir()
    (tmp_path / ".onetool" / "onetool.yaml").write_text("rules: [own]\n")
    store = TrustStore(tmp_path / "trusted")
    store.trust(tmp_path)
    app = App.open(tmp_path, trust_folder=tmp_path / "trusted")
    assert app.trusted
    assert "print-input" in app.rules.rules
    shipped = load_rules().rules["shell-from-request"]
    assert app.rules.rules["shell-from-request"].digest == shipped.digest
    app.close()


def test_a_kind_is_a_matcher_of_any_rule(own: Path) -> None:
    (own / "pack" / "bless.yaml").write_text(
        "id: bless\nmessage: m\nseverity: error\nmatch: {kind: blessed}\n"
    )
    assert codes("blessed(1)\n", load_rules(own, shipped=False)) == {"bless"}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("other", PRINTER, "other.yaml:1:1: kind: 'printer' is not the name of its file"),
        (
            "printer",
            PRINTER.replace("role", "roll"),
            "printer.yaml:2:1: the file: 'roll' is not a known key",
        ),
        ("shell", PARAM.replace("http-input", "shell"), "'shell' is a sink elsewhere"),
        ("printer", "kind: [", "printer.yaml:1:"),
        (
            "blessed",
            BLESSED.replace("- match: blessed(...)", "- {match: blessed(...), at: args}"),
            "the places of a matcher say `match` or `kind`, and nothing else",
        ),
        (
            "blessed",
            BLESSED.replace("- match: blessed(...)", "- kind: blessed"),
            "'blessed' is defined by itself",
        ),
        (
            "blessed",
            BLESSED.replace("blessed(...)", "{any: [f(...), {kind: blessed}]}"),
            "'blessed' is defined by itself",
        ),
    ],
)
def test_a_model_that_is_none_is_told_with_its_place(
    own: Path, name: str, text: str, problem: str
) -> None:
    (own / "models" / f"{name}.yaml").write_text(text)
    with pytest.raises(RuleError) as refusal:
        load_rules(own, shipped=False)
    assert problem in str(refusal.value)


def test_a_model_that_is_no_text_is_told(own: Path) -> None:
    (own / "models" / "printer.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(RuleError, match=r"printer.yaml:1:1: not UTF-8 text"):
        load_rules(own, shipped=False)


def test_a_kind_in_the_role_of_another_is_told(own: Path) -> None:
    (own / "pack" / "print-input.yaml").write_text(PRINTED.replace("printer}", "http-input}"))
    with pytest.raises(RuleError, match=r"6:18: taint.sinks.0.kind: 'http-input' is a source, no"):
        load_rules(own, shipped=False)


def test_the_gate_knows_the_models_beside_a_rule(own: Path) -> None:
    problems = judge(own / "pack" / "print-input.yaml", mutate=False).problems
    assert not any("is not a kind" in problem for problem in problems), problems
    assert any("fixture" in problem for problem in problems)
