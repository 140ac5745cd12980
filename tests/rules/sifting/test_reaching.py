"""A rule looks no further from a place than the parts of it that may hold there."""

from textwrap import indent

import pytest

from vetbox.code.source import Source
from vetbox.rules import Profile, RuleSet
from vetbox.rules.excerpt import reduce
from vetbox.rules.judging import findings
from vetbox.rules.loading.loader import rule_from_data
from vetbox.rules.program import program_of

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


def function(*lines: str, header: str = "def f(c, x, y):") -> str:
    """A function that begins with what is far, with these lines behind it."""
    return f"{header}\n" + indent("\n".join((FAR, *lines)), "    ")


@pytest.mark.parametrize(
    ("code", "far", "count"),
    [
        (function(QUERY), False, 1),
        (function("if x not in K: return", QUERY), True, 0),
        (function("while x not in K: g()", QUERY), False, 1),
        (function("if x in K: return", QUERY), False, 1),
        (function("def g():", "    if x not in K: h()", QUERY), True, 0),
        (function("if y: pass", "elif x not in K: g()", QUERY), True, 0),
        (f"def g(x):\n    if x not in K: h()\n{function(QUERY)}", False, 1),
        (f"class C:\n{indent(function(QUERY), '    ')}", False, 1),
        (function("x = y if y in K else z", QUERY, header="def f(c, y):"), True, 0),
        (function("x = y if y else z", QUERY, header="def f(c, y):"), False, 1),
        (function(QUERY, "x = y if y in K else z", header="def f(c, y):"), False, 1),
        (
            function("if y:", "    x = y if y in K else z", QUERY, header="def f(c, y):"),
            False,
            1,
        ),
        (
            function("if y:", "    pass  # y if y in K else z", QUERY, header="def f(c, y):"),
            False,
            1,
        ),
        (
            function("x = (", "y if y in K", "else z)", QUERY, header="def f(c, y):"),
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


JOINED = {
    **RULE,
    "match": {"call": {"name": ["*.execute"], "args": {"0": {"is": "formatted"}}}},
    "unless": [
        {
            "all": [
                "$CURSOR.execute($QUERY, $VALUES, ...)",
                {
                    "inside": '$QUERY = <... "...".join($CLAUSES) ...>\n...\n'
                    "$CURSOR.execute($QUERY, $VALUES, ...)\n"
                },
            ]
        }
    ],
}


@pytest.mark.parametrize(
    ("code", "far", "count"),
    [
        (function("q = 'a' + ','.join(x)", "c.execute(q, x)"), True, 0),
        (function("q = ','.join(x)", "c.execute('a' + x, x)"), False, 1),
        (function("q = ','.join(x)", "c.execute('a %s' % q, x)"), False, 1),
    ],
)
def test_what_a_call_is_given_has_to_be_what_was_given_a_value(
    code: str, far: bool, count: int
) -> None:
    text, found = looked_at(JOINED, code)
    assert (FAR in text) == far
    assert found == count


RETURNED = {
    **RULE,
    "match": {"call": {"name": "pandas.read_pickle"}},
    "unless": [{"inside": "pandas.to_pickle($A, $B)\n...\nreturn pandas.read_pickle($B)\n"}],
}


@pytest.mark.parametrize(
    ("body", "far", "count"),
    [
        (f"    {FAR}\n    to_pickle(x, p)\n    return read_pickle(p)", True, 0),
        (f"    {FAR}\n    to_pickle(x, p)\n    y = read_pickle(p)\n    return y", True, 0),
        (f"    {FAR}\n    to_pickle(x, p)\n    y = read_pickle(p)", False, 1),
        (f"    {FAR}\n    to_pickle(x, p)\n    y = read_pickle(p)  # return", False, 1),
    ],
)
def test_what_is_returned_is_returned_by_a_function_around(
    body: str, far: bool, count: int
) -> None:
    imports = "from pandas import read_pickle, to_pickle\n"
    text, found = looked_at(RETURNED, f"{imports}def f(x, p):\n{body}")
    assert (FAR in text) == far
    assert found == count


@pytest.mark.parametrize(
    ("around", "code", "count"),
    [
        ("if $CHOICE: ...", f"def f(x):\n    {FAR}\n    if x:\n        os.system(x)", 1),
        ("if $CHOICE: ...", f"def f(x):\n    {FAR}\n    if x: pass\n    else: os.system(x)", 1),
        ("if $CHOICE: ...", f"def f(x):\n    {FAR}\n    if x: pass\n    os.system(x)", 0),
        ("if $CHOICE: ...", f"if x:\n    def f(x):\n        {FAR}\n        os.system(x)", 1),
        ("return $ANSWER", f"def f(x):\n    {FAR}\n    return lambda: os.system(x)", 1),
        ("return $ANSWER", f"def f(x):\n    {FAR}\n    y = os.system(x)\n    return y", 0),
        ("{..., a.b: $X, ...}", f"import a as c\n{FAR}\nx = {{c.b: 1, 2: os.system(y)}}", 1),
        ("{..., a.b: $X, ...}", f"import a, d\nc = d\n{FAR}\nx = {{c.b: 1, 2: os.system(y)}}", 0),
        ("{..., a.b: $X, ...}", f"import a\nc = a\n{FAR}\nx = {{c.b: 1, 2: os.system(y)}}", 1),
    ],
)
def test_what_is_around_on_the_line_is_told_by_its_names(
    around: str, code: str, count: int
) -> None:
    rule = {**RULE, "match": {"all": [{"call": {"name": "os.system"}}, {"inside": around}]}}
    text, found = looked_at(rule, f"import os\n{code}")
    assert FAR not in text
    assert found == count


@pytest.mark.parametrize(
    "around", ["<... a.b ...>", "if $X: os.system(x)", "if a.b: ...", "while $X: ..."]
)
def test_what_is_around_further_away_is_shown_with_its_function(around: str) -> None:
    rule = {**RULE, "match": {"all": [{"call": {"name": "os.system"}}, {"inside": around}]}}
    code = (
        f"import a, os\ndef f(x):\n    {FAR}\n    if a.b: os.system(x)\n    while x: os.system(x)"
    )
    assert FAR in looked_at(rule, code)[0]


WHOLE = "$WHOLE"
IN_CLASS = "class A:\n    def g(self, x):\n        {0}\n    def f(self, x):\n        os.system(x)"


@pytest.mark.parametrize(
    ("around", "code"),
    [
        ({"def": {"name": "*"}, "as": WHOLE}, "def f(x):\n    {0}\n    os.system(x)"),
        ({"any": [{"class": {"name": "*"}}], "as": WHOLE}, IN_CLASS),
        (WHOLE, "def g(x):\n    {0}\ndef f(x):\n    os.system(x)"),
    ],
)
@pytest.mark.parametrize(("line", "count"), [("near(x)", 1), ("far(x)  # near", 0)])
def test_what_is_around_is_read_whole_but_for_its_comments(
    around: object, code: str, line: str, count: int
) -> None:
    told = {"all": [around], "where": [{"metavariable": WHOLE, "written": "near"}]}
    rule = {**RULE, "match": {"all": [{"call": {"name": "os.system"}}, {"inside": told}]}}
    program = program_of(RuleSet.of([rule_from_data(rule, "r")]), Profile.REPO)
    source = Source.from_text(f"import os\n{PADDING}{code.format(line)}\n")
    assert len(findings(source, program, program.hits(source))) == count
