"""Code of newer Pythons is read as an older one would have it, each character in its line."""

import ast
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from vetbox.cli import main
from vetbox.code.older_grammar import in_older_grammar
from vetbox.code.source import Source, SourceError

REWRITTEN = [
    ("type X = int", "type_X = int"),
    ("if x: type Y[T = int, **P] = f[T]", "if x: type_Y               = f[T]"),
    ("def f[T](x: T) -> T: ...", "def f   (x: T) -> T: ..."),
    ("async def f[*T](x): ...", "async def f    (x): ..."),
    ("class A[T: (int, str)](B): ...", "class A               (B): ..."),
    ("def f[\n    T,\n](x): ...", "def f\\\n     \\\n (x): ..."),
    ("try: f()\nexcept A, B.C: g()", "try: f()\nexcept(A,B.C): g()"),
    ("try: f()\nexcept* A, B, C : g()", "try: f()\nexcept*(A, B,C) : g()"),
    ("x = t'{y}'", "x = f'{y}'"),
    (r"x = rt'{y}\d'", r"x = rf'{y}\d'"),
    ('f"{x["a"]}"', "f\"{x['a']}\""),
    ('f"{x["a"]!r:>{w["b"]}} {{y}} {z != "d"}"', "f\"{x['a']!r:>{w['b']}} {{y}} {z != 'd'}\""),
    ('f"{x["it\'s"]}"', "f\"{x['it_s']}\""),
    (r'''f"{'\n'.join(x)}"''', '''f"{'_n'.join(x)}"'''),
    ("f\"{','.join('\"' + y for y in z)}\"", "f\"{','.join('_' + y for y in z)}\""),
    (r'f"{x:\n}{y["a"]}"', "f\"{x:\\n}{y['a']}\""),
    (r'rf"\d{x["a"]}\""', 'rf"\\d{x[\'a\']}\\""'),
    (r'f"\N{DIGIT ONE}{x["a"]}"', "f\"\\N{DIGIT ONE}{x['a']}\""),
]
AS_OLD = [
    "type = 3\nprint(type)\ntype(x)\ntype [0]",
    "match = {'type': 1}",
    "x[type]\n",
    "def f(x): return x[0]",
    "class A(B[T]): x: C[T] = 1",
    "f'{x[\"a\"]}' '\"'",
    'f"""{ x["a"] }\n{\n y}"""',
    "f\"\"\"{'''a 'b' c'''}\"\"\"",
    '# f"{x["a"]}"',
    "'type X = int'",
    "'''\ntype X = int\n'''",
    "try: f()\nexcept (A, B): g()",
    "f(\ntype, x = 1)",
    "f'{{x[\"a\"]}}'",
]
NO_PYTHON = [
    "x = = 1",
    "def f[T(x): ...",
    "def f[\n\n](x): ...",
    "try: f()\nexcept A,B: g()",
    'x = f"{\n  y\n}"',
    'f"{f"{f"{x}"}"}"',
    'f"{f"{x[\'a\']}"}"',
    'f"{getattr(b, "e\\x76al")}"',
    'f"{getattr(b, "e\\N{LATIN SMALL LETTER V}al")}"',
    'def f[T: __import__("os").system("id")](x): ...',
    "class A[T: (int, f (x))]: ...",
    'f"{x[\\"a\\"]}"',
    'f"{x["a"',
    "type X",
    "{% extends 'a' %}",
]


@pytest.mark.parametrize(("code", "older"), REWRITTEN)
def test_newer_grammar_is_written_as_the_older_one(code: str, older: str) -> None:
    written = in_older_grammar(code)
    assert written == older
    ast.parse(written, feature_version=(3, 11))
    assert [*map(len, written.split("\n"))] == [*map(len, code.split("\n"))]


@pytest.mark.parametrize("code", AS_OLD)
def test_what_is_old_stays_as_it_is(code: str) -> None:
    ast.parse(code, feature_version=(3, 11))
    assert in_older_grammar(code) is None


def test_nothing_of_our_own_is_rewritten() -> None:
    for path in Path(__file__).parents[1].glob("src/vetbox/**/*.py"):
        assert in_older_grammar(path.read_text(encoding="utf-8")) is None, path


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="it reads some of it")
@pytest.mark.parametrize("code", NO_PYTHON)
def test_what_has_no_older_form_is_refused(code: str) -> None:
    with pytest.raises(SourceError):
        Source.from_text(code).readable()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="it reads that")
@pytest.mark.parametrize("code", ["type X = int\neval(x)\n", 'eval(f"{x["a"]}")\n'])
def test_code_of_agents_is_read_as_it_is_written_or_not_at_all(code: str, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(code)
    asked = ["check", str(path), "--no-cache", "--format", "json", "--profile"]
    agent, repo = (
        json.loads(CliRunner().invoke(main, [*asked, profile]).stdout)
        for profile in ("agent", "repo")
    )
    assert [one["kind"] for one in agent["failures"]] == ["syntax-error"]
    assert repo["failures"] == []
    assert [one["code"] for one in repo["findings"]] == ["eval-call"]


def test_findings_stand_where_the_code_does(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import os\n"
        "type Name = str\n"
        "def f[T](x: T, row):\n"
        "    try:\n"
        '        print(f"{row["a"]} {eval(row["b"])}")\n'
        "    except ValueError, KeyError:\n"
        "        os.system(x)\n"
    )
    result = CliRunner().invoke(main, ["check", str(tmp_path), "--no-cache", "--format", "json"])
    report = json.loads(result.stdout)
    assert report["failures"] == []
    places = {(one["line_number"], one["column_number"]) for one in report["findings"]}
    assert places == {(5, 29), (7, 9)}
