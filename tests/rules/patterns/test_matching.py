"""What each pattern feature matches, and what it does not, on plain names."""

import libcst as cst
import pytest

from tests.rules.facts import AsWritten
from vetbox.code.source import Source
from vetbox.rules import Profile, RuleSet, check
from vetbox.rules.budget import Budget
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.matching.coded import MATCH_STEPS
from vetbox.rules.patterns import EMPTY, Matcher, StatementMatcher, parse_pattern
from vetbox.rules.patterns.tree import block_of, children
from vetbox.rules.patterns.vocabulary import subexpressions


def blocks(node: cst.CSTNode) -> list[tuple[cst.CSTNode, ...]]:
    here = [block_of(node)] if isinstance(node, (cst.Module, cst.BaseSuite)) else []
    return here + [block for child in children(node) for block in blocks(child)]


def matches(pattern: str, code: str) -> list[dict[str, str | None]]:
    """The texts bound by every match, in source order."""
    parsed, module = parse_pattern(pattern), cst.parse_module(code)
    matcher = Matcher(AsWritten(), Budget(MATCH_STEPS))
    if parsed.expression is not None:
        ways = [
            way
            for block in blocks(module)
            for statement in block
            for node in subexpressions(statement)
            for way in matcher.expression(parsed.expression, node, EMPTY)
        ]
    else:
        runs = StatementMatcher(matcher)
        ways = [
            run.bindings
            for block in blocks(module)
            for run in runs.search(parsed.statements, block).runs()
        ]
    return [{name: bound.text for name, bound in way.values.items()} for way in ways]


MATCHING = [
    ("foo($X)", "foo(a)"),
    ("foo(...)", "foo(1, b=2)"),
    ("foo(..., 2, ...)", "foo(1, 2, 3)"),
    ("foo($X, $X)", "foo(a, a)"),
    ("foo(a=1, b=$B)", "foo(b=x, a=1)"),
    ("foo($X, ..., shell=True, ...)", "foo(c, env=e, shell=True)"),
    ("foo($...ARGS, last)", "foo(1, 2, last)"),
    ("foo($...ARGS)", "foo(1, *a, k=2, **b)"),
    ("foo($...ARGS)", "foo()"),
    ("def $F($...P): ...", "def f(): pass"),
    ("def $F($A, $...P): ...", "def f(a, b=1, *c, d, **e): pass"),
    ("lambda $...P: 1", "x = lambda a, b: 1"),
    ("foo($X, $...ARGS, k=2)", "foo(1, j=3, k=2)"),
    ("bar($...ARGS) + foo($...ARGS)", "bar(1, k=2) + foo(1, k=2)"),
    ("foo(k=1)", "foo(**{'k': 1})"),
    ("foo(..., k=1)", "foo(**{'k': 1, key: 2})"),
    ("foo(..., **{..., $K: $V, ...})", "foo(1, **{'k': 1, key: 2})"),
    ("foo(..., **$KWARGS)", "foo(1, **{'k': 1, key: 2})"),
    ("$X.run(...)", "a.b.run(1)"),
    ("$X == $X", "if a.b == a.b: pass"),
    ('"..."', "x = 'anything'"),
    ('"=~/^sel/"', "x = 'select'"),
    ('foo("$SQL")', "foo('select')"),
    ('f"..."', "x = f'a{b}'"),
    ('f"...{$X}..."', "x = f'a{b}c'"),
    ('f"a{$X}"', "x = f'a{b}'"),
    ("[..., $X, ...]", "x = [1, y, 2]"),
    ('{..., "k": $V, ...}', "x = {'a': 1, 'k': v}"),
    ("{...}", "x = {'a': 1}"),
    ("{..., **$X, ...}", "x = {'a': 1, **b, 'c': d}"),
    ("{**$X}", "x = {**b}"),
    ("<... secret ...>", "print(1 + f(secret))"),
    ("foo(<... $X % $Y ...>)", "foo(g(a % b))"),
    ("a. ... .end()", "a.b().c[0].end()"),
    ("$X if $C else $Y", "v = a if b else c"),
    ("lambda ...: $B", "v = lambda a, b=1: a"),
    ("$X[...]", "v = d['k']"),
    ("not $X", "v = not a"),
    ("$X = foo(...)", "a: int = foo()"),
    ("$X = 1", "a = b = 1"),
    ("$X += $Y", "a += b"),
    ("return $X", "def f():\n    return 1"),
    ("$X = get()\n...\nrun($X)", "a = get()\nb = 2\nrun(a)"),
    ("$X = get()\n...\nrun($X)", "a = get()\nif b:\n    run(a)"),
    ("$X = get()\n...\nrun($X)", "def f():\n    a = get()\n    return run(a)"),
    ("def $F(..., $P, ...):\n  ...\n  return $P", "def f(a, b=1):\n    x()\n    return b"),
    ("def $F(...):\n  ...", "async def f(): pass"),
    ("def $F(..., a=1, ...): ...", "def f(x, a=1, b=2): pass"),
    ("@app.route(...)\ndef $F(...): ...", "@log\n@app.route('/')\ndef f(): pass"),
    ("@app.route(...)", "@app.route('/')\ndef f(): pass"),
    ("class $C(..., Base, ...): ...", "class A(Mixin, Base): pass"),
    ("if $C:\n  ...", "if a:\n    b\nelse:\n    c"),
    ("for $X in $Y: ...", "for a in b: c"),
    ("with open(...) as $F: ...", "with open(p) as f, g(): pass"),
    ("try:\n  ...\nexcept $E:\n  pass", "try:\n    a\nexcept E:\n    pass"),
    ("try: ...", "try:\n    a\nfinally:\n    b"),
    ("import os", "import sys, os"),
    ("import os", "from os import path"),
    ("from os import $X", "from os import a, b"),
    ("raise $E(...)", "raise ValueError('x')"),
    ("assert $X", "assert a, 'why'"),
]
SILENT = [
    ("foo(k=1)", "foo(**{'k': 1, key: 2})"),
    ("foo(..., **{..., $K: $V, ...})", "foo({key: 2})"),
    ("foo(..., **{..., $K: $V, ...})", "foo(1, key=2)"),
    ("def $F($A, $...P): ...", "def f(): pass"),
    ("def $F($...P, last): ...", "def f(last, a): pass"),
    ("foo($X, $...ARGS)", "foo(k=2)"),
    ("foo($X, $...ARGS, k=2)", "foo(1, k=3)"),
    ("bar($...ARGS) + foo($...ARGS)", "bar(1, k=2) + foo(1, j=2)"),
    ("{..., **$X, ...}", "x = {'a': 2**b}"),
    ("foo($X)", "foo(a, b)"),
    ("foo($X)", "foo(a=1)"),
    ("foo($X, $X)", "foo(a, b)"),
    ("foo(a=1)", "foo(a=1, b=2)"),
    ("foo()", "foo(1)"),
    ('"..."', "x = f'a{b}'"),
    ('f"..."', "x = 'plain'"),
    ('f"a{$X}"', "x = f'b{c}'"),
    ("[$X]", "x = [1, 2]"),
    ('{"k": $V}', "x = {'k': 1, 'l': 2}"),
    ("1", "x = True"),
    ("$X = get()\nrun($X)", "a = get()\nb = 1\nrun(a)"),
    ("$X = get()\n...\nrun($X)", "a = get()\nrun(b)"),
    ("$X = get()\n...\nrun($X)", "a = get()\ndef f():\n    run(a)"),
    ("def $F($A): ...", "def f(a, b): pass"),
    ("class $C(Base): ...", "class A: pass"),
    ("if $C:\n  ...\nelse:\n  ...", "if a: b"),
    ("import os", "import ost"),
    ("from os import path", "from os import *"),
]


