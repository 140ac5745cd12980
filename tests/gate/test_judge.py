"""The gate as a whole: what it accepts, and the sentence for every way a rule falls short."""

from pathlib import Path
from textwrap import dedent

import pytest

from vetbox.gate import Judgement, judge, judge_all
from vetbox.gate.judge import rule_files

RULE = """\
# yaml-language-server: $schema=../schema/rule.schema.json
id: os-shell
message: "{callee}() starts a shell"
severity: warning
cwe: [78]
match:
  call: {name: [os.system, os.popen]}
why: A shell reads more into a text than its author meant.
instead: subprocess.run() with a list of arguments.
"""
FIXTURE = """\
import os

# each: name in match.call.name -> {name}("ls")

# expect: os-shell @ "os.system('ls')" msg="os.system() starts a shell" sev=warning
os.system('ls')
# expect: os-shell
os.popen("ls")
# expect: os-shell
handle = os.popen(command)
# ok: os-shell (only a path)
os.path.join("a", "b")
# ok: os-shell (another object)
device.system("ls")
# ok: os-shell (only a word)
print("os.system")
"""


class Bench:
    """One rule and its fixture in folders of their own."""

    def __init__(self, folder: Path) -> None:
        self.rule = folder / "rules" / "shell" / "os-shell.yaml"
        self.fixture = folder / "fixtures" / "shell" / "os-shell.py"
        for file in (self.rule, self.fixture):
            file.parent.mkdir(parents=True)

    def judged(self, rule: str = RULE, fixture: str = FIXTURE) -> Judgement:
        self.rule.write_text(rule)
        self.fixture.write_text(fixture)
        return judge(self.rule, mutate=True)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_rule_that_proves_every_clause_holds(bench: Bench) -> None:
    judgement = bench.judged()
    assert judgement.problems == ()
    assert judgement.mutants == 5
    assert judgement.variants == 15


def test_rule_without_a_fixture_is_told_where_to_write_one_and_nothing_else(bench: Bench) -> None:
    bench.rule.write_text(RULE)
    (problem,) = judge(bench.rule, mutate=True).problems
    assert problem.endswith(f"no fixture: write {bench.fixture}")


def test_misspelt_key_is_named_with_its_place(bench: Bench) -> None:
    (problem,) = bench.judged(RULE.replace("severity", "severty")).problems
    assert "os-shell.yaml:4" in problem
    assert "severity" in problem


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("id: os-shell", "id: os-shells", "the file is os-shell.yaml"),
        ("cwe: [78]\n", "", "name the CWE numbers"),
        ("instead: subprocess.run() with a list of arguments.\n", "", "`instead` needs"),
        ("# yaml-language-server: $schema=", "# ", "the first line must be"),
    ],
)
def test_lint_says_what_a_rule_file_lacks(bench: Bench, old: str, new: str, sentence: str) -> None:
    assert any(sentence in problem for problem in bench.judged(RULE.replace(old, new)).problems)


@pytest.mark.parametrize("name", ["rule", "fixture"])
def test_a_file_in_another_encoding_is_named(bench: Bench, name: str) -> None:
    bench.judged()
    file: Path = getattr(bench, name)
    file.write_text(RULE, encoding="utf-16")
    judgement = judge(bench.rule, mutate=False)
    assert judgement.problems == (f"{file}:1:1: not UTF-8 text; save it as UTF-8",)


def test_what_is_wrong_in_both_profiles_is_said_once(bench: Bench) -> None:
    problems = bench.judged(fixture=FIXTURE + "os.popen(x)\n").problems
    assert len(problems) == len(set(problems)) == 1


def test_line_that_is_not_annotated_must_be_silent(bench: Bench) -> None:
    (problem,) = set(bench.judged(fixture=FIXTURE + 'os.system("more")\n').problems)
    assert "os-shell.py:17: nothing is expected here" in problem


def test_missing_finding_wrong_slice_and_wrong_message_are_told_apart(bench: Bench) -> None:
    fixture = FIXTURE.replace('os.popen("ls")', 'os.open("ls")', 1).replace("starts a", "is a")
    problems = bench.judged(fixture=fixture.replace("('ls')\" msg", '(ls)" msg')).problems
    assert any("expected a finding, the rule is silent" in problem for problem in problems)
    assert any("expected a finding at 'os.system(ls)'" in problem for problem in problems)
    assert any(
        "expected msg=" in problem
        for problem in bench.judged(fixture=FIXTURE.replace("starts a", "is a")).problems
    )


def test_todo_that_came_true_must_be_promoted(bench: Bench) -> None:
    fixture = FIXTURE + '# todo-expect: os-shell\nos.system("now found")\n'
    (problem,) = set(bench.judged(fixture=fixture).problems)
    assert "turn todo-expect into expect" in problem


def test_too_few_lines_are_refused(bench: Bench) -> None:
    fixture = FIXTURE.replace("# ok: os-shell (only a word)", "# only a word")
    assert any("2 ok lines" in problem for problem in bench.judged(fixture=fixture).problems)


