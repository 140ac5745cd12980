"""At a node of another kind than a matcher or a pattern is tried at, it does not hold."""

import libcst as cst
import pytest

from tests.rules.sifting.test_kinds import EVERYTHING, MATCHES, formula
from vetbox.code.source import Source
from vetbox.rules import matchers
from vetbox.rules.language import formula as f
from vetbox.rules.matching import coded, within
from vetbox.rules.matching.formulas import match
from vetbox.rules.resolve.names import Resolver
from vetbox.rules.walk import Kinds, Tree

MODULE = f"""{EVERYTHING}
m = a(b)
m(c)
n["a"], getattr(n, "a")
n = {{"a": m, **b}}, -1, a < b, a in b
if a: pass
elif b: pass
try: pass
except ValueError: pass
"""
PATTERNS = (
    *("$A(...)", "a(...)", "$A($B)", "$A.b(...)", "a.b", "$A.b", "$A", "a", "<... b ...>", "..."),
    *("$A[$B]", "$A + $B", "$A % $B", "$A == $B", "$A < $B", "$A in $B", "not $A", "-$A"),
    *("$A and $B", "$A if $B else $C", "lambda ...: $A", "await $A", "yield $A", "$A @ $B"),
    *("[$A, ...]", "($A, ...)", "{$A, ...}", "{...}", '{..., "a": $A, ...}'),
    *('"..."', '"a"', 'f"..."', 'f"...{$A}..."', "1", "-1", "None", "[$A for $B in $C]"),
    *("$A = $B", "$A += $B", "$A: $B = $C", "($A := $B)", "return $A", "raise $A", "del $A"),
    *("assert $A", "import a", "from a import $B", "for $A in $B: ...", "while $A: ..."),
    *("with $A: ...", "if $A: ...", "def $F(...): ...", "class $C: ...", "@$D\ndef $F(...): ..."),
    *("try: ...\nexcept $E: ...", "except ValueError: ...", "$A = $B\n...\n$C += $D"),
    "...\n$A(...)",
)
NAMED = {"except": {"type": ["a"]}}  # a module here, and much else: no class that is caught
OTHERS = [
    {"except": {"type": ["ValueError"]}},
    {"decorator": {"name": "*"}},
    {"identifier": {"regex": "a"}},
    {"string_ref": {"in": ["a"], "uses": ["getattr", "subscript"]}},
]
FORMULAS = [
    *(formula(one) for one in (*MATCHES, *OTHERS) if one != NAMED),
    *(f.Code(pattern) for pattern in PATTERNS),
]


class OfAnyKind(Kinds):
    """Every kind is among them."""

    def __contains__(self, kind: object) -> bool:
        return True


def held_at(asked: f.Formula) -> list[int]:
    """The numbers of the nodes at which it holds, by itself or within them."""
    facts = Resolver(Tree(Source.from_text(MODULE).module))
    nodes = list(enumerate(facts.tree.nodes))
    return [
        number
        for number, node in nodes
        for one in (asked, f.Has(asked))
        if match(one, node, facts) is not None
    ]


@pytest.mark.parametrize("asked", FORMULAS, ids=str)
def test_nothing_is_found_at_nodes_of_other_kinds(
    asked: f.Formula, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow = held_at(asked)
    assert narrow
    for module in (matchers, within):
        monkeypatch.setattr(module, "KINDS", dict.fromkeys(matchers.KINDS, OfAnyKind()))
    for module in (coded, within):
        monkeypatch.setattr(module, "kinds_of", lambda pattern: Kinds(cst.CSTNode))
    assert held_at(asked) == narrow
