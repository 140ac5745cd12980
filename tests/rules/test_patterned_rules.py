"""Rules with code patterns and taint, through the whole engine: names, constants, places, words."""

from typing import Any

import pytest

from vetbox.code.source import Source
from vetbox.findings import Finding
from vetbox.rules import Profile, RuleError, RuleSet, check
from vetbox.rules.following import INCOMPLETE
from vetbox.rules.loading.loader import rule_from_data

SHELL = {
    "sources": [{"kind": "http-input"}, {"kind": "cli"}],
    "sinks": [{"kind": "shell"}],
    "sanitizers": [{"kind": "shell-quote"}, {"kind": "typed"}],
}


def found(code: str, **rule: Any) -> list[Finding]:
    data = {"id": "x", "message": "found $X", "severity": "error", **rule}
    rules = RuleSet.of([rule_from_data(data, "x/x.yaml")])
    return list(check(Source.from_text(code, "a.py"), rules, profile=Profile.REPO))


def lines(code: str, match: Any, **rule: Any) -> list[int]:
    return [finding.location.line for finding in found(code, match=match, **rule)]


def test_a_pattern_sees_through_imports_aliases_and_constants() -> None:
    code = (
        "import subprocess as s\nON = True\ns.run(c, shell=ON)\nfrom subprocess import run as r\n"
    )
    assert lines(code + "r(c, shell=True)\n", "subprocess.run($X, ..., shell=True)") == [3, 5]


def test_a_message_says_what_a_metavariable_stands_for() -> None:
    (finding,) = found("run( a.b )\n", match="run($X)")
    assert (finding.message, finding.source) == ("found a.b", "run( a.b )")


def test_focus_points_at_the_metavariable() -> None:
    (finding,) = found("run(1, key)\n", match="run(..., $X)", focus="$X")
    assert (finding.location.column, finding.source) == (8, "key")


def test_all_parts_of_a_conjunction_bind_the_same_things() -> None:
    match = {"all": ["run($X)", {"inside": "def $F(..., $X, ...):\n  ..."}]}
    assert lines("def f(a, b):\n    run(b)\n    run(c)\n", match) == [2]


@pytest.mark.parametrize("negated", [False, True])
def test_where_tells_of_the_statements_around_a_place_as_of_the_place(negated: bool) -> None:
    run = {
        "pattern": "$OLD = mask($M)\n...\nmask($OLD)\n",
        "where": [{"metavariable": "$M", "value": {"in": [0]}}],
    }
    match = {"all": ["work()", {"not-inside" if negated else "inside": run}]}
    code = (
        "def f():\n    a = mask(0)\n    work()\n    mask(a)\n"
        "def g():\n    a = mask(1)\n    work()\n    mask(a)\n"
    )
    assert lines(code, match) == ([7] if negated else [3])


def test_what_is_denied_is_asked_last_wherever_it_is_written() -> None:
    match = {"all": [{"not": "run($X, $X)"}, "run($X, $Y)"]}
    assert lines("run(a, a)\nrun(a, b)\n", match) == [2]


def test_where_reads_text_values_types_and_code() -> None:
    code = "import net\nc = net.Client()\nc.go(100)\nd.go(100)\nc.go(5000)\nc.go(f(secret))\n"
    where: list[Any] = [{"metavariable": "$C", "type": ["net.Client"]}]
    assert lines(code, "$C.go($X)", where=where) == [3, 5, 6]
    small = [*where, {"metavariable": "$X", "value": {"compare": "< 2048"}}]
    assert lines(code, "$C.go($X)", where=small) == [3]
    deep = [*where, {"metavariable": "$X", "match": "secret"}]
    assert lines(code, "$C.go($X)", where=deep) == [6]


@pytest.mark.parametrize("denied", [{"not": "safe(...)"}, {"all": [{"not": "safe(...)"}]}])
def test_where_that_only_denies_is_about_what_the_metavariable_stands_for(denied: Any) -> None:
    code = "go(safe(data))\ngo(data)\ngo(wrapped(safe(data)))\n"
    assert lines(code, "go($X)", where=[{"metavariable": "$X", "match": denied}]) == [2, 3]


def test_a_run_of_statements_is_found_at_its_first() -> None:
    code = "def f():\n    h = get()\n    if a:\n        use(h)\n"
    assert lines(code, "$X = get()\n...\nuse($X)") == [2]