def test_clause_that_no_fixture_proves_is_named_with_its_place(bench: Bench) -> None:
    rule = RULE.replace("os.popen]", "os.popen, os.startfile]")
    fixture = FIXTURE.replace("# each: name in match.call.name -> {name}", "# each {name}")
    (problem,) = bench.judged(rule, fixture).problems
    assert "os-shell.yaml:7:" in problem
    assert "UNREACHED: no fixture notices when match.call.name[2] is deleted" in problem


def test_clause_that_another_one_covers_is_redundant(bench: Bench) -> None:
    (problem,) = bench.judged(
        RULE.replace("[os.system,", '["os.s*", os.system,'),
        FIXTURE.replace("# each: name in match.call.name -> {name}", "# each {name}")
        + '# expect: os-shell\nos.startfile("a")\n',
    ).problems
    assert "REDUNDANT: match.call.name[1] finds nothing that match.call.name[0]" in problem


def test_declared_equivalent_is_accepted_while_it_survives(bench: Bench) -> None:
    rule = RULE.replace("os.popen]", "os.popen, os.startfile]") + dedent("""\
        equivalent:
        - clause: match.call.name[2]
          why: only Windows has it
        """)
    fixture = FIXTURE.replace("# each: name in match.call.name -> {name}", "# each {name}")
    judgement = bench.judged(rule, fixture)
    assert (judgement.problems, judgement.equivalent) == ((), 1)


def test_declared_equivalent_that_a_fixture_notices_fails(bench: Bench) -> None:
    rule = RULE + "equivalent: [{clause: 'match.call.name[0]', why: no longer true}]\n"
    (problem,) = bench.judged(rule).problems
    assert "'match.call.name[0]', which is no mutant that survives" in problem


def test_variant_a_rule_opts_out_of_must_exist(bench: Bench) -> None:
    rule = RULE + "skip: [{transform: upside-down, why: it does not exist}]\n"
    assert any("no transform 'upside-down'" in problem for problem in bench.judged(rule).problems)


def test_rule_that_matches_everything_is_caught(bench: Bench) -> None:
    rule = RULE.replace("[os.system, os.popen]", '"*"')
    assert bench.judged(rule, FIXTURE.replace("# each: name", "# name")).problems


def test_folder_is_judged_in_parallel_and_schemas_are_no_rules(
    bench: Bench, tmp_path: Path
) -> None:
    bench.judged()
    schema = tmp_path / "rules" / "schema" / "shell.yaml"
    schema.parent.mkdir()
    schema.write_text("kind: shell\n")
    assert rule_files([tmp_path / "rules"]) == [bench.rule]
    assert [judgement.problems for judgement in judge_all([tmp_path], mutate=False, jobs=2)] == [()]


FIX = "fix: {replace: subprocess.run(command), imports: [subprocess], safety: unsafe}\n"


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("device.system(", "device.system((", "fixtures/shell/os-shell.py:14: "),
        ('{name}("ls")', "{name}(((", "fixtures/shell/os-shell.py:3: "),
    ],
)
def test_code_that_cannot_be_read_is_named_with_its_place(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, old: str, new: str, place: str
) -> None:
    bench.judged()
    bench.fixture.write_text(FIXTURE.replace(old, new))
    (bench.rule.parent / "other.yaml").write_text(RULE.replace("os-shell", "other"))
    monkeypatch.chdir(bench.rule.parents[2])
    broken, other = judge_all([Path("rules")], mutate=False, jobs=2)
    assert broken.problems[0].startswith(place)
    assert other.path == "rules/shell/other.yaml"


def test_fix_must_be_shown(bench: Bench) -> None:
    (problem,) = bench.judged(RULE + FIX).problems
    assert "os-shell.fixed.py:1: the rule has a fix; write what its fixture becomes" in problem


def test_fix_must_write_what_is_shown(bench: Bench) -> None:
    shown = bench.fixture.with_name("os-shell.fixed.py")
    shown.write_text(FIXTURE)
    aside = bench.fixture.with_name("os-shell.aside.py")
    aside.write_text("import os\n\nos.getcwd()\n")
    (problem,) = bench.judged(RULE + FIX).problems
    assert "os-shell.fixed.py:" in problem
    assert "the fix writes another text" in problem
    shown.write_text(aside.read_text())  # that of a further fixture is not asked for
    (problem,) = bench.judged(RULE + FIX).problems
    assert "the fix writes another text" in problem


def test_a_path_that_the_rule_passes_over_is_judged_in_the_repo_profile_only(bench: Bench) -> None:
    there = bench.fixture.with_name("os-shell.tests.py")
    there.write_text(
        "# fixture-path: app/tests/a.py\nimport os\n\n# ok: os-shell (a test)\nos.system('ls')\n"
    )
    rule = RULE.replace("why:", 'paths: {exclude: ["**/tests/**"]}\nwhy:')
    assert bench.judged(rule).problems == ()
    assert bench.judged().problems != ()
