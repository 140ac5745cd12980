"""Logical lines are counted in a tree as they are in its text."""

from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from vetbox.code.source import Source
from vetbox.rules import Profile, check, load_rules
from vetbox.rules.excerpt.layout import Doubt, laid_out
from vetbox.rules.matching.numbering import Lines, Numbering
from vetbox.rules.walk import Tree

RULES = load_rules()
REAL = sorted((Path(__file__).parents[2] / "src").rglob("*.py"))[::20]
EVERYTHING = '''"""Text
over two lines."""
import os; x = 1
if x:
    pass
elif x > 1: y = 2
elif x > 2:
    z = (
        3,
    )
else: pass
for a in b:
    while c:
        break
    else:
        d()
else:
    e()
@one
@two(
    3)
class K:
    @staticmethod
    def f(self, x=lambda: 0): return x
    async def g(self):
        async with h() as i, \\
                j():
            await k
        async for l in m: n()
try:
    try: o()
    except p: q()
    finally: r()
except (s, t) as u:
    raise
except v:
    raise
else:
    w = f"{x}"
finally:
    # a comment
    del w
match x:
    case 1: pass
    case [2, *_] if x:
        y()
'''


def lines_of(code: str) -> list[tuple[int, int]]:
    """Of each node that stands on one logical line of some code, its number and its row."""
    wrapper = MetadataWrapper(cst.parse_module(code))
    rows = wrapper.resolve(PositionProvider)
    tree = Tree(wrapper.module)
    numbering = Numbering(tree)
    assert len(numbering) == len(laid_out(code))
    told = ((numbering.line_of(node), node) for node in tree.nodes if node is not tree.module)
    return [
        (number, rows[node].start.line)
        for number, node in told
        if number is not None and isinstance(node, cst.BaseExpression)
    ]


def row_of(code: str, offset: int) -> int:
    return code.count("\n", 0, offset) + 1


def assert_alike(code: str) -> None:
    layout = laid_out(code)
    first = [row_of(code, start) for start in layout.starts]
    last = [row_of(code, end) for end in layout.ends]
    found = lines_of(code)
    assert found
    assert all(first[number] <= row <= last[number] for number, row in found)


def test_every_kind_of_statement_begins_its_lines() -> None:
    assert_alike(EVERYTHING)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_files_are_counted_alike(path: Path) -> None:
    code = path.read_text()
    try:
        laid_out(code)
    except Doubt:
        pytest.skip("no layout reads it")
    assert_alike(code)


def test_rules_are_asked_only_on_lines_where_they_may_fire() -> None:
    tree = Tree(cst.parse_module("a()\nb()\n"))
    first, second = tree.by_type[cst.Call]
    lines = Lines(tree, (10, 20), {"asked": {20}, "nowhere": set()})
    assert not lines.allow("asked", first)
    assert lines.allow("asked", second)
    assert not lines.allow("nowhere", second)
    assert lines.allow("not-sifted", first)


def test_a_long_part_is_judged_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import subprocess\n\n\ndef run(it, shell):\n"
    code += "".join(f"    subprocess.run(it, shell={word})\n" for word in ("shell", "True"))
    code += "    note(it)\n    return shell\n"
    source = Source.from_text("def other(a):\n    return a\n\n\n" * 30 + code)
    refused: list[cst.CSTNode] = []
    allow = Lines.allow

    def spied(lines: Lines, rule: str, node: cst.CSTNode) -> bool:
        allowed = allow(lines, rule, node)
        refused.extend([] if allowed else [node])
        return allowed

    monkeypatch.setattr(Lines, "allow", spied)
    short = check(source, RULES, profile=Profile.REPO)
    assert short
    assert not refused
    monkeypatch.setattr("vetbox.rules.judging._MANY_LINES", 0)
    assert check(Source.from_text(source.text), RULES, profile=Profile.REPO) == short
    assert refused


def test_nothing_is_known_of_a_part_that_is_counted_otherwise() -> None:
    tree = Tree(cst.parse_module("a()\nb()\n"))
    lines = Lines(tree, (10,), {"asked": {20}})
    assert all(lines.allow("asked", call) for call in tree.by_type[cst.Call])


def test_what_spans_several_lines_is_asked_for_any_of_them() -> None:
    tree = Tree(cst.parse_module("@a\ndef f():\n    b()\n"))
    (function,) = tree.by_type[cst.FunctionDef]
    assert Lines(tree, (10, 20, 30), {"asked": {10}}).allow("asked", function)