@pytest.mark.parametrize("pattern", ["f(", "def", ""])
def test_a_pattern_that_is_no_python_is_an_error_of_the_rule(pattern: str) -> None:
    with pytest.raises(RuleError, match="pattern"):
        found("x = 1\n", match={"pattern": pattern})


FLOWS = """\
import os, shlex, sys
from flask import request
os.system("ls " + request.args["q"])
os.system("ls " + shlex.quote(request.args["q"]))
os.system("kill %d" % int(sys.argv[1]))
def helper(command):
    os.popen(command)
helper(sys.argv[2])
"""


def test_data_is_followed_from_a_source_to_a_sink_and_through_functions() -> None:
    findings = found(FLOWS, taint=SHELL, message="{source} reaches {callee}()")
    assert [(f.location.line, f.message) for f in findings] == [
        (3, "request.args reaches os.system()"),
        (7, "sys.argv reaches os.popen()"),
    ]


def test_a_flow_shows_the_way_it_took() -> None:
    *_, finding = found(FLOWS, taint=SHELL)
    assert [step.location.line for step in finding.trace] == [8, 8, 6, 7]


def test_a_kind_that_nobody_wrote_is_an_error_of_the_rule() -> None:
    with pytest.raises(RuleError, match="'telepathy' is not a kind"):
        found("x = 1\n", taint={**SHELL, "sources": [{"kind": "telepathy"}]})


def test_a_file_with_more_flows_than_are_followed_is_not_called_clean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vetbox.rules.taint.flow.FLOW_STEPS", 20)
    (finding,) = found(FLOWS, taint=SHELL)
    assert (finding.code, finding.location.line) == (INCOMPLETE, 1)


def circle(functions: int) -> str:
    """Functions that call each other in loops and fill each other's fields."""
    body = """def f{0}(a, b):
    for x in a.first(b):
        a.one = f{1}(a.other, b.parts[x]) + f{2}(b, a)
        for y in a.second(b):
            a.two = f{1}(a.other, b.parts[y]) + f{2}(b, a)
            for z in a.third(b):
                a.three = f{1}(a.other, b.parts[z]) + f{2}(b, a)
                b.parts[z] = a.three.strip() + request.args["q"]
    os.system(a.one)
    return a.two
"""
    calls = [(n, (n + 1) % functions, (7 * n + 3) % functions) for n in range(functions)]
    return FLOWS + "".join(body.format(*call) for call in calls)


def test_functions_that_fill_each_others_fields_are_followed_to_the_end() -> None:
    assert INCOMPLETE not in {finding.code for finding in found(circle(28), taint=SHELL)}


def test_a_kind_is_a_matcher_with_a_name() -> None:
    code = (
        "import os\nos.system(a)\ndef f():\n    os.system(b)\n    os.popen(c)\n    os.remove(d)\n"
    )
    match = {"all": [{"kind": "shell"}, {"inside": "def $F(...): ..."}]}
    assert [one.location.line for one in found(code, match=match)] == [4, 5]


PADDED = "".join(f"def other_{n}(a):\n    return a\n\n" for n in range(30))


@pytest.mark.parametrize("rest", ["else:\n    pass\n", "elif b:\n    pass\n"])
def test_a_statement_of_the_module_is_judged_with_its_later_clauses(rest: str) -> None:
    code = f"if ready:\n    pass\n{rest}{PADDED}"
    assert lines(code, "if ready:\n  ...\nelse:\n  ...\n") == [1]


def test_a_text_that_may_be_anywhere_is_looked_for_everywhere() -> None:
    where = [{"metavariable": "$Y", "regex": "^hunter"}]
    match = {"all": ['$X = "$Y"'], "where": where}
    assert lines(f'a = "hunter2"\nb = "gatherer"\n{PADDED}', match) == [1]


def test_an_attribute_is_not_the_variable_that_is_called_like_it() -> None:
    assert lines("debug = 1\napp.debug = True\n", "$X.debug = True") == [2]


def test_a_keyword_is_not_the_variable_that_is_called_like_it() -> None:
    assert lines("shell = 1\nrun(shell=True)\n", "run(..., shell=True)") == [2]


def test_several_texts_are_a_text_but_what_a_caller_gives_is_not() -> None:
    match = {"all": ["run($X)"], "unless": ['run("...")']}
    code = "def f(q, w='a'):\n    z = 'a' if q else 'b'\n    run(z)\n    run(w)\n"
    assert lines(code, match) == [4]
