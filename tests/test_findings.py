"""Findings have one order, whatever worked them out and in which turn."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

from vetbox.findings import Finding, Location, Severity, Step, position

PLACE = Location("a.py", 1, 2, 1, 9)
FIRST = Finding("rules", "some-rule", "one", Severity.ERROR, PLACE, source="a", callee="b")
OTHERS = [
    replace(FIRST, location=replace(PLACE, path="b.py")),
    replace(FIRST, location=replace(PLACE, line=2)),
    replace(FIRST, location=replace(PLACE, column=3)),
    replace(FIRST, tool="semgrep"),
    replace(FIRST, code="some-rule-2"),
    replace(FIRST, message="two"),
    replace(FIRST, location=replace(PLACE, end_line=2)),
    replace(FIRST, location=replace(PLACE, end_column=10)),
    replace(FIRST, source="b"),
    replace(FIRST, callee="c"),
    replace(FIRST, trace=(Step(PLACE, "enters here"),)),
]
# Places at which several rules and names compete, each of which may be asked first.
CODE = """
import os, pickle, subprocess as s
f = os.system if x else s.run if y else eval
f(f)(f(1))
(os.popen or s.Popen)(f)
g = [eval, exec, compile, os.system, pickle.loads]
for h in g: h(h(x))(y)
getattr(os, a)(getattr(s, a)(b))
"""
ASK = """
import sys
from vetbox.rules import Profile, check, load_rules
from vetbox.code.source import Source
source, rules = Source.from_text(sys.stdin.read()), load_rules()
print([check(source, rules, profile=profile) for profile in Profile])
"""


def test_two_findings_that_differ_have_different_positions() -> None:
    assert all(position(FIRST) < position(other) for other in OTHERS)


def test_what_comes_first_in_a_file_decides_first() -> None:
    turns = [replace(FIRST, message=f"{9 - n}", location=replace(PLACE, line=n)) for n in (1, 2, 3)]
    assert all(position(one) < position(other) for one, other in pairwise(turns))


def test_the_order_and_words_do_not_depend_on_the_process() -> None:
    assert len({asked(seed) for seed in ("0", "1", "2")}) == 1


def asked(seed: str) -> str:
    command = [sys.executable, "-c", ASK]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        command, input=CODE, env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout
