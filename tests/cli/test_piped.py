"""`vetbox check -`: code from standard input, as editors and hooks send it."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from vetbox.cli import main
from vetbox.files.sizes import MAX_BYTES

EVAL = b"# what a user writes\nprint(eval(text))\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(code: bytes, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], input=code)


def test_findings_are_shown_with_the_code_that_was_sent() -> None:
    result = check(EVAL, "-")
    assert (result.exit_code, "<stdin>:2:7" in result.stdout) == (1, True)
    assert " 2 │ print(eval(text))" in result.stdout


def test_clean_code_exits_0() -> None:
    assert check(b"print(1)\n", "-").exit_code == 0


def test_it_is_reported_under_the_name_it_is_given() -> None:
    report = json.loads(check(EVAL, "-", "--format", "json", "--stdin-filename", "a/b.py").stdout)
    assert [found["file_path"] for found in report["findings"]] == ["a/b.py"]


def test_its_name_says_whether_it_is_a_test() -> None:
    code = b"import tempfile\ntempfile.mktemp()\n"
    sure, unsure = (
        json.loads(check(code, "-", "--format", "json", "--stdin-filename", name).stdout)
        for name in ("app.py", "tests/test_app.py")
    )
    assert sure["findings"][0]["confidence"] == "high"
    assert unsure["findings"][0]["confidence"] == "medium"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (b"x = (\n", "syntax-error"),
        (b"x = '\xff'\n", "encoding-error"),
        (b"#" * (MAX_BYTES + 1), "too-large"),
    ],
)
def test_what_cannot_be_analysed_is_a_failure(code: bytes, kind: str) -> None:
    result = check(code, "-", "--format", "json")
    report = json.loads(result.stdout)
    assert (result.exit_code, [one["kind"] for one in report["failures"]]) == (1, [kind])


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="it reads that")
def test_the_python_that_a_newer_grammar_needs_is_named() -> None:
    code = b"try:\n    f()\nexcept A,B:\n    g()\n"
    (failure,) = json.loads(check(code, "-", "--format", "json").stdout)["failures"]
    assert "except without brackets need Python 3.14, this is 3.1" in failure["message"]


def test_a_baseline_knows_it_by_its_name(folder: Path) -> None:
    named = ("-", "--stdin-filename", "app.py", "--baseline", "known.json")
    check(EVAL, *named, "--write-baseline")
    assert check(b"\n\n" + EVAL, *named).exit_code == 0
    assert check(b"eval(other)\n" + EVAL, *named).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-", "--fix"], "--fix needs a file; `-` is code from standard input"),
        (["-", "--tools", "ruff"], "--tools needs a file; `-` is code from standard input"),
        (["-", "."], "`-` stands alone; check files by another call of vetbox"),
        ([".", "--stdin-filename", "a.py"], "--stdin-filename goes with `-`"),
    ],
)
def test_what_only_files_can_answer_is_misuse(arguments: list[str], sentence: str) -> None:
    result = check(EVAL, *arguments)
    assert (result.exit_code, sentence in result.stderr) == (2, True)


def test_tools_of_the_settings_are_said_to_be_left_out(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.vetbox]\ntools = ["rules", "ruff"]\n')
    result = check(EVAL, "-")
    assert "`-` is checked by the rules alone; other tools need a file" in result.stderr
