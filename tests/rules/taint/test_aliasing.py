"""Aliases: what is put into an object by one of its places comes out of the others, while they
hold that object."""

from itertools import pairwise

import pytest

from tests.rules.taint.test_running import reported

BOX = """\
class Box:
    def __init__(self, held="a"):
        self.held = held
    def put(self, what):
        self.held = what
"""
SAME = [
    "rows = ['a']\nothers = rows\nothers.append(source())\nsink(rows)",
    "rows = ['a']\nothers = rows\nrows.append(source())\nsink(others)",
    "rows = ['a']\nothers = more = rows\nothers.append(source())\nsink(more)",
    "rows = others = ['a']\nothers.append(source())\nsink(rows)",
    "rows = ['a']\nothers = rows\nothers += [source()]\nsink(rows)",
    "rows = ['a']\nothers = rows\nothers[0] = source()\nsink(rows[0])",
    "rows = ['a']\nothers = rows\nthird = others\nthird.append(source())\nsink(rows)",
    "rows = ['a']\nothers = rows\nthird = others\nothers = []\nthird.append(source())\nsink(rows)",
    "table = {'a': 1}\nother = table\nother['k'] = source()\nsink(table['k'])",
    "rows = ['a']\nif x: rows = ys\nothers = rows\nothers.append(source())\nsink(rows)",
    "rows = ['a']\nothers = ['b']\nif x: others = rows\nothers.append(source())\nsink(rows)",
    BOX + "one = Box()\nother = one\nother.held = source()\nsink(one.held)",
    BOX + "one = Box()\nother = one\nother.put(source())\nsink(one.held)",
    BOX + "one = Box()\nother = one\none.put(source())\nsink(other.held)",
    BOX + "one = Box()\none.held = 'b'\none.put(source())\nsink(one.held)",
    BOX + "def f(box):\n    box.put(source())\none = Box()\nother = one\nf(other)\nsink(one.held)",
    "def f(rows):\n    others = rows\n    others.append(source())\nx = ['a']\nf(x)\nsink(x)",
    "def f(rows):\n    rows.append(source())\nx = ['a']\ny = x\nf(y)\nsink(x)",
    "table = {'k': 'a'}\nother, name = table, 'b'\ntable['k'] = source()\nsink(other['k'])",
    "rows = ['a']\n[name, others] = ['b', rows]\nothers.append(source())\nsink(rows)",
    "rows = ['a']\n(x, others), y = (1, rows), 2\nothers.append(source())\nsink(rows)",
    "rows = ['a', 'b']\nothers = rows\ndel rows[0]\nothers[-1] = source()\nsink(others[0])",
]
WITHIN = [
    "row = {}\ntable = {'k': row}\nrow['x'] = source()\nsink(table['k'])",
    "row = []\ntable = {'k': row}\ntable['k'].append(source())\nsink(row)",
    "table = {}\nrow = []\ntable['k'] = row\nrow.append(source())\nsink(table['k'])",
    "table = {'k': []}\nrow = table['k']\nrow.append(source())\nsink(table['k'])",
    "rows = {}\nfor k in ks:\n    x = rows.setdefault(k, [])\n    x.append(source())\nsink(rows)",
    "rows = []\nrow = {}\nrows.append(row)\nrow['x'] = source()\nsink(rows)",
    "row = {}\nrows = [row]\nrow['x'] = source()\nsink(rows)",
    "rows = [{}, {}]\nfor row in rows:\n    row['x'] = source()\nsink(rows[0])",
    "table = {'a': {}}\nfor k, row in table.items():\n    row['x'] = source()\nsink(table['a'])",
    "rows = [{}]\nfor place, row in enumerate(rows):\n    row['x'] = source()\nsink(rows)",
    (
        "class A:\n    def __init__(self):\n        self.rows = []\n"
        "    def put(self, what):\n        rows = self.rows\n        rows.append(what)\n"
        "    def show(self):\n        sink(self.rows)\na = A()\na.put(source())\na.show()"
    ),
    BOX + "one = Box(['a'])\nrows = one.held\nrows.append(source())\nsink(one.held)",
]
OTHERS = [
    "rows = ['a']\nothers = rows\nothers = []\nothers.append(source())\nsink(rows)",
    "rows = ['a']\nothers = rows\nrows = []\nrows.append(source())\nsink(others)",
    "rows = ['a']\nothers = list(rows)\nothers.append(source())\nsink(rows)",
    "rows = ['a']\nothers = rows[:]\nothers.append(source())\nsink(rows)",
    "one = 'a'\nother = one\nother += source()\nsink(one)",
    "table = {'a': [], 'b': []}\nrow = table['a']\nrow.append(source())\nsink(table['b'])",
    "table = {'k': []}\nrow = table['k']\ntable['k'] = 'a'\nrow.append(source())\nsink(table['k'])",
    BOX + "one = Box()\nother = one\nother = Box()\nother.put(source())\nsink(one.held)",
    "rows = ['a']\nothers = rows\nothers.append(source())\nsink(rows[0])",
    "a = []\nb = []\na, b = b, a\na.append(source())\nsink(b)",
    "a = []\nb = []\na, b = [], a\na.append(source())\nsink(b)",
]


def found(code: str) -> int:
    return len(reported(code))


@pytest.mark.parametrize("code", [*SAME, *WITHIN])
def test_what_changes_in_one_place_has_changed_in_the_others(code: str) -> None:
    assert found(code) == 1


@pytest.mark.parametrize("code", OTHERS)
def test_another_object_stays_as_it_is(code: str) -> None:
    assert found(code) == 0


def test_long_rows_of_assignments_are_followed_a_part_of_the_way() -> None:
    """So that each assignment costs about the same, however many there are."""
    names = [f"a{number}" for number in range(400)]
    rows = [f"{one} = {other}" for other, one in pairwise(names)]
    code = "\n".join(["a0 = ['a']", *rows, "a9.append(source())", "sink(a0)"])
    assert found(code) == 1
