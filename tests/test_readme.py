"""README.md cannot drift: what it shows is what the commands print."""

import json
import re
import subprocess
import sys
from pathlib import Path
from string import ascii_uppercase

import pytest
from click.testing import CliRunner
from pydantic import BaseModel

from tests.run.test_differential import PROGRAMS
from vetbox.app import App
from vetbox.cli import main
from vetbox.cli.check import check
from vetbox.code.brackets import MAX_BRACKETS
from vetbox.code.source import MAX_DEPTH
from vetbox.files.sizes import MAX_BYTES
from vetbox.gate.annotations import FOREIGN, SYNONYMS
from vetbox.rules.language.whereabouts import BESIDE
from vetbox.rules.schema.formula import FormulaModel
from vetbox.rules.schema.rule_file import RuleModel
from vetbox.rules.schema.taint import PropagatorModel, SinkModel, SourceModel
from vetbox.rules.schema.values import ConditionModel
from vetbox.scan import PARSE_ALL_BYTES, PARSE_ALL_FILES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
OF_RULES = (ROOT / "rules/README.md").read_text("utf-8")
# ```console blocks whose first line is a command and whose other lines are what it printed;
# a line of … stands for any number of lines.
SHOWN = re.findall(r"```console\n\$ bin/vetbox (.+)\n((?:(?!\$|```).*\n)+)```", README)

# Sentences with figures that the code holds.
FIGURES = {
    "{} programs are held to saying the same": (len(PROGRAMS),),
    "**Files over {} bytes**, brackets nested over {} deep, trees over {} deep": (
        *(MAX_BYTES, MAX_BRACKETS, MAX_DEPTH),
    ),
    "of at least {} files and {} MB, files that no rule": (
        PARSE_ALL_FILES,
        PARSE_ALL_BYTES // 10**6,
    ),
    "Below {} files or {} MB every file is parsed": (PARSE_ALL_FILES, PARSE_ALL_BYTES // 10**6),
}


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_shown_output_is_what_the_command_prints(command: str, output: str) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "vetbox", *command.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    pieces = [re.escape(piece) for piece in re.split(r"(?m)^…\n", output)]
    assert re.fullmatch("(?s:.*)".join(pieces), done.stdout), done.stdout


def test_the_readme_shows_something() -> None:
    assert len(SHOWN) >= 1


@pytest.mark.parametrize(("sentence", "figures"), FIGURES.items())
def test_a_figure_is_the_one_that_holds(sentence: str, figures: tuple[int, ...]) -> None:
    words = " ".join(README.split())
    pattern = re.escape(sentence).replace(r"\{\}", r"([\d,]+)")
    told = [re.findall(r"[\d,]*\d", found.group()) for found in re.finditer(pattern, words)]
    assert told == [[f"{figure:,}" for figure in figures]]


def test_what_python_says_is_what_it_says() -> None:
    section = README.partition("## In Python")[2].partition("\n## ")[0]
    names: dict[str, object] = {}
    told = []
    for line in "\n".join(re.findall(r"```python\n(.+?)```", section, re.DOTALL)).splitlines():
        code, _, comment = line.partition("  # ")
        if comment and "=" not in code:
            told.append((repr(eval(code, names)), comment))
        else:
            exec(line, names)
    assert [said for said, _ in told] == [comment for _, comment in told]
    assert len(told) == 3


def test_the_keys_of_json_are_those_it_names(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("eval(text)\n")
    command = ["check", "--no-cache", "--format", "json", str(tmp_path)]
    report = json.loads(CliRunner().invoke(main, command).stdout)
    told = README.partition("JSON is one object of")[2].partition("where there is one")[0]
    of_report, of_findings = told.split("A finding has")
    assert re.findall(r"`(\w+)`", of_report) == list(report)
    named = re.findall(r"`(\w+)`", of_findings)
    assert [key for key in named if key not in ("trace", "fix")] == list(report["findings"][0])


def test_a_rule_is_added_as_it_is_told(tmp_path: Path) -> None:
    told = README.partition("## Add a rule in five minutes")[2].partition("\n4. ")[0]
    rule, fixture, (command, *output) = (
        [line.removeprefix("   ") for line in block.splitlines()]
        for block in re.findall(r"```(?:yaml|python|console)\n(.+?)\n +```", told, re.DOTALL)
    )
    name = "web/development-server"
    for kind, lines, suffix in (("rules", rule, ".yaml"), ("fixtures", fixture, ".py")):
        path = tmp_path / kind / f"{name}{suffix}"
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(lines) + "\n")
    assert not (ROOT / f"rules/{name}.yaml").exists()
    called = command.removeprefix("$ bin/vetbox ").split()
    done = subprocess.run(
        [sys.executable, "-I", "-m", "vetbox", *called],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == output


def test_the_tools_of_the_service_are_those_it_lists(tmp_path: Path) -> None:
    section = README.partition("## MCP service")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", section, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(App.open(tmp_path, trust_folder=tmp_path).endpoints)


def test_every_option_of_the_readmes_table_exists() -> None:
    known = {name for option in check.params for name in option.opts}
    table = re.findall(r"^\| `(--.+?)` \|", README, re.MULTILINE)
    named = set(re.findall(r"--[a-z-]+", " ".join(table)))
    assert named <= known


def test_the_paths_of_code_beside_the_program_are_those_that_count() -> None:
    table = OF_RULES.partition("## Code beside the program")[2].partition("In the agent profile")[0]
    rows = "".join(line for line in table.splitlines(keepends=True) if line.startswith("| `"))
    named = set(re.findall(r"`([^`]+)`", rows)) - {"T", "testFoo.py"}
    held = {glob.removeprefix("**/").removesuffix("/**") for glob in BESIDE}
    held -= {"Test", "Tests", "Testing"} | {f"test{letter}*.py" for letter in ascii_uppercase}
    assert named == held


def test_paths_that_the_readme_names_exist() -> None:
    named = re.findall(r"`((?:bin|src|tests|fixtures)/[\w./-]+)`", README)
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize(
    ("heading", "model"),
    [("# Rules", RuleModel), ("## Formulas", FormulaModel), ("## Conditions", ConditionModel)],
)
def test_the_reference_of_rules_has_every_key(heading: str, model: type[BaseModel]) -> None:
    section = OF_RULES.partition(heading)[2].partition("\n## ")[0]
    columns = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    named = [key for column in columns for key in re.findall(r"`([\w-]+)`", column)]
    keys = [field.alias or name for name, field in model.model_fields.items()]
    assert sorted(named) == sorted(keys)


def test_the_reference_of_rules_has_every_key_of_a_place() -> None:
    section = OF_RULES.partition("## Flows")[2].partition("\n## ")[0]
    columns = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    named = [key for column in columns for key in re.findall(r"`([\w-]+)`", column)]
    fields = {
        field.alias or name
        for model in (SourceModel, SinkModel, PropagatorModel)
        for name, field in model.model_fields.items()
    }
    assert sorted(named) == sorted(fields)


def test_the_reference_of_rules_has_every_annotation() -> None:
    section = OF_RULES.partition("## Fixtures")[2].partition("\n## ")[0]
    named = re.findall(r"`# ([\w-]+):", section)
    assert set(SYNONYMS) - FOREIGN | {"each", "each-ok", "fixture-path"} == set(named)
