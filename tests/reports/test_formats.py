"""Each format tells the same story: findings, failures and what was hidden."""

import json
import re
from dataclasses import replace
from xml.etree.ElementTree import fromstring

import pytest

from tests.reports.samples import CLEAN, EVAL, FLOW, FLOWING, FULL
from vetbox.findings import Failure, FailureKind
from vetbox.reports import FORMATS, render
from vetbox.reports.model import CheckReport
from vetbox.reports.traces import step_rows


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_that_was_not_analysed_shows_in_every_format(form: str) -> None:
    assert "app/old.py" in render(FULL, form)


def test_text_reads_as_a_sentence_a_place_and_a_frame() -> None:
    assert render(FULL, "text").startswith(
        "warning[shell-true] subprocess.run() runs its command through a shell (shell=True)\n"
        "   ╭─ app/deploy.py:3:25 · CWE-78\n"
        " 1 │ import subprocess\n"
        " 2 │ def deploy(ref):\n"
        " 3 │     subprocess.run(ref, shell=True)\n"
        "   │                         ━━━━━━━━━━\n"
    )


def test_text_ends_with_the_sum_and_what_was_hidden() -> None:
    assert render(FULL, "text").endswith(
        "Suppressed by comments (1):\n"
        "  app/calc.py:9:5 assert-used -- checked by the caller\n"
        "\n"
        "✗ 1 error and 1 warning in 2 of 4 files; 1 file could not be analysed.\n"
        "  1 finding suppressed by comments\n"
        "  2 files skipped: ignored by .gitignore\n"
    )


def test_text_of_a_clean_check_is_one_line() -> None:
    assert render(CLEAN, "text") == "✓ No findings in 1 file.\n"


def test_text_of_a_check_without_files_does_not_praise_them() -> None:
    assert render(CheckReport(findings=()), "text") == "No Python files to check.\n"


def test_text_shows_the_way_of_the_data_line_by_line() -> None:
    assert render(FLOWING, "text").splitlines()[6:9] == [
        "   │ data flow:",
        "   │    2  def deploy(ref):" + " " * 38 + "http-input enters here",
        "   │    3  subprocess.run(ref, shell=True)" + " " * 23 + "reaches the sink",
    ]


def test_text_says_how_many_steps_of_a_long_flow_it_leaves_out() -> None:
    first, last = FLOW.trace
    between = [replace(last, note=f"through call {number}") for number in range(13)]
    long = replace(FLOW, trace=(first, *between, last))
    lines = render(CheckReport(findings=(long,), files=1, lines=FULL.lines), "text").splitlines()
    steps = lines[lines.index("   │ data flow:") + 1 :][:13]
    assert steps[12].endswith("reaches the sink")
    assert steps[6].split() == ["│", "…", "3", "steps", "left", "out"]


def test_text_says_a_line_of_the_way_once_and_what_happens_twice_on_it_once() -> None:
    first, last = FLOW.trace
    called = replace(first, note="through this call")
    steps = (first, called, called, replace(first, note="assigned here"), last)
    assert list(step_rows(steps, ("", "ref = f(g(x))", "run(ref)"))) == [
        ("2", "ref = f(g(x))", "http-input enters here"),
        ("", "", "through this call"),
        ("", "", "assigned here"),
        ("3", "run(ref)", "reaches the sink"),
    ]


def test_json_has_the_way_of_the_data() -> None:
    [finding] = json.loads(render(FLOWING, "json"))["findings"]
    assert [(step["line_number"], step["note"]) for step in finding["trace"]] == [
        (2, "http-input enters here"),
        (3, "reaches the sink"),
    ]


def test_json_entries_have_the_keys_of_the_contract() -> None:
    entry = json.loads(render(FULL, "json"))["findings"][1]
    assert entry.pop("fingerprint").endswith(":1")
    assert entry == {
        "file_path": "app/calc.py",
        "line_number": 1,
        "column_number": 1,
        "end_line_number": 2,
        "end_column_number": 3,
        "code": "eval-call",
        "message": "Dangerous call: eval() not allowed",
        "severity": "error",
        "confidence": "medium",
        "cwe": [95],
        "tool": "rules",
    }


