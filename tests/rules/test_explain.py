"""Explanations: the answer of every clause, for lines that fire and lines that do not."""

from vetbox.code.source import Source
from vetbox.rules import Profile, load_rules
from vetbox.rules.explain import Clause, explain

CODE = """\
import subprocess
subprocess.run("ls " + folder, shell=False)
subprocess.run(
    "ls " + folder, shell=True)
list(map(eval, xs))
"""


def clauses(clause: Clause) -> dict[str, bool]:
    found = {clause.text: clause.holds}
    for part in clause.parts:
        found |= clauses(part)
    return found


def explained(rule: str, line: int, profile: Profile = Profile.REPO):
    return explain(Source.from_text(CODE), load_rules().rules[rule], line, profile=profile)


def test_a_line_that_does_not_fire_names_the_clause_that_failed() -> None:
    answer = explained("shell-true", 2)
    assert not answer.fires
    assert all(clause.holds for clause in answer.conditions)
    (place,) = answer.places
    assert clauses(place.clause)["shell= is truthy"] is False


def test_a_line_inside_a_call_explains_the_call() -> None:
    answer = explained("shell-true", 4)
    assert answer.fires
    assert answer.places[0].code.startswith("subprocess.run(\n")


def test_a_line_without_such_code_has_no_places() -> None:
    assert explained("shell-true", 1).places == ()


def test_a_function_that_is_handed_on_is_explained_in_the_agent_profile() -> None:
    answer = explained("eval-call", 5, Profile.AGENT)
    assert answer.fires
    assert "handed on" in answer.places[-1].clause.text
    assert not explained("eval-call", 5).fires


FLOW = """\
import os, shlex
from flask import request

def found(cursor):
    name = request.args["name"]
    cursor.execute("SELECT 1 WHERE n = " + name)
    cursor.execute("SELECT 1")
    os.system("ls " + shlex.quote(name))
"""


def flow(line: int, name: str = "sql-from-request"):
    rule = load_rules().rules[name]
    return explain(Source.from_text(FLOW), rule, line, profile=Profile.REPO)


def test_a_flow_is_explained_by_its_way() -> None:
    answer = flow(6)
    assert answer.fires
    assert answer.conditions[-1] == Clause("data from a source arrives on this line", True)
    assert [step.location.line for step in answer.trace] == [5, 5, 6]
    assert [place.clause.text for place in answer.places] == ["a sink stands here: sql"]


def test_a_sink_that_no_data_reaches_says_so() -> None:
    answer = flow(7)
    assert not answer.fires
    assert answer.conditions[-1] == Clause("data from a source arrives on this line", False)
    assert (answer.trace, [place.clause.text for place in answer.places]) == (
        (),
        ["a sink stands here: sql"],
    )


def test_a_source_and_what_makes_data_good_are_named_by_their_kind() -> None:
    (source,) = flow(5).places
    assert (source.clause.text, source.code) == ("a source stands here: http-input", "request.args")
    ends = [place.clause.text for place in flow(8, "shell-from-input").places]
    assert ends == ["a sink stands here: shell", "a sanitizer stands here: shell-quote"]


def test_a_rule_that_waits_for_other_words_says_so() -> None:
    on, *_, words = explained("pickle-load", 2).conditions
    assert (on.holds, words.holds) == (True, False)


LEFT = """\
import os
from flask import request

def silent(cursor):
    os.system("ls " + request.args["name"])
    tables = [request.args["table"], "one"]
    cursor.execute("SELECT a FROM " + tables[1])

def loud(cursor, name):
    os.system("ls " + name)
"""


def left(line: int, name: str):
    rules = load_rules().rules
    return explain(Source.from_text(LEFT), rules[name], line, profile=Profile.REPO, rules=rules)


def test_what_is_left_to_another_rule_names_it() -> None:
    assert left(10, "os-system").fires
    answer = left(5, "os-system")
    assert not answer.fires
    last = Clause("no other rule says more of the place", False, "shell-from-request")
    assert answer.conditions[-1] == last


def test_what_a_flow_clears_names_it() -> None:
    answer = left(7, "formatted-query")
    assert not answer.fires
    last = Clause("what comes there is not known", False, "followed by sql-from-request")
    assert answer.conditions[-1] == last


def test_a_flow_that_another_one_tells_arrives_all_the_same() -> None:
    rules = load_rules().rules
    code = "import subprocess\nfrom flask import request\n"
    code += "subprocess.run(request.args['a'], shell=True)\n"
    answer = explain(
        Source.from_text(code), rules["process-from-request"], 3, profile=Profile.REPO, rules=rules
    )
    assert not answer.fires
    assert answer.conditions[-2:] == (
        Clause("data from a source arrives on this line", True),
        Clause("no other rule says more of the place", False, "shell-from-request"),
    )
