"""Soundness: a clause without any effect is refused when its rule is loaded, with its place."""

import re
from pathlib import Path

import pytest

from vetbox.findings import Profile
from vetbox.rules import RuleError, load_rules
from vetbox.rules.loading.imported import load_semgrep
from vetbox.rules.loading.messages import told_by

WORD = re.compile(r"\{(\w+)\}")
OF_A_CALL = re.compile(r" (?:of|in|by) \{callee\}\(\)")
"""What is left out of the message of a flow that does not end at a call."""
HEAD = "id: my-rule\nmessage: found\nseverity: error\n"
UNSOUND = {
    "where on nothing": (
        "match: $F($X)\nwhere:\n- {metavariable: $Y, regex: x}\n",
        "6:18: where.0.metavariable: no pattern binds $Y; write it into the pattern it is about",
    ),
    "where with a slip": (
        "match: run($COMMAND)\nwhere:\n- {metavariable: $COMAND, regex: x}\n",
        "6:18: where.0.metavariable: no pattern binds $COMAND; did you mean $COMMAND?",
    ),
    "where below": (
        (
            "match:\n  all:\n  - run($X)\n  - pattern: go($Y)\n"
            "    where: [{metavariable: $Z, regex: x}]\n"
        ),
        "8:28: match.all.1.where.0.metavariable: no pattern binds $Z;",
    ),
    "where on what only a denial binds": (
        "match:\n  all: ['run($X)', {not: 'run($Y, 1)'}]\nwhere:\n- {metavariable: $Y, regex: x}\n",
        "7:18: where.0.metavariable: no pattern binds $Y;",
    ),
    "where beside a matcher": (
        "match: {call: {name: run}}\nwhere:\n- {metavariable: $X, regex: x}\n",
        "6:18: where.0.metavariable: no pattern binds $X;",
    ),
    "doubt": (
        "match: run($X)\ndoubtful: [{pattern: go($X), where: [{metavariable: $Y, regex: x}]}]\n",
        "5:53: doubtful.0.where.0.metavariable: no pattern binds $Y;",
    ),
    "focus": ("match: run($X)\nfocus: $Y\n", "5:8: focus: no pattern binds $Y;"),
    "focus of a source": (
        "taint:\n  sources: [{match: {pattern: f($X), focus: $Y}}]\n  sinks: [{match: run(...)}]\n",
        "5:45: taint.sources.0.match.focus: no pattern binds $Y;",
    ),
    "propagator": (
        (
            "taint:\n  sources: [{match: read(...)}]\n  sinks: [{match: run(...)}]\n"
            "  propagators: [{match: $A.add($B), from: $B, to: $C}]\n"
        ),
        "7:51: taint.propagators.0.to: no pattern binds $C;",
    ),
    "comparison": (
        "match: run($X)\nwhere: [{comparison: $X < $Y}]\n",
        "5:22: where.0.comparison: no pattern binds $Y; write it into the pattern it is about",
    ),
    "label that nothing gives": (
        (
            "taint:\n  sources: [{match: read(...), label: INPUT}]\n"
            "  sinks: [{match: run(...), requires: INPTU}]\n"
        ),
        (
            "6:39: taint.sinks.0.requires: no source or propagator gives the label INPTU; "
            "did you mean INPUT?"
        ),
    ),
    "label in place of one that nothing gives": (
        (
            "taint:\n  sources: [{match: read(...), label: A}]\n"
            "  sinks: [{match: run(...), requires: B}]\n"
            "  propagators: [{match: $A.add($B), from: $B, to: $A, label: B, replaces: [C]}]\n"
        ),
        "7:75: taint.propagators.0.replaces: no source or propagator gives the label C;",
    ),
    "labels that all wait": (
        (
            "taint:\n  sources: [{match: f(...), label: A, requires: A}]\n"
            "  sinks: [{match: run(...), requires: A}]\n"
        ),
        "5:12: taint.sources: all of them require labels; write where data enters first",
    ),
    "fix": (
        "match: run($X)\nfix: {replace: go($Y), safety: safe}\n",
        "5:16: fix.replace: no pattern binds $Y;",
    ),
    "fix with a value that is no Python": (
        "match: {call: {name: run}}\nfix: {set-arg: {shell: '(', check: 'True'}, safety: safe}\n",
        "5:24: fix.set-arg.shell: '(' is not a Python expression",
    ),
    "fix with a metavariable as a value": (
        "match: run($X)\nfix: {add-arg: {shell: $X}, safety: safe}\n",
        "5:24: fix.add-arg.shell: '$X' is not a Python expression",
    ),
    "fix of an argument of no name": (
        "match: {call: {name: run}}\nfix: {set-arg: {'0': 'True'}, safety: safe}\n",
        "5:22: fix.set-arg.0: '0' is not the name of an argument, as in timeout",
    ),
    "fix that removes no name": (
        "match: {call: {name: run}}\nfix: {remove-arg: [shell, 'class'], safety: safe}\n",
        "5:27: fix.remove-arg.1: 'class' is not the name of an argument, as in timeout",
    ),
    "fix that is no Python": (
        "match: run($X)\nfix: {replace: 'go($X', safety: safe}\n",
        "5:16: fix.replace: not Python, whatever the metavariables stand for",
    ),
    "fix with an import of no module": (
        "match: run($X)\nfix: {replace: go($X), imports: [os.path, a-b], safety: safe}\n",
        "5:43: fix.imports.1: 'a-b' is not a module to import, as in os.path",
    ),
    "fix of two kinds": (
        "match: run($X)\nfix: {replace: go($X), set-arg: {a: '1'}, safety: safe}\n",
        "5:33: fix.set-arg: not read beside `replace`; write one of them",
    ),
    "fix by text and by a template": (
        "match: run($X)\nfix: {replace: go($X), substitute: {regex: a, by: b}, safety: safe}\n",
        "5:36: fix.substitute: not read beside `replace`; write one of them",
    ),
    "fix by text with a group that is not there": (
        "match: run($X)\nfix: {substitute: {regex: '(a)', by: '\\2'}, safety: safe}\n",
        (
            "5:38: fix.substitute.by: invalid group reference 2 at position 1; name the groups of "
            "`regex` by number, as \\1"
        ),
    ),
    "fix of the arguments of no call": (
        "match: 'def run(...): ...'\nfix: {remove-arg: [a], safety: safe}\n",
        "5:6: fix: changes arguments, and what is found here is a FunctionDef; use replace",
    ),
    "argument that no call has": (
        "match: {call: {name: run, args: {'-1': 3}}}\n",
        (
            "4:40: match.call.args.-1: '-1' is no argument of a call; "
            "write a name, a position from 0, both as in path|0, or any"
        ),
    ),
    "argument at two positions": (
        "match: {call: {name: run, args: {0|1: 3}}}\n",
        "4:39: match.call.args.0|1: '0|1' is no argument of a call;",
    ),
    "absent argument that no call has": (
        "match: {call: {name: run, absent: [a, 'b c']}}\n",
        "4:39: match.call.absent.1: 'b c' is no argument of a call;",
    ),
    "part of a sink that no call has": (
        "taint: {sources: [{kind: cli}], sinks: [{match: f(...), at: arg.0|1}]}\n",
        "4:61: taint.sinks.0.at: '0|1' is no argument of a call;",
    ),
    "report at what no call has": (
        "match: run($X)\nreport: {at: arg.|0}\n",
        "5:14: report.at: '|0' is no argument of a call;",
    ),
    "denial of another kind": (
        "match:\n  all: ['run($X)', {not: 'def $F(...): ...'}]\n",
        (
            "5:26: match.all.1.not: denies nothing: what is found here is a Call, never a "
            "FunctionDef; use not-inside for what is around"
        ),
    ),
    "unless of another kind": (
        "match: run($X)\nunless: ['$A = $B']\n",
        "5:10: unless.0: denies nothing:",
    ),
    "only a denial": (
        "match: {not: run($X)}\n",
        "4:8: match: says only what is not there or around; add a matcher or a pattern to find",
    ),
    "an alternative that only denies": (
        "match: {any: ['run($X)', {inside: 'def f(): ...'}]}\n",
        "4:26: match.any.1: says only what is not there or around;",
    ),
    "any code": ("match: $X\n", "4:8: match: finds all code there is;"),
    "any statements": ("match: '...'\n", "4:8: match: finds all code there is;"),
    "no such kind": (
        "match: {all: [{kind: shel}, {inside: 'def f(): ...'}]}\n",
        "4:22: match.all.0.kind: 'shel' is not a kind of rules/models; did you mean 'shell'?",
    ),
    "no such kind of sink": (
        "taint:\n  sources: [{kind: cli}]\n  sinks: [{kind: shel}]\n",
        "6:18: taint.sinks.0.kind: 'shel' is not a kind of rules/models; did you mean 'shell'?",
    ),
    "more than a kind of place": (
        "taint:\n  sources: [{kind: cli, except-type: [int]}]\n  sinks: [{kind: shell}]\n",
        "5:13: taint.sources.0: except-type: not read beside `kind`; write a place with `match`",
    ),
    "flow to anywhere": (
        "taint:\n  sources: [{match: read(...)}]\n  sinks: [{match: $F($X)}]\n",
        "6:19: taint.sinks.0.match: has no word of its own by which it is found in a file;",
    ),
    "message of what no pattern tells": (
        "match: run($X)\nprofiles: {agent: {severity: error, message: '{callee}() of $X'}}\n",
        (
            "5:46: profiles.agent.message: nothing that this rule looks for fills in {callee}; "
            "use {source} or a metavariable of a pattern"
        ),
    ),
    "message of another matcher": (
        "match: {attr: {name: run}}\nprofiles: {repo: {severity: error, message: 'of {module}'}}\n",
        (
            "5:45: profiles.repo.message: nothing that this rule looks for fills in {module}; "
            "use {attr}, {name}, {source} or a metavariable of a pattern"
        ),
    ),
    "message of what is only around": (
        (
            "match: {all: [run($X), {inside: {def: {name: f}}}]}\n"
            "profiles: {repo: {severity: error, message: 'in {name}'}}\n"
        ),
        "5:45: profiles.repo.message: nothing that this rule looks for fills in {name};",
    ),
    "message of what no sink tells": (
        (
            "taint:\n  sources: [{match: {call: {name: read}}}]\n  sinks: [{match: run(...)}]\n"
            "profiles: {agent: {severity: error, message: '{callee}() gets {source}, {kind}'}}\n"
        ),
        (
            "7:46: profiles.agent.message: nothing that this rule looks for fills in {callee}; "
            "use {kind}, {source} or a metavariable of a pattern"
        ),
    ),
    "sink that is no guard": (
        "taint: {sources: [{kind: cli}], sinks: [{match: f(...), by: guard}]}\n",
        "4:61: taint.sinks.0.by: says how a sanitizer works; this is a sink",
    ),
    "source that is no refusal": (
        "taint: {sources: [{match: f(...), by: refusal}], sinks: [{kind: shell}]}\n",
        "4:39: taint.sources.0.by: says how a sanitizer works; this is a source",
    ),
    "exception where there is no parameter": (
        "taint: {sources: [{match: f(...), except-name: [a]}], sinks: [{kind: shell}]}\n",
        "4:48: taint.sources.0.except-name: is about parameters; it goes with `at: parameters`",
    ),
    "fix of several statements": (
        'match: "run($X)\\ngo($X)"\nfix: {replace: run($X), safety: safe}\n',
        "5:6: fix: is written over one statement, and the pattern is of several",
    ),
    "fix of a decorator": (
        "match: {all: ['@run', {inside: 'class A: ...'}]}\nfix: {replace: '@go', safety: safe}\n",
        "5:6: fix: is written over a definition, and the pattern is of its decorator",
    ),
    "fix of a flow, of what one sink does not bind": (
        (
            "taint: {sources: [{match: ask()}], sinks: [{match: go($X)}, {match: run(...)}]}\n"
            "fix: {replace: go(str($X)), safety: safe}\n"
        ),
        "5:16: fix.replace: no pattern binds $X;",
    ),
    "fix of a flow, of what a kind does not bind": (
        (
            "taint: {sources: [{match: ask()}], sinks: [{kind: shell}]}\n"
            "fix: {replace: go($X), safety: safe}\n"
        ),
        "5:16: fix.replace: no pattern binds $X;",
    ),
    "condition of a fix beside taint": (
        (
            "taint: {sources: [{match: ask()}], sinks: [{match: go($X)}]}\n"
            "fix: {replace: run($X), safety: safe, when: go(1)}\n"
        ),
        "1:1: the file: fix: when is not read beside `taint`; write it in a sink",
    ),
    "where beside taint": (
        "taint: {sources: [{kind: cli}], sinks: [{kind: shell}]}\nunless: ['run(1)']\n",
        "1:1: the file: unless: not read beside `taint`; write it in a source or sink",
    ),
}
SOUND = {
    "a matcher with a name": "match: {all: [{kind: shell}, {inside: 'def f(): ...'}]}\n",
    "bound by an alternative": "match: {any: ['run($X)', 'go($Y)']}\nfocus: $Y\n",
    "bound around": "match: {all: ['run($X)', {inside: 'def $F(...): ...'}]}\n"
    "where: [{metavariable: $F, regex: x}]\n",
    "bound within a denial": "match: {all: ['run($X)', {not: {pattern: 'run($Y)', "
    "where: [{metavariable: $Y, regex: x}]}}]}\n",
    "bound by as": "match: {call: {name: run}, as: $CALL}\nfocus: $CALL\n",
    "bound by a where": "match: run($X)\nwhere: [{metavariable: $X, match: 'go($Y)'}]\nfocus: $Y\n",
    "rest of arguments": "match: run($...REST)\nfix: {replace: go($...REST), safety: safe}\n",
    "fix of a part": "match: '{..., \"a\": $X, ...}'\nfocus: $X\n"
    "fix: {replace: 'a if $X else b', safety: safe}\n",
    "fix of a flow": "taint: {sources: [{match: a()}], sinks: [{match: go($X)}, {match: run($X)}]}"
    "\nfix: {replace: go(str($X)), safety: safe}\n",
    "fix of a handler": "match: {except: {bare: true}}\n"
    "fix: {replace: 'except Exception: pass', safety: unsafe}\n",
    "arguments by name and position": "match: {call: {name: run, args: {a|b|0: 3, any: 4}, "
    "absent: c|1}}\n",
    "exception among parameters": "taint:\n  sources: [{match: 'def f(...): ...', "
    "at: parameters, except-type: [int]}]\n  sinks: [{kind: shell}]\n",
    "denial of the same kind": "match: {all: ['run($X)', {not: {call: {name: go}}}]}\n",
    "hole with a condition": "match: $X\nwhere: [{metavariable: $X, regex: '^x$'}]\n",
    "code without a word": "match: raise $X\n",
    "message of one alternative": "match: {any: ['run($X)', {call: {name: go}}]}\n"
    "profiles: {repo: {severity: info, message: '{callee}()'}}\n",
    "message of an argument": "match: {call: {name: go, args: {'0': {is: literal}}}}\n"
    "profiles: {repo: {severity: info, message: '{value} is {argument}'}}\n",
    "message of a where": "match: run($X)\nwhere: [{call: {name: go}}]\n"
    "profiles: {repo: {severity: info, message: '{callee}()'}}\n",
    "message of a sink by kind": "taint: {sources: [{kind: cli}], sinks: [{kind: shell}]}\n"
    "profiles: {repo: {severity: info, message: '{kind} for {callee}()'}}\n",
}


