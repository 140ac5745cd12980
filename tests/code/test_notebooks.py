"""Notebooks: the code of the cells, where it stands; what is no Python stays out of the way."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from vetbox.cli import main
from vetbox.code.notebooks import NotebookError, lines_of, module_of
from vetbox.code.source import Source, SourceError
from vetbox.files.sizes import MAX_NOTEBOOK_BYTES


def notebook(*cells: str, **metadata: object) -> str:
    """As Jupyter saves it: one line of JSON for each line of code."""
    made = [{"cell_type": "code", "outputs": [], "source": cell.splitlines(True)} for cell in cells]
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4}, indent=1)


def code_of(text: str) -> list[str]:
    """The lines of its module that say anything."""
    return [line for line in module_of(text).split("\n") if line.strip()]


def check(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", "--no-cache", str(path), *arguments])


def test_each_line_stands_where_it_stands_in_the_file() -> None:
    text = notebook("import os\nos.getcwd()\n", "print(1)")
    for number, line in enumerate(module_of(text).split("\n")):
        if line:
            assert json.dumps(line)[:-1] in text.split("\n")[number]
    assert code_of(text) == ["import os", "os.getcwd()", "print(1)"]


@given(st.lists(st.text("ab=()[]{}\"'#\n\\ %!?", max_size=40), max_size=4))
def test_it_has_as_many_lines_as_the_file_whatever_is_in_it(cells: list[str]) -> None:
    text = notebook(*cells)
    assert module_of(text).count("\n") == text.count("\n")


@given(st.text("ab=()[]{}\"'#\n\\ ,.:", max_size=80))
def test_code_without_commands_stays_as_it_is(code: str) -> None:
    lines = [line for line in code.split("\n") if line.strip()]
    margin = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    if not margin:
        assert code_of(notebook(code)) == lines


@given(st.lists(st.text("ab=()[]{}\"'#\n\\ %!?", max_size=40), max_size=4))
def test_what_is_shown_of_it_has_as_many_lines(cells: list[str]) -> None:
    text = notebook(*cells)
    assert len(lines_of(text)) == text.count("\n") + 1


def test_commands_are_shown_as_they_were_written() -> None:
    text = notebook("%matplotlib inline\n%time f(x)\nx = !ls\n", "%%time\n  g(x)\n", "  h(x)\n")
    shown = [line for line in lines_of(text) if line]
    assert shown == ["%matplotlib inline", "f(x)", "x = !ls", "%%time", "g(x)", "h(x)"]


def test_text_and_what_was_printed_is_no_code() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["eval(x)\n"]},
        {"cell_type": "code", "outputs": [{"text": ["eval(y)\n"]}], "source": ["print(1)\n"]},
        {"cell_type": "raw", "source": ["eval(z)\n"]},
    ]
    assert code_of(json.dumps({"cells": cells}, indent=1)) == ["print(1)"]


@pytest.mark.parametrize(
    ("cell", "lines"),
    [
        ("!ls {folder}\nf(x)", ["pass", "f(x)"]),
        ("if a:\n    !ls\n    %cd ..", ["if a:", "    pass", "    pass"]),
        ("names = !ls\n", ["names = None"]),
        ("%matplotlib inline\nframe.head?\n?frame", ["pass", "pass", "pass"]),
        ("%time x = eval(y)\n", ["x = eval(y)"]),
        ("r = %timeit -n1 -r1 eval(y)\n", ["r = eval(y)"]),
        ("%%time\neval(y)\n", ["eval(y)"]),
        ("%%bash\nrm -rf /tmp/x\n", []),
        ("%%html\n<b>it's</b>\n", []),
        ("  x = 1\n  y = 2\n", ["x = 1", "y = 2"]),
        ("!echo \"it's\nf(x)\n!ls", ["pass", "f(x)", "pass"]),
    ],
)
def test_commands_of_ipython_are_left_out(cell: str, lines: Sequence[str]) -> None:
    assert code_of(notebook(cell)) == lines


@pytest.mark.parametrize(
    "cell",
    [
        'x = ("%s"\n     % name)',
        "assert (a\n != b)",
        'sql = """\n%like%\n!x\n"""',
        "x = a \\\n % b",
        "x = 1  # why?",
        "# what is this?",
    ],
)
def test_python_that_looks_like_a_command_stays(cell: str) -> None:
    assert code_of(notebook(cell)) == cell.split("\n")


def test_texts_that_end_within_a_line_are_one_line() -> None:
    cells = [{"cell_type": "code", "source": ["ev", "al(x)\n", "f()"]}]
    assert code_of(json.dumps({"cells": cells}, indent=1)) == ["eval(x)", "f()"]


def test_the_last_of_several_members_with_one_name_counts() -> None:
    text = '{"cells": [{"cell_type": "code",\n"source": ["a"],\n"source": ["eval(x)"]}]}'
    assert module_of(text).split("\n") == ["", "", "eval(x)"]


def test_where_all_is_on_one_line_code_is_numbered_by_itself() -> None:
    cells = [{"cell_type": "code", "source": "import os\nos.getcwd()"}]
    assert module_of(json.dumps({"cells": cells})) == "import os\nos.getcwd()"


def test_one_in_another_language_has_no_code() -> None:
    assert code_of(notebook("x <- eval(y)", kernelspec={"language": "R"})) == []
    assert code_of(notebook("eval(y)", language_info={"name": "python"})) == ["eval(y)"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "this is no notebook: Expecting '{'"),
        ("[]", "this is no notebook: Expecting '{'"),
        ('{"cells": [{]}', "this is no notebook: "),
        ('{"cells": 1}', "this is no notebook: Expecting '['"),
        ('{"cells": [1]}', "a cell is no object"),
        ('{"cells": [{"cell_type": "code", "source": [1]}]}', "the code of a cell is no text"),
        ('{"worksheets": [], "nbformat": 3}', "a notebook of format 3; save it in Jupyter"),
        ('{"metadata": {}}', "it has no cells"),
        ('{"cells": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_notebook_is_said_to_be_none(text: str, sentence: str) -> None:
    with pytest.raises(NotebookError, match=re.escape(sentence)):
        module_of(text)


def test_a_notebook_may_be_larger_than_code() -> None:
    picture = {"cell_type": "code", "outputs": [{"data": "A" * 2_000_000}], "source": ["eval(x)"]}
    text = json.dumps({"cells": [picture]}, indent=1)
    assert "eval(x)" in Source.from_bytes(text.encode(), "a.ipynb").text
    with pytest.raises(SourceError, match="clear what it printed"):
        Source.from_bytes(b" " * (MAX_NOTEBOOK_BYTES + 1), "a.ipynb")


def test_findings_in_a_notebook_are_shown_with_their_code(tmp_path: Path) -> None:
    (tmp_path / "model.ipynb").write_text(notebook("import os\n", "!ls\nos.system(input())\n"))
    result = check(tmp_path)
    assert result.exit_code == 1
    assert "os.system(input())\n" in result.stdout
    report = json.loads(check(tmp_path, "--format", "json").stdout)
    places = {(found["line_number"], found["column_number"]) for found in report["findings"]}
    lines = (tmp_path / "model.ipynb").read_text().split("\n")
    assert [("os.system" in lines[line - 1], column) for line, column in places] == [(True, 1)]


def test_one_that_cannot_be_read_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "model.ipynb").write_text("{}")
    result = check(tmp_path)
    assert (result.exit_code, "it has no cells" in result.stdout) == (1, True)


def test_other_tools_are_not_asked_about_notebooks(tmp_path: Path) -> None:
    (tmp_path / "model.ipynb").write_text(notebook("import os\nos.system(input())\n"))
    (tmp_path / "app.py").write_text("import os\nos.system(input())\n")
    report = json.loads(check(tmp_path, "--tools", "rules,ruff", "--format", "json").stdout)
    asked = {Path(one["file_path"]).name for one in report["findings"] if "also_reported_by" in one}
    assert (asked, report["failures"]) == ({"app.py"}, [])


def test_no_fix_is_written_into_a_notebook(tmp_path: Path) -> None:
    file = tmp_path / "model.ipynb"
    file.write_text(notebook("import yaml\nyaml.load(text)\n"))
    before = file.read_bytes()
    assert check(tmp_path, "--fix", "--unsafe-fixes").exit_code == 1
    assert file.read_bytes() == before
    report = json.loads(check(tmp_path, "--format", "json").stdout)
    assert [found.get("fix") for found in report["findings"]] == [None]