def test_json_lists_suppressed_findings_with_their_reason() -> None:
    [entry] = json.loads(render(FULL, "json"))["suppressed"]
    assert entry["suppression"] == {"comment": "# nosec", "reason": "checked by the caller"}


def test_github_annotations_carry_columns_only_on_one_line() -> None:
    assert render(FULL, "github") == (
        "::warning file=app/deploy.py,line=3,endLine=3,col=25,endColumn=35,title=shell-true::"
        "subprocess.run() runs its command through a shell (shell=True)\n"
        "::error file=app/calc.py,line=1,endLine=2,title=eval-call::"
        "Dangerous call: eval() not allowed\n"
        "::error file=app/old.py,line=4,title=syntax-error::"
        "not analysed: Missing parentheses, in call to 'print'\n"
    )


def test_a_character_that_is_to_blame_for_a_file_is_shown_and_named_in_every_format() -> None:
    broken = Failure("app/deploy.py", FailureKind.SYNTAX, "invalid syntax", 3, 20)
    report = replace(CLEAN, failures=(broken,), lines=FULL.lines)
    assert render(report, "text").splitlines()[:5] == [
        "not analysed[syntax-error] invalid syntax",
        "   ╭─ app/deploy.py:3:20",
        " 1 │ import subprocess",
        " 2 │ def deploy(ref):",
        " 3 │     subprocess.run(ref, shell=True)",
    ]
    assert render(report, "text").splitlines()[5] == "   │ " + " " * 19 + "━"
    assert json.loads(render(report, "json"))["failures"][0]["column_number"] == 20
    assert "line=3,col=20,title=" in render(report, "github")
    region = json.loads(render(report, "sarif"))["runs"][0]["results"][0]["locations"][0]
    assert region["physicalLocation"]["region"]["startColumn"] == 20
    assert "app/deploy.py:3:20: invalid syntax" in render(report, "junit")
    assert "app/deploy.py:3:20" in render(report, "html")


def test_junit_has_a_failure_per_finding_and_an_error_per_broken_file() -> None:
    root = fromstring(render(FULL, "junit"))
    assert [suite.get("name") for suite in root] == ["app/deploy.py", "app/calc.py", "app/old.py"]
    assert len(root.findall(".//failure")) == 2
    assert len(root.findall(".//error")) == 1


def test_junit_of_a_clean_check_has_a_case_that_passed() -> None:
    assert fromstring(render(CLEAN, "junit")).find(".//testcase") is not None


def test_junit_names_no_other_file() -> None:
    named = replace(EVAL, location=replace(EVAL.location, path="na\udcffme\x01.py"))
    root = fromstring(render(CheckReport(findings=(named,), files=1), "junit"))
    assert [suite.get("name") for suite in root] == ["na·me·.py"]


HOSTILE = "a\x1b[2J\r\n\x85\x9b\u202e\u2028\ufeff\x7f\udcff,::error ]]>.py"
DRIVING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\ufeff]")


@pytest.mark.parametrize("form", FORMATS)
def test_no_name_drives_a_terminal_or_breaks_a_format(form: str) -> None:
    place = replace(EVAL.location, path=HOSTILE)
    evil = replace(EVAL, location=place, message=HOSTILE, source=HOSTILE)
    broken = Failure(HOSTILE, FailureKind.SYNTAX, HOSTILE)
    report = CheckReport(findings=(evil,), failures=(broken,), files=2)
    text = render(report, form)
    assert DRIVING.search(text) is None
    assert not any(line.startswith("::error ]]") for line in text.splitlines())
    data = text.encode("utf-8", "backslashreplace")
    if form == "json":
        assert json.loads(data)["findings"][0]["file_path"] == HOSTILE
    if form == "sarif":
        assert HOSTILE in json.loads(data)["runs"][0]["results"][0]["message"]["text"]
    if form == "junit":
        fromstring(data)