def problems(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "my-rule.yaml").write_text(HEAD + text)
    with pytest.raises(RuleError) as refusal:
        load_rules(tmp_path, shipped=False)
    return [problem.removeprefix(f"{tmp_path}/my-rule.yaml:") for problem in refusal.value.problems]


@pytest.mark.parametrize("name", UNSOUND)
def test_a_clause_without_effect_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    text, sentence = UNSOUND[name]
    (problem,) = problems(tmp_path, text)
    assert problem.startswith(sentence)


@pytest.mark.parametrize("name", SOUND)
def test_a_clause_with_an_effect_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "my-rule.yaml").write_text(HEAD + SOUND[name])
    assert set(load_rules(tmp_path, shipped=False).rules) == {"my-rule"}


def test_a_slip_in_what_a_message_says_is_refused(tmp_path: Path) -> None:
    slip = HEAD.replace("found", "'{calee}()'") + "match: run($X)\n"
    (tmp_path / "my-rule.yaml").write_text(slip)
    with pytest.raises(
        RuleError, match=r":2:10: message: nothing fills in \{calee\}; did you mean"
    ):
        load_rules(tmp_path, shipped=False)
    found = slip.replace("{calee}()", "{callee}({id}) of $PATH").replace(
        "run($X)", "{name: {name: run}}"
    )
    (tmp_path / "my-rule.yaml").write_text(found)
    assert set(load_rules(tmp_path, shipped=False).rules) == {"my-rule"}


