"""At a node of another kind than a formula is asked at, it does not hold."""

import ast

import pytest

from vetbox.code.nodes import nodes_of
from vetbox.rules import load_rules
from vetbox.rules.excerpt.layout import Layout
from vetbox.rules.language import formula as f
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.sifting.assignments import Assignments
from vetbox.rules.sifting.conditions import Conditions
from vetbox.rules.sifting.formulas import Line
from vetbox.rules.sifting.kinds import kinds_of

EVERYTHING = """
import a, b as c
from a import b as d
@a.b
@c(1)
async def a(b: a, /, c=b"x", *d, e: a = {**a}, **f) -> c: return await a
class a(b, c=d): a: b = c
for a, *b in c: continue
while a: break
with a as b, c: pass
try: raise a from b
except (a, b) as c: ...
finally: del a, b[c]
match a:
    case a.b | [b, *c] | {"a": b, **c} | a(b, c=d) as e if f: pass
    case "x": pass
    case None: pass
def a(): yield a; yield from b; global c
assert a, f"{b!r:>{c}} b"
a = b = lambda c, d=a: (e := c)
a += b; a[b:c:d] = {a, b}; a.b = {c: d for c in a if b async for d in c}
a = [b for b in c], (d for d in a), {b for b in a}, (a, b), [a, *b], {a: b, "a": a}
a = b < c in d, a == b, not a, -b, a and b or c, a if b else c, a @ b, ..., None, 1, "a" "b", b"a"
a.b(c, *d, a=b, **c); b(a)(c)[d]; a(f"a", "{}".format(a), "a" + a, "a" % b)
"""
NAMES = {"name": ["a", "b", "c", "*.b"]}
MATCHES = [
    {"call": NAMES},
    {"call": {"name-regex": "[abc]$"}},
    {"call": {"name": "*", "args": {"any": {"is": "any"}}}},
    {"name": NAMES},
    {"assign": {"target": ["a", "b", "c"], "forms": ["assign"]}},
    {"assign": {"target-regex": ".", "forms": ["item", "keyword", "default", "compare"]}},
    {"string": {"regex": "a"}},
    {"except": {}},
    {"except": {"type": ["a"]}},
    {"import": {"module": ["a", "b"]}},
    {"assert": {}},
    {"class": {"name": "*"}},
    {"def": {"name": "*"}},
    {"def": {"decorator": ["*.b"]}},
    {"attr": {"name": ["b"]}},
    {"pattern": "def $F(...): ..."},
    {"pattern": "@$A(...)\ndef $F(...): ..."},
    {"pattern": "class $F(...): ..."},
    {"pattern": "$A.b"},
    {"pattern": "$A(...)"},
    {"pattern": "a.b"},
    {"pattern": "$A[$B]"},
    {"pattern": "$A == $B"},
    {"pattern": 'f"...{$A}..."'},
    {"pattern": "{..., $A: $B, ...}"},
    {"pattern": "return $A"},
    {"pattern": "$A = $B"},
    {"pattern": "$A = <... b ...>"},
    {"pattern": "raise $A"},
    {"pattern": "del $A"},
    {"any": [{"call": NAMES}, {"string": {"regex": "a"}}]},
    {"all": [{"call": NAMES}, {"not": {"call": {"name": "b"}}}]},
]


def formula(match: dict[str, object]) -> f.Formula:
    data = {"id": "r", "message": "m", "severity": "info", "match": match}
    return rule_from_data(data, "r").matcher


def line() -> Line:
    nodes = [*nodes_of(ast.parse(EVERYTHING))]
    layout = Layout(EVERYTHING)
    return Line(EVERYTHING, nodes, Conditions(Assignments(layout)), {"d"}, {"a", "d"})


@pytest.mark.parametrize("match", MATCHES, ids=str)
def test_it_may_hold_at_nodes_of_its_kinds_alone(match: dict[str, object]) -> None:
    asked, everything = formula(match), line()
    holding = {id(node) for node in everything.nodes if everything.may_hold(asked, node)}
    assert holding
    assert holding <= {id(node) for node in everything.of(kinds_of(asked))}


def test_the_law_holds_for_every_rule() -> None:
    everything = line()
    for rule in load_rules().rules.values():
        if not rule.flows:
            holding = {id(n) for n in everything.nodes if everything.may_hold(rule.matcher, n)}
            assert holding <= {id(node) for node in everything.of(kinds_of(rule.matcher))}, rule.id


def test_most_rules_are_asked_at_few_kinds() -> None:
    asked = [kinds_of(rule.matcher) for rule in load_rules().rules.values() if not rule.flows]
    assert sum(kinds is not None for kinds in asked) > 0.8 * len(asked)
