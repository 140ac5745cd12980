"""Rewrites keep a module's meaning and its lines; variants say which line came from which."""

import ast
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vetbox.gate import rewrites
from vetbox.gate.respelling import disguise_identifiers, split_lines
from vetbox.gate.rewriting import Rewriting
from vetbox.gate.variants import REWRITES
from vetbox.gate.visiting import changed, seen

CODE = """\
import os
from subprocess import run as start

os.system("ls -l")
start(["ls"], check=True, shell=False)
"""
FIXTURES = Path(__file__).parents[2] / "fixtures"
SHIPPED = [path.read_text(encoding="utf-8") for path in sorted(FIXTURES.glob("*/[cs]*.py"))[::20]]


@pytest.mark.parametrize(
    ("rewrite", "line", "expected"),
    [
        (rewrites.RenameImports, 4, 'z_os.system("ls -l")'),
        (rewrites.FromImports, 1, "import os; from os import system as p_os_system"),
        (rewrites.FromImports, 4, 'p_os_system("ls -l")'),
        (rewrites.AliasCallee, 4, 'z1 = os.system; z1("ls -l")'),
        (rewrites.ReverseKeywords, 5, 'start(["ls"], shell=False, check=True)'),
        (rewrites.ParenthesiseCallee, 4, '(os.system)("ls -l")'),
        (rewrites.SplitLiterals, 4, 'os.system("ls" " -l")'),
        (rewrites.LambdaStatements, 4, '(lambda: os.system("ls -l"))'),
        (rewrites.ForeignImports, 1, "import unrelated_os as os"),
    ],
)
def test_rewrite_changes_the_spelling_of_one_line(
    rewrite: type[cst.CSTTransformer], line: int, expected: str
) -> None:
    module = cst.parse_module(CODE)
    rewritten = module.visit(rewrite(module)).code.splitlines()
    assert rewritten[line - 1] == expected
    assert len(rewritten) == len(CODE.splitlines())


def test_disguised_identifiers_are_the_same_to_python() -> None:
    disguised = disguise_identifiers(CODE)
    assert disguised != CODE
    assert ast.dump(ast.parse(disguised)) == ast.dump(ast.parse(CODE))


def test_split_lines_say_where_each_line_came_from() -> None:
    text, origin = split_lines("f(g(1))\nh()\n")
    assert text == "f(\ng(\n1))\nh(\n)\n"
    assert origin == (1, 1, 1, 2, 2)


@given(st.lists(st.sampled_from(CODE.splitlines(keepends=True)[3:]), max_size=6))
def test_every_line_of_a_split_text_has_an_origin(lines: list[str]) -> None:
    text, origin = split_lines("".join(lines))
    assert len(origin) == text.count("\n")
    assert list(origin) == sorted(origin)


@pytest.mark.parametrize("code", ['f"{x!r}"\n', 'f"{len(x):>{width}}"\n', "print(f'{a}')\n"])
def test_the_inside_of_an_fstring_is_left_alone(code: str) -> None:
    """From Python 3.12 on it is read as tokens, and the `r` of `!r` as a name."""
    string = code[code.index("f") :].rstrip(")\n")
    assert string in disguise_identifiers(code)
    assert string in split_lines(code)[0]


@pytest.mark.parametrize("name", REWRITES)
def test_a_rewrite_writes_what_it_writes_when_libcst_shows_it_every_node(name: str) -> None:
    for code in (CODE, CODE.rstrip("\n"), "# a\n\n" + CODE + "# z\n", *SHIPPED):
        module = cst.parse_module(code)
        assert Rewriting(code).by(REWRITES[name]) == module.visit(REWRITES[name](module)).code


def test_the_fields_of_a_node_are_visited_as_they_are_written() -> None:
    noted = _Words()
    seen(cst.parse_module("@a\ndef b(c: d = e, *f) -> g:\n    h = i if j else k(l=m)\n"), noted)
    assert "".join(noted.words) == "abcdefghijklm"


def test_code_that_nothing_changes_is_the_same_node() -> None:
    statement = cst.parse_module("x = y(1, a=2)\n").body[0]
    assert changed(statement, rewrites.SplitLiterals(cst.Module([]))) is statement


class _Words(cst.CSTVisitor):
    def __init__(self) -> None:
        self.words: list[str] = []

    def visit_Name(self, node: cst.Name) -> None:  # noqa: N802 - libcst's word
        self.words.append(node.value)
