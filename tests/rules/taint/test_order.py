"""What functions put somewhere is there for others, in whatever order they are written."""

import libcst as cst
import pytest

from tests.rules.facts import AsWritten
from tests.rules.taint.test_flow import found, marks
from vetbox.rules.budget import BudgetExceededError
from vetbox.rules.taint import flows

PUT = {
    "variable": ("last = ''", "def put():\n    global last\n    last = source()", "last"),
    "table": ("box = {}", "def put():\n    box['a'] = source()", "box['a']"),
    "list": ("box = []", "def put():\n    box.append(source())", "box[0]"),
    "class": ("class A:\n    last = ''", "def put():\n    A.last = source()", "A.last"),
}

READING = "class A:\n    def f(self):\n        sink(self.a)\n    def g(self):\n"


@pytest.mark.parametrize(("held", "put", "read"), PUT.values(), ids=PUT)
def test_who_reads_it_may_stand_before_who_puts_it(held: str, put: str, read: str) -> None:
    reading = f"def f():\n    sink({read})"
    assert found(f"{held}\n{put}\n{reading}") == 1
    assert found(f"{held}\n{reading}\n{put}") == 1


def test_a_method_reads_what_a_later_one_has_put_into_the_object() -> None:
    code = READING + "        self.{} = source()"
    assert found(code.format("a")) == 1
    assert found(code.format("b")) == 0


def test_what_is_read_late_is_handed_to_callers() -> None:
    code = "last = ''\ndef f():\n    sink(g())\ndef g():\n    return last\n"
    assert found(f"{code}def put():\n    global last\n    last = source()") == 1


def test_what_was_made_clean_before_it_is_put_stays_so() -> None:
    code = READING + "        self.a = clean(source())"
    assert found(code) == 0


def test_a_budget_that_ends_between_the_readings_is_told() -> None:
    module = cst.parse_module(READING + "        self.a = source()")
    told: set[int | None] = set()
    for steps in range(30):
        try:
            told.add(len(flows(module, marks(module), AsWritten(), steps=steps)))
        except BudgetExceededError:
            told.add(None)
    assert told == {None, 1}
