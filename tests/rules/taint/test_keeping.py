"""What methods put into their objects, wherever the objects are kept."""

import pytest

from tests.rules.taint.test_running import reported

QUERY = """\
class Query:
    def __init__(self, table):
        self.table, self.parts, self.order = table, [], ""
    def where(self, part):
        self.parts.append(part)
        return self
    def by(self, order):
        self.order = order
    def text(self):
        return self.table + " ".join(self.parts) + self.order

def begun(table):
    query = Query(table)
    return query

def begun_typed(table):
    query: Query = Query(table)
    return query

def more(query, part):
    return query.where(part)
"""
VIEW = """\
class View:
    def __init__(self): self.query = {}
    def fill(self): self.query.by(source())
    def show(self): sink(self.query.text())
"""
KEPT = [
    "sink(more(Query('a'), source()).text())",
    "all = [Query('a'), Query('b')]\nall[1].by(source())\nsink(all[1].text())",
    "all = {'k': Query('a')}\nall.get('k').where(source())\nsink(all['k'].text())",
    "all = {'k': Query('a')}\none = all['k']\none.by(source())\nsink(all['k'].text())",
    VIEW.format("begun('a')"),
    VIEW.format("begun_typed('a')"),
    VIEW.format("Query('a')"),
]
NOT_KEPT = [
    "all = [Query('a'), Query('b')]\nall[1].by(source())\nsink(all[0].text())",
    "all = {'k': Query('a'), 'l': Query('b')}\nall.get('k').by(source())\nsink(all['l'].text())",
    "all = {'k': Query('a')}\nall['k'].by(source())\nsink(all['k'].table)",
    "sink(more(Query('a'), 'b').text())\nmore(Query('a'), source())",
]


@pytest.mark.parametrize("code", KEPT)
def test_an_object_has_what_its_methods_put_into_it(code: str) -> None:
    assert reported(f"{QUERY}\n{code}\n")


@pytest.mark.parametrize("code", NOT_KEPT)
def test_no_other_object_has_it(code: str) -> None:
    assert not reported(f"{QUERY}\n{code}\n")