@pytest.mark.parametrize(("pattern", "code"), MATCHING)
def test_pattern_matches(pattern: str, code: str) -> None:
    assert matches(pattern, code)


@pytest.mark.parametrize(("pattern", "code"), SILENT)
def test_pattern_is_silent(pattern: str, code: str) -> None:
    assert matches(pattern, code) == []


def test_a_metavariable_binds_what_it_stands_for() -> None:
    assert matches("$F($A, k=$V)", "run(cmd, k='x')") == [{"F": "run", "A": "cmd", "V": "x"}]


def test_many_gaps_do_not_explode() -> None:
    pattern = "\n...\n".join(["a($X)"] * 6 + ["b($X)"])
    assert matches(pattern, "\n".join(["a(x)"] * 60)) == []


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("\n...\n".join(f"a($X{number})" for number in range(20)), 281),
        ("a($X)\n...\na($Y)\n...\nc($Z)", 0),
        ("a($X)\n...\nb($X)", 0),
        ({"all": ["a($X)", {"inside": "a($Y)\n...\na($Z)\n...\na($V)\n..."}]}, 300),
    ],
)
def test_what_metavariables_stand_for_costs_nothing_where_nothing_hangs_on_it(
    pattern: object, count: int
) -> None:
    data = {"id": "the-rule", "message": "m", "severity": "error", "match": pattern}
    rules = RuleSet.of([rule_from_data(data, "pack/the-rule.yaml")])
    code = "".join(f"a(x{number})\n" for number in range(300)) + "b(y)\n" * 9 + "c\n"
    assert len(check(Source.from_text(code), rules, profile=Profile.REPO)) == count
