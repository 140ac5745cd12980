"""A rule looks no further from a place than the parts of it that may hold there."""

import pytest

from vetbox.rules import Profile, RuleSet
from vetbox.rules.excerpt import reduce
from vetbox.rules.filtering.program import program_of
from vetbox.rules.judging import findings
from vetbox.rules.loading.loader import rule_from_data
from vetbox.source import Source

RULE = {"id": "r", "message": "found", "severity": "warning"}
CALL = {"pattern": "$CURSOR.execute(<... $NAME ...>, ...)"}
LISTED = {
    **RULE,
    "match": {"call": {"name": ["*.execute"], "args": {"0": {"is": "formatted"}}}},
    "unless": [
        {"pattern": '$CURSOR.execute(<... "...".join($A) ...>, $VALUES)'},
        {
            "all": [
                CALL,
                {
                    "inside": {
                        "all": [
                            "def $FUNCTION(...): ...",
                            {"has": {"pattern": "if $NAME not in $KNOWN: ..."}},
                        ]
                    }
                },
            ]
        },
        {
            "all": [
                CALL,
                {
                    "inside": "$NAME = $GIVEN if $GIVEN in $KNOWN else $OTHER\n...\n"
                    "$CURSOR.execute(<... $NAME ...>, ...)\n"
                },
            ]
        },
    ],
}
PADDING = "".join(f"def other_{n}(a):\n    return a\n\n" for n in range(30))
QUERY = 'c.execute(f"select {x}")'
FAR = "far = 1"


def looked_at(rule: dict[str, object], code: str) -> tuple[str, int]:
    """What is left of some code, and how much is found; no less than in all of it."""
    program = program_of(RuleSet.of([rule_from_data(rule, "r")]), Profile.REPO)
    source = Source.from_text(PADDING + code + "\n")
    hits = program.hits(source)
    found = reduce(source.text, hits, program.reaches, program.sieve(hits))
    assert found is not None
    whole = findings(Source.from_text(code + "\n"), program, {"r": ()})
    part = findings(source, program, hits)
    assert len(part) == len(whole)
    return found.text, len(part)


@pytest.mark.parametrize(
    ("code", "far", "count"),
    [
        (f"def f(c, x):\n    {FAR}\n    {QUERY}", False, 1),
        (f"def f(c, x):\n    {FAR}\n    if x not in K: return\n    {QUERY}", True, 0),
        (f"def f(c, x):\n    {FAR}\n    while x not in K: g()\n    {QUERY}", False, 1),
        (f"def f(c, x):\n    {FAR}\n    if x in K: return\n    {QUERY}", False, 1),
        (
            f"def f(c, x):\n    {FAR}\n    def g():\n        if x not in K: h()\n    {QUERY}",
            True,
            0,
        ),
        (
            f"def f(c, x):\n    {FAR}\n    if y: pass\n    elif x not in K: g()\n    {QUERY}",
            True,
            1,
        ),
        (f"def g(x):\n    if x not in K: h()\ndef f(c, x):\n    {FAR}\n    {QUERY}", False, 1),
        (f"class C:\n    def f(c, x):\n        {FAR}\n        {QUERY}", False, 1),
        (f"def f(c, y):\n    {FAR}\n    x = y if y in K else z\n    {QUERY}", True, 0),
        (f"def f(c, y):\n    {FAR}\n    x = y if y else z\n    {QUERY}", False, 1),
        (f"def f(c, y):\n    {FAR}\n    {QUERY}\n    x = y if y in K else z", False, 1),
        (
            f"def f(c, y):\n    {FAR}\n    if y:\n        x = y if y in K else z\n    {QUERY}",
            False,
            1,
        ),
        (
            f"def f(c, y):\n    {FAR}\n    if y:\n        pass  # y if y in K else z\n    {QUERY}",
            False,
            1,
        ),
        (
            f"def f(c, y):\n    {FAR}\n    x = (\n    y if y in K\n    else z)\n    {QUERY}",
            True,
            0,
        ),
        (f"{FAR}\nx = y if y in K else z\n{QUERY}", True, 0),
    ],
)
def test_what_surely_does_not_hold_needs_nothing_to_be_shown(
    code: str, far: bool, count: int
) -> None:
    text, found = looked_at(LISTED, code)
    assert (FAR in text) == far
    assert found == count