def test_every_rule_of_a_file_of_several_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(
        "schema: 1\nrules:\n"
        "- {id: one, message: m, severity: info, match: run($X), focus: $Y}\n"
        "- {id: two, message: m, severity: info, match: run($X), focus: $X}\n"
    )
    with pytest.raises(RuleError, match=r"own\.yaml:3:64: rules\.0\.focus: no pattern binds \$Y"):
        load_rules(tmp_path, shipped=False)


def test_a_semgrep_rule_that_asks_about_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "rules:\n- id: slip\n  languages: [python]\n  severity: ERROR\n  message: m\n"
        "  patterns: [{pattern: run($X)}, {metavariable-regex: {metavariable: $Y, regex: a}}]\n"
    )
    made, (refused,) = load_semgrep(tmp_path)
    assert made == ()
    assert "no pattern binds $Y" in refused.reason


def test_whatever_a_shipped_rule_finds_fills_in_its_message() -> None:
    left = {
        (rule.id, word)
        for rule in load_rules().rules.values()
        for message in (rule.message, *map(rule.message_in, Profile))
        for word in WORD.findall(OF_A_CALL.sub("", message) if rule.flows else message)
        if word not in told_by(rule.matcher, flows=bool(rule.flows), always=True)
    }
    assert left == {("lookalike-import", "resembled")}  # it names no module of its own
